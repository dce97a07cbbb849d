//! Where a wave goes after an instruction.

use crate::cost::noise::Disturbance;
use crate::lower::operation::Condition;

/// Where a wave goes after an instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Outcome {
    Next,
    /// To the next instruction, not before this cycle.
    Until(u64),
    /// To the next instruction, when what disturbs the wave is over.
    Disturbed(Disturbance),
    /// To the next instruction; bank conflicts hold the LDS for this many cycles more.
    Local {
        conflict_cycles: u32,
    },
    NotTaken(Condition),
    Jump {
        target: u32,
        condition: Option<Condition>,
    },
    /// To an instruction that is not decoded yet.
    Away {
        address: u64,
        condition: Option<Condition>,
    },
    /// Behind the code that is decoded.
    Leave,
    /// At the barrier, where it waits until all waves of the group have come.
    Barrier,
    /// To the next instruction; the wave has reached the barrier, and does not wait there yet.
    Signal,
    /// It waits at the barrier, where it has come before.
    AwaitBarrier,
    End,
}
