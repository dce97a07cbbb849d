//! Why a wave does not go on.

use gcn_simulator::Activity;
use serde::Serialize;

/// Why a wave does not go on. The names are those of AMD's program counter sampling on GCN 1.4 and later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Stall {
    /// The instruction has not been fetched: a line of the cache that is missing, or the charge of a place in a block.
    NoInstructionAvailable,
    /// A result that the instruction reads is not there yet.
    AluDependency,
    /// Another wave has the unit, or the port to it.
    ArbiterNotWin,
    /// S_WAITCNT waits for memory or LDS.
    Waitcnt,
    /// Other waves have not come to the barrier.
    BarrierWait,
    /// S_SLEEP.
    SleepWait,
}

impl Stall {
    /// All of them, in their order.
    pub const ALL: [Self; 6] = [
        Self::NoInstructionAvailable,
        Self::AluDependency,
        Self::ArbiterNotWin,
        Self::Waitcnt,
        Self::BarrierWait,
        Self::SleepWait,
    ];

    /// The stall of an activity; `None` for issuing.
    pub(crate) fn of(activity: Activity) -> Option<Self> {
        Some(match activity {
            Activity::Issue => return None,
            Activity::Alignment | Activity::Fetch => Self::NoInstructionAvailable,
            Activity::Dependency => Self::AluDependency,
            Activity::Arbitration => Self::ArbiterNotWin,
            Activity::Wait => Self::Waitcnt,
            Activity::Barrier => Self::BarrierWait,
            Activity::Sleep => Self::SleepWait,
        })
    }

    /// AMD's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoInstructionAvailable => "NO_INSTRUCTION_AVAILABLE",
            Self::AluDependency => "ALU_DEPENDENCY",
            Self::ArbiterNotWin => "ARBITER_NOT_WIN",
            Self::Waitcnt => "WAITCNT",
            Self::BarrierWait => "BARRIER_WAIT",
            Self::SleepWait => "SLEEP_WAIT",
        }
    }
}
