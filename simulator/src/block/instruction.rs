//! The facts about a block's instruction before it runs.

use super::path::Path;
use crate::cost::unit::Unit;
use crate::lower::micro_op::MicroOp;
use crate::lower::operation::{BlockStep, Flight, Operation};
use crate::lower::tables::Tables;

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

/// An instruction of a block, and its reservations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockInstruction {
    pub address: u64,
    /// Which unit executes it.
    pub unit: Unit,
    /// Shader cycles that it holds its unit; of an LDS instruction, the bus of its pair of SIMDs.
    pub hold_cycles: f64,
    /// Shader cycles that an LDS instruction holds the array of banks, which all SIMDs share.
    pub array_cycles: f64,
    /// What counts it until it returns; nothing, unless it is a memory instruction.
    pub counters: Counters,
    /// Bytes that it moves to or from memory for a wave with all lanes active; `None` where only a descriptor tells. FLAT counts, an atomic
    /// operation once.
    pub memory_bytes: Option<u32>,
    /// Whether the waves reach it.
    pub is_reached: bool,
    /// Whether it is a conditional jump inside of the block that they take.
    pub is_taken: bool,
}

impl BlockInstruction {
    /// The instruction of a step whose number in the block is given.
    pub(super) fn of(index: usize, step: &MicroOp, path: &Path, (tables, lanes): (&Tables, u32)) -> Self {
        Self {
            address: step.address,
            unit: step.unit,
            hold_cycles: step.hold.cycles(),
            array_cycles: step.array.cycles(),
            counters: match step.operation {
                Operation::Block(BlockStep::Flight(flight)) => Counters::of(flight),
                _ => Counters::default(),
            },
            memory_bytes: match step.operation {
                // A reading of the clock is under way like a load.
                Operation::Block(BlockStep::Flight(flight)) if flight != Flight::Clock => {
                    tables.accesses[step.access as usize].memory_bytes(lanes)
                }
                _ => Some(0),
            },
            is_reached: path.has(index),
            is_taken: path.takes(index),
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
