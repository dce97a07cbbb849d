//! The buses between SIMDs and LDS, and then the arrays of banks: when they are free.
//!
//! A work-group processor has the LDS of its compute units, 32 banks "affiliated with a pair of SIMD32's" each (AMD RDNA ISA manuals, "LDS").
//! In WGP mode data of a work-group may lie in either, and waves reach near and far data equally; the manuals say that CU mode "can provide
//! higher LDS memory bandwidth", not by how much. `lds.wgp_arrays` of a GPU file says whether both arrays serve at once, each the SIMDs of its
//! compute unit, or the processor has the bandwidth of one.
//!
//! Facts §3.2: the four SIMDs are attached in two pairs, each with a bus of its own; the array serves both. Which SIMDs
//! make a pair is in no source; neighbours are taken, and since a SIMD's number means nothing else, nothing depends on it.

use crate::cost::configuration::Configuration;
use crate::cost::issue_model::{MOST_SIMDS, MOST_UNITS};
use crate::cost::unit::{Availability, Reservation};
use crate::issue::waiting::Waiting;

/// The buses of a compute unit's LDS and its array, or those of the compute units of a work-group processor.
#[derive(Debug)]
pub(crate) struct LocalBuses {
    buses: [Availability; MOST_SIMDS],
    arrays: [Availability; MOST_UNITS],
    simds_per_bus: usize,
    simds_per_array: usize,
    /// Those that wait for their bus.
    waiting: Waiting,
}

impl LocalBuses {
    /// Free ones.
    pub(crate) fn new(configuration: &Configuration) -> Self {
        Self {
            buses: Default::default(),
            arrays: Default::default(),
            simds_per_bus: configuration.simds_per_lds_bus() as usize,
            simds_per_array: configuration.simds_per_lds_array() as usize,
            waiting: Waiting::new(configuration.lds_queue),
        }
    }

    /// An instruction of a SIMD that is issued at `cycle` holds its bus and the array once they are free: when the array serves it.
    ///
    /// Where several buses lead to the array, one sends while the array serves another. Else the array would idle whenever the next
    /// instruction in order has to wait for its bus.
    pub(crate) fn occupy(&mut self, simd: usize, cycle: u64, bus: Reservation, array: Reservation) -> u64 {
        let (of_bus, of_array) = (simd / self.simds_per_bus, simd / self.simds_per_array);
        let waits = |free: u64| if self.waiting.places > 0 { cycle.max(free) } else { cycle };
        let sent = waits(self.buses[of_bus].free);
        let start = sent.max(waits(self.arrays[of_array].free));
        let is_sent_ahead = self.waiting.places > 0 && self.simds_per_bus < self.simds_per_array;
        self.buses[of_bus].occupy(if is_sent_ahead { sent } else { start }, bus);
        self.arrays[of_array].occupy(start, array);
        self.waiting.enter(simd, start);
        start
    }

    /// First cycle at which a SIMD's next instruction can be sent.
    pub(crate) fn free(&self, simd: usize) -> u64 {
        if self.waiting.places == 0 { self.idle(simd) } else { self.waiting.free(simd) }
    }

    fn idle(&self, simd: usize) -> u64 {
        self.buses[simd / self.simds_per_bus].free.max(self.arrays[simd / self.simds_per_array].free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::Gpu;
    use gcn_model::isa::GroupMode;

    #[test]
    fn pairs_share_a_bus_and_all_share_the_array() {
        let of = |pairs| {
            let mut gpu = Gpu::named("tahiti").unwrap();
            gpu.lds.pairs = pairs;
            Configuration::of(&gpu)
        };
        let mut lds = LocalBuses::new(&of(2));
        lds.occupy(0, 100, Reservation::of_cycles(8.0), Reservation::of_cycles(2.0));
        assert_eq!([0, 1, 2, 3].map(|simd| lds.free(simd)), [108, 108, 102, 102]);
        lds.occupy(3, 102, Reservation::of_cycles(4.0), Reservation::of_cycles(64.0));
        assert_eq!([0, 1, 2, 3].map(|simd| lds.free(simd)), [166; 4]);
        let mut four = LocalBuses::new(&of(4));
        four.occupy(0, 100, Reservation::of_cycles(8.0), Reservation::of_cycles(2.0));
        assert_eq!([0, 1, 2, 3].map(|simd| four.free(simd)), [108, 102, 102, 102]);
    }

    #[test]
    fn a_work_group_processor_has_one_array_or_two() {
        let free = |wgp_arrays| {
            let mut gpu = Gpu::named("rx7800xt").unwrap();
            (gpu.lds.queue, gpu.lds.wgp_arrays) = (0, wgp_arrays);
            let mut lds = LocalBuses::new(&Configuration::of(&gpu).for_groups_in(GroupMode::Processor));
            lds.occupy(0, 100, Reservation::of_cycles(6.0), Reservation::of_cycles(4.0));
            [0, 1, 2, 3].map(|simd| lds.free(simd))
        };
        assert_eq!(free(2), [106, 106, 0, 0], "each compute unit has its own");
        assert_eq!(free(1), [106, 106, 104, 104], "each has a bus of its own, and both one array");
    }

    #[test]
    fn instructions_wait_in_a_queue_for_their_bus() {
        let mut gpu = Gpu::named("rx6800").unwrap();
        gpu.lds.queue = 2;
        let mut lds = LocalBuses::new(&Configuration::of(&gpu));
        let mut occupy = |cycle| {
            let start = lds.occupy(0, cycle, Reservation::of_cycles(4.0), Reservation::of_cycles(1.0));
            (start, lds.free(0))
        };
        assert_eq!([100, 101, 102].map(&mut occupy), [(100, 0), (104, 101), (108, 105)]);
    }
}
