//! The buses between SIMDs and LDS, and the array of banks behind them: when they are free.
//!
//! Facts §3.2: the four SIMDs are attached in two pairs, each with a bus of its own; the array serves both. Which SIMDs
//! make a pair is in no source; neighbours are taken, and since a SIMD's number means nothing else, nothing depends on it.

use crate::cost::issue_model::MOST_SIMDS;
use crate::cost::unit::{Availability, Reservation};

/// The buses of a compute unit's LDS, and its array.
#[derive(Debug)]
pub(crate) struct LocalBuses {
    buses: [Availability; MOST_SIMDS],
    array: Availability,
    simds_per_bus: usize,
}

impl LocalBuses {
    /// Free ones; `pairs` buses.
    pub(crate) fn new(pairs: u32, simds: u32) -> Self {
        let simds_per_bus = (simds / pairs.clamp(1, simds)) as usize;
        Self { buses: Default::default(), array: Availability::default(), simds_per_bus }
    }

    /// An instruction of a SIMD holds its bus and the array from `cycle` on.
    pub(crate) fn occupy(&mut self, simd: usize, cycle: u64, bus: Reservation, array: Reservation) {
        self.buses[simd / self.simds_per_bus].occupy(cycle, bus);
        self.array.occupy(cycle, array);
    }

    /// First cycle at which a SIMD's next instruction can be sent.
    pub(crate) fn free(&self, simd: usize) -> u64 {
        self.buses[simd / self.simds_per_bus].free.max(self.array.free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_share_a_bus_and_all_share_the_array() {
        let mut lds = LocalBuses::new(2, 4);
        lds.occupy(0, 100, Reservation::of_cycles(8.0), Reservation::of_cycles(2.0));
        assert_eq!([0, 1, 2, 3].map(|simd| lds.free(simd)), [108, 108, 102, 102]);
        lds.occupy(3, 102, Reservation::of_cycles(4.0), Reservation::of_cycles(64.0));
        assert_eq!([0, 1, 2, 3].map(|simd| lds.free(simd)), [166; 4]);
        let mut four = LocalBuses::new(4, 4);
        four.occupy(0, 100, Reservation::of_cycles(8.0), Reservation::of_cycles(2.0));
        assert_eq!([0, 1, 2, 3].map(|simd| four.free(simd)), [108, 102, 102, 102]);
    }
}
