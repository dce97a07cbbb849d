//! Vector memory instructions that wait for their unit, while their waves continue.
//!
//! Thread traces show it (`docs/silicon.md`). On gfx950 loads of a wave issue 4 cycles apart, and 8 or 12 where waves of other SIMDs load, too:
//! the unit accepts one in that time, whatever its data take. On RDNA 3.5 and 4 one is accepted a cycle, and its registers are read one after
//! the other.

use crate::cost::issue_model::MOST_UNITS;
use crate::cost::unit::{Availability, Reservation};
use crate::issue::waiting::Waiting;

/// The instructions of a compute unit, or of those of a work-group processor.
#[derive(Debug)]
pub(super) struct MemoryQueue {
    units: [Availability; MOST_UNITS],
    waiting: Waiting,
}

impl MemoryQueue {
    /// An empty one, with this many places for each SIMD.
    pub(super) fn new(places: u32) -> Self {
        Self { units: Default::default(), waiting: Waiting::new(places) }
    }

    /// An instruction that a SIMD of a compute unit issues at `cycle` and that takes its unit for `hold`: when it begins.
    pub(super) fn enter(&mut self, (simd, unit): (usize, usize), cycle: u64, hold: Reservation) -> u64 {
        let start = cycle.max(self.units[unit].free);
        self.units[unit].occupy(start, hold);
        self.waiting.enter(simd, start);
        start
    }

    /// An instruction that does not wait in the queue, issued at `cycle`: when it begins, which keeps the unit from all others until it is done.
    pub(super) fn pass(&mut self, unit: usize, cycle: u64, hold: Reservation) -> u64 {
        let start = cycle.max(self.units[unit].free);
        self.units[unit].occupy(start, hold);
        start
    }

    /// First cycle at which a SIMD's next one has a place.
    pub(super) fn free(&self, simd: usize) -> u64 {
        if self.waiting.places == 0 { 0 } else { self.waiting.free(simd) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_begin_one_after_the_other_and_each_simd_has_its_places() {
        let mut queue = MemoryQueue::new(2);
        let mut enter = |simd, cycle| {
            let start = queue.enter((simd, 0), cycle, Reservation::of_cycles(16.0));
            (start, queue.free(simd))
        };
        assert_eq!(
            [enter(0, 100), enter(0, 104), enter(1, 108), enter(0, 117)],
            [(100, 0), (116, 101), (132, 0), (148, 117)]
        );
        assert_eq!(queue.pass(0, 120, Reservation::of_cycles(16.0)), 164, "after those that wait");
        assert_eq!(MemoryQueue::new(0).free(0), 0);
    }
}
