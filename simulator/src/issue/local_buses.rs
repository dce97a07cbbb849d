//! The buses between SIMDs and LDS, and the arrays of banks behind them: when they are free.
//!
//! A work-group processor has the LDS of its compute units, 32 banks "affiliated with a pair of SIMD32's" each (AMD RDNA ISA manuals, "LDS").
//! Data of a work-group may lie in either; the manuals say that waves reach near and far data equally and that it "may be lower" in performance,
//! not by how much. Estimate: a SIMD uses the array of its own compute unit.
//!
//! Facts §3.2: the four SIMDs are attached in two pairs, each with a bus of its own; the array serves both. Which SIMDs
//! make a pair is in no source; neighbours are taken, and since a SIMD's number means nothing else, nothing depends on it.

use crate::cost::issue_model::{IssueModel, MOST_SIMDS, MOST_UNITS};
use crate::cost::unit::{Availability, Reservation};

/// The buses of a compute unit's LDS and its array, or those of the compute units of a work-group processor.
#[derive(Debug)]
pub(crate) struct LocalBuses {
    buses: [Availability; MOST_SIMDS],
    arrays: [Availability; MOST_UNITS],
    simds_per_bus: usize,
    simds_per_array: usize,
}

impl LocalBuses {
    /// Free ones; `pairs` buses in each compute unit.
    pub(crate) fn new(pairs: u32, issue: IssueModel) -> Self {
        let simds = issue.simds_of_unit();
        let simds_per_bus = (simds / pairs.clamp(1, simds)) as usize;
        Self { buses: Default::default(), arrays: Default::default(), simds_per_bus, simds_per_array: simds as usize }
    }

    /// An instruction of a SIMD holds its bus and the array from `cycle` on.
    pub(crate) fn occupy(&mut self, simd: usize, cycle: u64, bus: Reservation, array: Reservation) {
        self.buses[simd / self.simds_per_bus].occupy(cycle, bus);
        self.arrays[simd / self.simds_per_array].occupy(cycle, array);
    }

    /// First cycle at which a SIMD's next instruction can be sent.
    pub(crate) fn free(&self, simd: usize) -> u64 {
        self.buses[simd / self.simds_per_bus].free.max(self.arrays[simd / self.simds_per_array].free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::Gpu;

    #[test]
    fn pairs_share_a_bus_and_all_share_the_array() {
        let of =
            |compute_units| IssueModel { simds: 4, compute_units, ..IssueModel::of(&Gpu::named("tahiti").unwrap()) };
        let mut lds = LocalBuses::new(2, of(1));
        lds.occupy(0, 100, Reservation::of_cycles(8.0), Reservation::of_cycles(2.0));
        assert_eq!([0, 1, 2, 3].map(|simd| lds.free(simd)), [108, 108, 102, 102]);
        lds.occupy(3, 102, Reservation::of_cycles(4.0), Reservation::of_cycles(64.0));
        assert_eq!([0, 1, 2, 3].map(|simd| lds.free(simd)), [166; 4]);
        let mut four = LocalBuses::new(4, of(1));
        four.occupy(0, 100, Reservation::of_cycles(8.0), Reservation::of_cycles(2.0));
        assert_eq!([0, 1, 2, 3].map(|simd| four.free(simd)), [108, 102, 102, 102]);
        let mut both = LocalBuses::new(1, of(2));
        both.occupy(0, 100, Reservation::of_cycles(1.0), Reservation::of_cycles(4.0));
        assert_eq!([0, 1, 2, 3].map(|simd| both.free(simd)), [104, 104, 0, 0], "each compute unit has its own");
    }
}
