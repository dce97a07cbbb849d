//! A SIMD that runs ahead of the others.
//!
//! A step that wants no unit but the vector unit of its own SIMD, fetches nothing and computes nothing that is observed meets no
//! other SIMD. So the SIMD goes on with such steps at once, and the cycles are those of issuing in the order of time: another
//! unit that one of its waves wants only becomes free later than the SIMD knows, which never puts that wave in front.

use crate::issue::compute_unit::{ComputeUnit, demand};
use crate::lower::shared::Shared;

impl ComputeUnit {
    /// Issues the private steps of a SIMD, none after `until`, up to the first that another SIMD could notice.
    pub(crate) fn run_ahead(&mut self, simd: usize, until: u64, shared: &Shared<'_>) {
        let program = shared.program;
        let shared_free = &self.shared_free[simd];
        let simd = &mut self.simds[simd];
        while let Some((index, mut cycle)) = simd.candidate(until) {
            let wave = &mut self.waves[index as usize];
            let Some(mut step) = program.steps.get(wave.next as usize).filter(|step| step.is_private) else { return };
            let is_alone = simd.is_alone();
            simd.pop();
            // A wave that has the SIMD for itself need not stand in line.
            let following = loop {
                simd.occupy(step.unit, cycle, step.hold);
                self.instructions += 1;
                let is_hidden = wave.trace.hides_next && step.hidden_dword;
                let cost = u64::from(step.private_cycles - if is_hidden { step.penalty } else { 0 });
                wave.trace = step.trace;
                wave.ready = cycle + cost;
                if step.delays_scalar {
                    wave.scalar_ready = wave.ready + u64::from(shared.configuration.vector_to_scalar_delay_cycles);
                }
                wave.next += 1;
                let following = program.steps.get(wave.next as usize);
                match following.filter(|following| is_alone && following.is_private) {
                    Some(private) => {
                        cycle = wave.ready.max(simd.port(private.unit));
                        if cycle > until {
                            break following;
                        }
                        step = private;
                    }
                    None => break following,
                }
            };
            let (ready, unit) = demand(wave, following, &program.tables);
            simd.enter(index, ready, unit, shared_free);
        }
    }
}
