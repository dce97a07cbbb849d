//! The units that an instruction takes, and how long.

use crate::cost::unit::{Reservation, Unit};
use crate::issue::compute_unit::ComputeUnit;
use crate::lower::micro_op::MicroOp;

impl ComputeUnit {
    /// Takes the units of an instruction that a SIMD issues at `cycle`, but for those of the LDS: when it begins.
    #[inline]
    pub(super) fn occupy(&mut self, simd: usize, cycle: u64, step: &MicroOp) -> u64 {
        match step.unit {
            Unit::Matrix => self.simds[simd].occupy_matrix(cycle, step.hold, step.array),
            Unit::Transcendental => self.simds[simd].occupy_transcendental(cycle, step.hold, step.array),
            unit => self.simds[simd].occupy(unit, cycle, step.hold),
        }
        if step.unit.is_of_simd() || step.unit == Unit::LocalDataShare {
            return cycle;
        }
        let own = self.issue.place(simd as u32).0 as usize;
        let (begins, accepted, hold) = if step.is_queued {
            let accepts = Reservation::of_cycles(f64::from(self.issue.interval));
            (self.memory_queue.enter((simd, own), cycle, step.hold), cycle, accepts)
        } else if step.unit == Unit::VectorMemory {
            let begins = self.memory_queue.pass(own, cycle, step.hold);
            (begins, begins, step.hold)
        } else {
            (cycle, cycle, step.hold)
        };
        let unit = &mut self.shared_units[own][step.unit as usize];
        unit.occupy(accepted, hold);
        let free = unit.free;
        let simds = self.issue.simds_of_unit() as usize;
        for (simd, of_simd) in self.shared_free.iter_mut().enumerate().skip(own * simds).take(simds) {
            let has_place = if step.unit == Unit::VectorMemory { self.memory_queue.free(simd) } else { 0 };
            of_simd[step.unit as usize] = free.max(has_place);
        }
        begins
    }
}
