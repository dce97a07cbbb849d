//! Executing a step of a block.

use crate::cost::configuration::Configuration;
use crate::issue::outcome::Outcome;
use crate::lower::micro_op::MicroOp;
use crate::lower::operation::{BlockStep, Flight};
use crate::state::flight::Filled;
use crate::state::wave::Wave;

/// Executes such a step, issued at `cycle`.
pub(crate) fn execute(
    wave: &mut Wave,
    step: &MicroOp,
    block: BlockStep,
    cycle: u64,
    configuration: &Configuration,
) -> Outcome {
    let later = |cycles: u32| cycle + u64::from(cycles);
    match block {
        BlockStep::Untaken(condition) => return Outcome::NotTaken(condition),
        BlockStep::Taken(condition) => return Outcome::Jump { target: step.target, condition: Some(condition) },
        BlockStep::Again | BlockStep::Edge(_) => {
            let condition = match block {
                BlockStep::Edge(condition) => condition,
                _ => None,
            };
            let is_over = wave.iterations == 0;
            wave.iterations = wave.iterations.saturating_sub(1);
            return match condition {
                _ if !is_over => Outcome::Jump { target: step.target, condition },
                Some(condition) => Outcome::NotTaken(condition),
                None => Outcome::End,
            };
        }
        BlockStep::Flight(Flight::Vector) => {
            wave.vector_memory.in_order(later(configuration.vector_memory_latency_cycles), Filled::NONE);
        }
        BlockStep::Flight(Flight::Flat) => {
            let arrives = later(configuration.vector_memory_latency_cycles);
            wave.vector_memory.in_order(arrives, Filled::NONE);
            wave.local_counter(configuration).out_of_order(arrives);
        }
        BlockStep::Flight(Flight::Scalar) => {
            wave.scalar_memory.out_of_order(later(configuration.scalar_memory_latency_cycles));
        }
        BlockStep::Flight(Flight::Clock) => {
            wave.scalar_memory.out_of_order(later(configuration.memtime_round_trip_cycles));
        }
        BlockStep::Flight(Flight::Local) => {
            let counter = wave.local_counter(configuration);
            counter.in_order(later(step.lds_latency_cycles), Filled::NONE);
            return Outcome::Local { conflict_cycles: 0 };
        }
    }
    Outcome::Next
}
