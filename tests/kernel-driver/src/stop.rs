//! Why the GPU stops: a kernel's fault, or a requested one.

use gcn_simulated_card::{APERTURE_VIOLATION, ILLEGAL_INSTRUCTION, INVALID_CODE, Kind};
use gcn_simulator::{Problem, SimulationError};

use crate::memory_map::NoAccess;

/// The address of a memory fault that was asked for: nothing of a process is ever there.
const ASKED_ADDRESS: u64 = 0xdead_0000;

/// Cycles after which a dispatch is taken to be endless: seconds of a card, and minutes of the host.
pub(crate) const CYCLE_LIMIT: u64 = 1 << 32;

/// Why a queue or a ring stops.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Stop {
    /// An access to an address where nothing is.
    #[error("memory fault at {address:#x}: {reason}")]
    Memory {
        address: u64,
        /// What happened.
        reason: String,
    },
    /// An error that the queue's signal tells.
    #[error("queue error {code:#x}: {reason}")]
    Queue {
        /// The value stored in the signal.
        code: u32,
        /// What happened.
        reason: String,
    },
    /// A dispatch that does not end.
    #[error("the dispatch does not end: {reason}")]
    Endless { reason: String },
    /// The device is gone.
    #[error("the device is gone: {reason}")]
    Gone { reason: String },
}

impl From<NoAccess> for Stop {
    fn from(error: NoAccess) -> Self {
        let reason = format!("the packet processor: {error}");
        match error {
            NoAccess::Unmapped { address } => Self::Memory { address, reason },
            NoAccess::Unknown { .. } => Self::limit(&reason),
        }
    }
}

impl Stop {
    /// The same, with where it was met.
    pub(crate) fn at(mut self, place: &str) -> Self {
        let (Self::Memory { reason, .. }
        | Self::Queue { reason, .. }
        | Self::Endless { reason }
        | Self::Gone { reason }) = &mut self;
        *reason = format!("{place}: {reason}");
        self
    }

    /// What a card can and the simulator cannot do ends the queue as an illegal instruction does: continuing would give a wrong result.
    fn limit(reason: &str) -> Self {
        Self::Queue { code: ILLEGAL_INSTRUCTION, reason: format!("a limit of the simulator: {reason}") }
    }

    /// A card's report of the simulator's fault.
    pub(crate) fn of(error: &SimulationError, label: &str) -> Self {
        let reason = format!("{label}: {error}");
        match error {
            SimulationError::Execution { problem: Problem::MemoryFault { address, .. }, .. } => {
                Self::Memory { address: *address, reason }
            }
            SimulationError::Execution { problem: Problem::Misaligned { .. }, .. } => {
                Self::Queue { code: APERTURE_VIOLATION, reason }
            }
            SimulationError::Execution { problem: Problem::NotAnInstruction(_), .. } => {
                Self::Queue { code: ILLEGAL_INSTRUCTION, reason }
            }
            SimulationError::Execution { .. } => Self::limit(&reason),
            SimulationError::CycleLimit { .. } | SimulationError::Deadlock { .. } => Self::Endless { reason },
            _ => Self::Queue { code: INVALID_CODE, reason },
        }
    }

    /// The user's request.
    pub(crate) fn asked(kind: Kind, label: &str) -> Self {
        const VARIABLE: &str = "GCN_TIMINGS_FAULT asks for it";
        match kind {
            Kind::Memory => Self::Memory { address: ASKED_ADDRESS, reason: format!("{label}: {VARIABLE}") },
            Kind::Queue(code) => Self::Queue { code, reason: format!("{label}: {VARIABLE}") },
            Kind::Hang => Self::Endless { reason: format!("{label}: {VARIABLE}") },
            Kind::Gone | Kind::Lost | Kind::OutOfMemory | Kind::Refused | Kind::Absent => {
                Self::Gone { reason: format!("{label}: {VARIABLE}") }
            }
        }
    }
}
