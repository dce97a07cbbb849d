//! Memory instructions under way, as S_WAITCNT counts them.
//!
//! Each wave has a counter for vector memory (vmcnt) and one for LDS and scalar memory (lgkmcnt). Vector memory and
//! LDS return in order, scalar memory and FLAT do not: only a wait to zero brings their data (CLRX `GcnInstrsSmrd`).
//! Beside those, an in-order instruction is known to be done when it would keep too many in-order ones after it waiting:
//! LLVM's SIInsertWaitcnts counts like that where a FLAT instruction reaches no LDS.
//! The counters have no upper end here: a real one has four to six bits, and what its wave does when it is full is
//! in no source.

use std::collections::{HashSet, VecDeque};

use crate::state::vector_number::VectorNumber;

/// The most that a wait leaves under way, and one more: its field has six bits.
const MOST_LEFT: usize = 64;
/// Each time that so many more are under way, those that no wait can tell from others are forgotten.
const LOOK: usize = 4096;

/// Registers that a memory instruction fills when it has been waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Filled {
    /// First vector register.
    pub first: VectorNumber,
    /// How many; 0 for an instruction that returns nothing, or to scalar registers.
    pub count: u8,
    /// Which of the instructions that fill these registers it is.
    pub ticket: u32,
    /// The half that it fills, if it is one: whether the high one.
    pub half: Option<bool>,
}

impl Filled {
    /// No vector register.
    pub(crate) const NONE: Self = Self { first: 0, count: 0, ticket: 0, half: None };
}

#[derive(Debug, Clone, Copy)]
struct Flight {
    done: u64,
    filled: Filled,
    is_in_order: bool,
}

/// The instructions that one counter counts, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Flights {
    under_way: VecDeque<Flight>,
    latest: u64,
    out_of_order: u32,
}

impl Flights {
    /// An instruction that returns after those before it, and not before cycle `done`.
    pub(crate) fn in_order(&mut self, done: u64, filled: Filled) {
        self.latest = self.latest.max(done);
        self.push(Flight { done: self.latest, filled, is_in_order: true });
    }

    /// Instructions under way.
    pub(crate) fn len(&self) -> usize {
        self.under_way.len()
    }

    /// The last one returns no earlier than at cycle `done`.
    pub(crate) fn delay_last(&mut self, done: u64) {
        if let Some(last) = self.under_way.back_mut() {
            last.done = last.done.max(done);
            self.latest = self.latest.max(done);
        }
    }

    /// An instruction that may overtake others.
    pub(crate) fn out_of_order(&mut self, done: u64) {
        self.latest = self.latest.max(done);
        self.out_of_order += 1;
        self.push(Flight { done, filled: Filled::NONE, is_in_order: false });
    }

    fn push(&mut self, flight: Flight) {
        self.under_way.push_back(flight);
        if self.under_way.len().is_multiple_of(LOOK) {
            self.forget();
        }
    }

    /// Forgets instructions before which enough others end later, if newer ones fill their registers again: code that waits for nothing
    /// takes no memory for each of them.
    fn forget(&mut self) {
        let overtaking = self.under_way.iter().filter(|flight| !flight.is_in_order);
        let mut done: Vec<u64> = overtaking.map(|flight| flight.done).collect();
        done.sort_unstable();
        let latest = done.len().checked_sub(MOST_LEFT).map_or(0, |at| done[at]);
        let (mut newer, mut filled) = (0, HashSet::new());
        let is_kept = |flight: &Flight| {
            if !flight.is_in_order {
                return flight.done >= latest;
            }
            newer += 1;
            let Filled { first, count, half, .. } = flight.filled;
            let is_newest = count > 0 && filled.insert((first, count, half));
            is_newest || newer <= MOST_LEFT
        };
        let mut kept: Vec<Flight> = self.under_way.drain(..).rev().filter(is_kept).collect();
        kept.reverse();
        self.out_of_order = kept.iter().filter(|flight| !flight.is_in_order).count() as u32;
        self.under_way = kept.into();
    }

    /// Waits until at most `left` are under way: the cycle at which that is so; `arrived` gets what came surely.
    pub(crate) fn wait(&mut self, left: usize, mut arrived: impl FnMut(Filled)) -> u64 {
        let Some(ending) = self.under_way.len().checked_sub(left).filter(|ending| *ending > 0) else { return 0 };
        if self.out_of_order > 0 && left > 0 {
            let mut done: Vec<u64> = self.under_way.iter().map(|flight| flight.done).collect();
            done.sort_unstable();
            self.take_sure(left, arrived);
            return done[ending - 1];
        }
        let mut until = 0;
        for flight in self.under_way.drain(..ending) {
            until = until.max(flight.done);
            if flight.filled.count > 0 {
                arrived(flight.filled);
            }
        }
        if left == 0 {
            self.out_of_order = 0;
        }
        until
    }

    /// Takes those out that have come when at most `left` are under way, whichever these are: an in-order one has where
    /// more than `left` in-order ones are at or after it, since it would keep all of these waiting.
    fn take_sure(&mut self, left: usize, mut arrived: impl FnMut(Filled)) {
        let mut sure = (self.under_way.len() - self.out_of_order as usize).saturating_sub(left);
        self.under_way.retain(|flight| {
            let is_kept = sure == 0 || !flight.is_in_order;
            if !is_kept {
                sure -= 1;
                if flight.filled.count > 0 {
                    arrived(flight.filled);
                }
            }
            is_kept
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_order_ones_come_one_by_one() {
        let mut flights = Flights::default();
        let filled = |first| Filled { first, count: 1, ticket: 0, half: None };
        flights.in_order(100, filled(1));
        flights.in_order(90, filled(2));
        flights.in_order(120, filled(3));
        let mut came = Vec::new();
        assert_eq!(flights.wait(3, |filled| came.push(filled.first)), 0);
        assert_eq!(flights.wait(1, |filled| came.push(filled.first)), 100, "the second waits for the first");
        assert_eq!(came, [1, 2]);
        assert_eq!(flights.wait(0, |filled| came.push(filled.first)), 120);
        assert_eq!(came, [1, 2, 3]);
    }

    #[test]
    fn one_that_may_overtake_makes_all_unsure() {
        let mut flights = Flights::default();
        flights.in_order(100, Filled { first: 1, count: 1, ticket: 0, half: None });
        flights.out_of_order(60);
        assert_eq!(flights.wait(1, |_| panic!("it is not sure which came")), 60);
        let mut came = 0;
        assert_eq!(flights.wait(0, |_| came += 1), 100);
        assert_eq!(came, 1);
    }

    #[test]
    fn those_in_order_are_sure_when_too_many_would_be_under_way() {
        // fiji: s_waitcnt lgkmcnt(1) after a FLAT load and two LDS instructions, as LLVM emits it.
        let mut flights = Flights::default();
        let filled = |first| Filled { first, count: 1, ticket: 0, half: None };
        flights.out_of_order(500);
        flights.in_order(100, filled(1));
        flights.in_order(120, filled(2));
        let mut came = Vec::new();
        flights.wait(2, |filled| came.push(filled.first));
        assert_eq!(came, [], "FLAT or the first");
        flights.wait(1, |filled| came.push(filled.first));
        assert_eq!(came, [1]);
        flights.in_order(130, filled(3));
        flights.wait(1, |filled| came.push(filled.first));
        assert_eq!(came, [1, 2]);
        assert_eq!(flights.wait(0, |filled| came.push(filled.first)), 500);
        assert_eq!(came, [1, 2, 3]);
    }

    #[test]
    fn code_that_waits_for_nothing_takes_no_memory_for_each_load() {
        let filled = |number: u64| Filled { first: (number % 7) as u16, count: 1, ticket: number as u32, half: None };
        for overtakes in [false, true] {
            let mut flights = Flights::default();
            for number in 0..100_000 {
                flights.in_order(1000 + number, filled(number));
                if overtakes {
                    flights.out_of_order(900 + 3 * number);
                }
            }
            assert!(flights.len() < LOOK);
            let mut came = HashSet::new();
            let until = flights.wait(5, |filled| assert!(came.insert(filled.ticket)));
            // The sixth from the end: one in order ends with the one before it that overtakes.
            assert_eq!(until, if overtakes { 900 + 3 * 99_996 } else { 1000 + 99_994 });
            flights.wait(0, |filled| assert!(came.insert(filled.ticket)));
            assert!((99_993..100_000).all(|newest| came.contains(&newest)), "{came:?}");
            assert_eq!(flights.len(), 0);
        }
    }
}
