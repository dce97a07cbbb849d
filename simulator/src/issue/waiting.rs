//! Instructions of each SIMD that wait for a unit, while their waves go on.

use crate::cost::issue_model::MOST_SIMDS;

/// Waiting instructions of a SIMD: the maximum of a GPU file.
const MOST_WAITING: usize = 16;

/// When those that came last begin, in order.
#[derive(Debug)]
pub(super) struct Waiting {
    /// How many of a SIMD can wait; 0: none.
    pub(super) places: usize,
    /// Of each SIMD: a ring.
    starts: [[u64; MOST_WAITING]; MOST_SIMDS],
    entered: [usize; MOST_SIMDS],
}

impl Waiting {
    /// None waits.
    pub(super) fn new(places: u32) -> Self {
        Self { places: places as usize, starts: [[0; MOST_WAITING]; MOST_SIMDS], entered: [0; MOST_SIMDS] }
    }

    /// An instruction of a SIMD that begins at `start`.
    pub(super) fn enter(&mut self, simd: usize, start: u64) {
        self.starts[simd][self.entered[simd] % MOST_WAITING] = start;
        self.entered[simd] += 1;
    }

    /// First cycle at which a SIMD has a place for one more.
    pub(super) fn free(&self, simd: usize) -> u64 {
        let leaving = self.entered[simd].checked_sub(self.places);
        leaving.map_or(0, |leaving| self.starts[simd][leaving % MOST_WAITING] + 1)
    }
}
