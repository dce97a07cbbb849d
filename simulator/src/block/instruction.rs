//! What is known of an instruction of a block before it runs.

use crate::cost::unit::Unit;
use crate::lower::operation::{BlockStep, Flight, Operation};
use crate::lower::step::Step;

/// By which counters of S_WAITCNT a memory instruction is under way until it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// vmcnt, whose instructions return in their order.
    pub vector_memory: bool,
    /// lgkmcnt.
    pub scalar_and_local_memory: bool,
    /// It may return before others that lgkmcnt counts: only a wait until all are there says that it is.
    pub overtakes: bool,
}

/// An instruction of a block, and what it holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockInstruction {
    /// Its address.
    pub address: u64,
    /// Which unit executes it.
    pub unit: Unit,
    /// Shader cycles that it holds its unit; of an LDS instruction, the bus of its pair of SIMDs.
    pub hold_cycles: f64,
    /// Shader cycles that an LDS instruction holds the array of banks, which all SIMDs share.
    pub array_cycles: f64,
    /// What counts it until it returns; nothing, unless it is a memory instruction.
    pub counters: Counters,
}

impl BlockInstruction {
    /// Of a step that is the block's already.
    pub(super) fn of(step: &Step) -> Self {
        Self {
            address: step.address,
            unit: step.unit,
            hold_cycles: step.hold.cycles(),
            array_cycles: step.array.cycles(),
            counters: match step.operation {
                Operation::Block(BlockStep::Flight(flight)) => Counters::of(flight),
                _ => Counters::default(),
            },
        }
    }
}

impl Counters {
    fn of(flight: Flight) -> Self {
        Self {
            vector_memory: matches!(flight, Flight::Vector | Flight::Flat),
            scalar_and_local_memory: flight != Flight::Vector,
            overtakes: matches!(flight, Flight::Flat | Flight::Scalar | Flight::Clock),
        }
    }
}
