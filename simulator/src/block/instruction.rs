//! What is known of an instruction of a block before it runs.

use crate::cost::unit::Unit;
use crate::lower::step::Step;

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
}

impl BlockInstruction {
    pub(super) fn of(step: &Step) -> Self {
        Self {
            address: step.address,
            unit: step.unit,
            hold_cycles: step.hold.cycles(),
            array_cycles: step.array.cycles(),
        }
    }
}
