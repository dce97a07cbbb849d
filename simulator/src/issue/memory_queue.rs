//! Loads from vector memory that wait for their unit, while their waves go on.
//!
//! Thread traces of gfx950 show loads of a wave that issue 4 cycles apart, and 8 or 12 where waves of other SIMDs load, too
//! (`docs/silicon.md`): the unit accepts one in that time, whatever its data take.

use crate::cost::issue_model::MOST_UNITS;
use crate::cost::unit::{Availability, Reservation};
use crate::issue::waiting::Waiting;

/// The loads of a compute unit, or of those of a work-group processor.
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

    /// A load that a SIMD of a compute unit issues at `cycle` and that takes its unit for `hold`: when it begins.
    pub(super) fn enter(&mut self, (simd, unit): (usize, usize), cycle: u64, hold: Reservation) -> u64 {
        let start = cycle.max(self.units[unit].free);
        self.units[unit].occupy(start, hold);
        self.waiting.enter(simd, start);
        start
    }

    /// First cycle at which a SIMD's next load has a place.
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
        assert_eq!(MemoryQueue::new(0).free(0), 0);
    }
}
