//! A dispatch: a kernel on the reference model.

use crate::device::Device;
use crate::fault::{INVALID_CODE, INVALID_DIMENSIONS, INVALID_LDS, Kind};
use crate::memory_map::Unmapped;
use crate::packet::Dispatch;
use crate::signal::Times;
use crate::symbol::kernel_name;

/// The address of a memory fault that was asked for: nothing of a process is ever there.
const ASKED_ADDRESS: u64 = 0xdead_0000;

/// Why a queue stops.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Stop {
    /// An access to an address where nothing is.
    #[error("memory fault at {address:#x}: {reason}")]
    Memory {
        /// The address.
        address: u64,
        /// What happened.
        reason: String,
    },
    /// An error that the queue's signal tells.
    #[error("queue error {code:#x}: {reason}")]
    Queue {
        /// What is stored in the signal.
        code: u32,
        /// What happened.
        reason: String,
    },
    /// A dispatch that does not end.
    #[error("the dispatch does not end: {reason}")]
    Endless {
        /// Why.
        reason: String,
    },
    /// The device is gone.
    #[error("the device is gone: {reason}")]
    Gone {
        /// Why.
        reason: String,
    },
}

impl From<Unmapped> for Stop {
    fn from(Unmapped { address }: Unmapped) -> Self {
        Self::Memory { address, reason: "the packet processor has nothing mapped there".into() }
    }
}

/// Executes a dispatch; the GPU's clock at its begin and end.
///
/// # Errors
/// [`Stop`]: the queue stops.
pub(crate) fn execute(device: &Device, dispatch: &Dispatch) -> Result<Times, Stop> {
    let name = kernel_name(&device.memory, dispatch.kernel);
    let label = name.clone().unwrap_or_else(|| format!("the kernel at {:#x}", dispatch.kernel));
    if let Some(kind) = device.faults.dispatch(name.as_deref()) {
        return Err(asked(kind, &label));
    }
    let is_empty = dispatch.dimensions == 0 || dispatch.group.contains(&0) || dispatch.grid.contains(&0);
    if is_empty {
        return Err(Stop::Queue { code: INVALID_DIMENSIONS, reason: format!("{label}: a grid without work-items") });
    }
    let most = device.card.gpu.lds.max_group.0;
    if dispatch.lds_bytes > most {
        let reason = format!("{label}: {} bytes of LDS, and a work-group has at most {most}", dispatch.lds_bytes);
        return Err(Stop::Queue { code: INVALID_LDS, reason });
    }
    Err(Stop::Queue { code: INVALID_CODE, reason: format!("{label}: the driver does not execute kernels yet") })
}

/// What the user asked for.
fn asked(kind: Kind, label: &str) -> Stop {
    const VARIABLE: &str = "GCN_TIMINGS_FAULT asks for it";
    match kind {
        Kind::Memory => Stop::Memory { address: ASKED_ADDRESS, reason: format!("{label}: {VARIABLE}") },
        Kind::Queue(code) => Stop::Queue { code, reason: format!("{label}: {VARIABLE}") },
        Kind::Hang => Stop::Endless { reason: format!("{label}: {VARIABLE}") },
        Kind::Gone | Kind::OutOfMemory | Kind::Absent => Stop::Gone { reason: format!("{label}: {VARIABLE}") },
    }
}
