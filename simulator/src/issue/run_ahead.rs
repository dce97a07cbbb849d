//! A SIMD that runs ahead of the others.
//!
//! A step that wants no unit but the vector unit of its own SIMD, fetches nothing and computes nothing that is observed meets no
//! other SIMD. So the SIMD issues such steps at once, and the cycles are those of issuing in the order of time. Two things could
//! tell the difference. Where waves want a shared unit, it counts the SIMD's knowledge when it looked: no SIMD runs ahead while a wave
//! of its own wants one, nor up to a step after which it does. And a wave at a barrier comes back when the last wave of its group
//! gets there, on whichever SIMD: one that has such a wave goes no further than the others.

use crate::issue::compute_unit::ComputeUnit;
use crate::issue::demand::demand;
use crate::issue::simd::Entering;
use crate::lower::micro_op::MicroOp;
use crate::lower::program::Program;
use crate::lower::shared::Shared;

impl ComputeUnit {
    /// Issues the private steps of a SIMD, none after `until`, up to the first that another SIMD could notice.
    pub(crate) fn run_ahead(&mut self, simd: usize, until: u64, shared: &Shared<'_>) {
        if !self.simds[simd].wants_its_own() {
            return;
        }
        let until = if self.simds[simd].at_barrier == 0 { until } else { until.min(self.before_others(simd)) };
        let program = shared.program;
        let shared_free = &self.shared_free[simd];
        let simd = &mut self.simds[simd];
        while let Some((index, mut cycle)) = simd.candidate(until) {
            let wave = &mut self.waves[index as usize];
            let Some((mut step, mut held)) = private(program, wave.next) else { return };
            let is_alone = simd.is_alone();
            simd.pop();
            // A wave that has the SIMD for itself need not wait its turn.
            loop {
                simd.occupy(step.unit, cycle, step.hold);
                self.instructions[step.unit as usize] += 1;
                let is_hidden = wave.trace.hides_next && step.hidden_dword;
                let cost = u64::from(held - if is_hidden { step.penalty } else { 0 });
                wave.trace = step.trace;
                wave.ready = cycle + cost;
                if step.delays_scalar {
                    wave.scalar_ready = wave.ready + u64::from(shared.configuration.vector_to_scalar_delay_cycles);
                }
                wave.next += 1;
                let Some((next, its_held)) = private(program, wave.next).filter(|_| is_alone) else { break };
                cycle = wave.ready.max(simd.port(next.unit));
                if cycle > until {
                    break;
                }
                (step, held) = (next, its_held);
            }
            let following = program.steps.get(wave.next as usize);
            let (ready, unit) = demand(wave, following, &program.tables);
            simd.enter(Entering { wave: index, ready, priority: wave.priority }, unit, shared_free);
        }
    }

    /// The last cycle before another SIMD can issue.
    fn before_others(&self, simd: usize) -> u64 {
        let others = self.simds.iter().enumerate().filter(|(other, _)| *other != simd);
        others.map(|(_, other)| other.next()).min().unwrap_or(u64::MAX).saturating_sub(1)
    }
}

/// A step that only its own SIMD notices, and the cycles that it holds its wave.
fn private<'p>(program: &'p Program<'_>, step: u32) -> Option<(&'p MicroOp, u32)> {
    let step = program.steps.get(step as usize)?;
    Some((step, step.private_cycles?))
}
