//! A dispatch: a kernel on the reference model.

use std::sync::Arc;

use gcn_model::machine::{self, Apertures, Backing, MachineError, Memory, Problem};

use crate::device::Device;
use crate::fault::{APERTURE_VIOLATION, ILLEGAL_INSTRUCTION, INVALID_CODE, INVALID_DIMENSIONS, INVALID_LDS, Kind};
use crate::memory_map::Unmapped;
use crate::packet::Dispatch;
use crate::signal::Times;
use crate::symbol::kernel_name;

/// The address of a memory fault that was asked for: nothing of a process is ever there.
const ASKED_ADDRESS: u64 = 0xdead_0000;

/// Cycles after which a dispatch is taken to be endless: seconds of a card, and minutes of the host.
const CYCLE_LIMIT: u64 = 1 << 32;

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

/// Where a dispatch comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin {
    /// Address of the packet.
    pub(crate) packet: u64,
    /// Address of the `amd_queue_t`.
    pub(crate) queue: u64,
    /// Number of the packet in its queue.
    pub(crate) index: u64,
}

/// Executes a dispatch; the GPU's clock at its begin and end. It ends as many cycles of the simulated card later as the kernel
/// takes there, whatever time the host needed to find out.
///
/// # Errors
/// [`Stop`]: the queue stops.
pub(crate) fn execute(device: &Device, dispatch: &Dispatch, origin: Origin) -> Result<Times, Stop> {
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
    let model = machine::Dispatch {
        descriptor_address: dispatch.kernel,
        kernarg_address: dispatch.arguments,
        dispatch_packet_address: origin.packet,
        queue_address: origin.queue,
        dispatch_id: origin.index,
        grid: dispatch.grid,
        group: dispatch.group.map(u32::from),
        private_segment_bytes: dispatch.private_bytes,
        group_segment_bytes: dispatch.lds_bytes,
        // ROCr's allocation has the size of other cards' wave slots; the machine's own has the same lifetime.
        scratch: None,
        apertures: Apertures::of(device.card.gpu.generation),
        ordinal: device.next_launch(),
        cycle_limit: CYCLE_LIMIT,
    };
    let start = device.clock.gpu();
    let mut memory = Memory::backed_by(Arc::clone(&device.memory) as Arc<dyn Backing>);
    let done = machine::dispatch(&device.configuration, &model, &mut memory);
    let statistics = done.map_err(|error| stop(&error, &label))?;
    Ok(Times { start, end: start + device.card.realtime_ticks(statistics.cycles) })
}

/// How a card tells what the machine met.
fn stop(error: &MachineError, label: &str) -> Stop {
    let reason = format!("{label}: {error}");
    match error {
        MachineError::Execution { problem: Problem::MemoryFault { address, .. }, .. } => {
            Stop::Memory { address: *address, reason }
        }
        MachineError::Execution { problem: Problem::Misaligned { .. }, .. } => {
            Stop::Queue { code: APERTURE_VIOLATION, reason }
        }
        MachineError::Execution { problem: Problem::NotAnInstruction(_), .. } => {
            Stop::Queue { code: ILLEGAL_INSTRUCTION, reason }
        }
        // What the card could do and the model cannot ends the queue as well: going on would be a wrong result.
        MachineError::Execution { .. } => {
            Stop::Queue { code: ILLEGAL_INSTRUCTION, reason: format!("a limit of the reference model: {reason}") }
        }
        MachineError::CycleLimit { .. } | MachineError::Deadlock { .. } => Stop::Endless { reason },
        _ => Stop::Queue { code: INVALID_CODE, reason },
    }
}

/// What the user asked for.
fn asked(kind: Kind, label: &str) -> Stop {
    const VARIABLE: &str = "GCN_TIMINGS_FAULT asks for it";
    match kind {
        Kind::Memory => Stop::Memory { address: ASKED_ADDRESS, reason: format!("{label}: {VARIABLE}") },
        Kind::Queue(code) => Stop::Queue { code, reason: format!("{label}: {VARIABLE}") },
        Kind::Hang => Stop::Endless { reason: format!("{label}: {VARIABLE}") },
        Kind::Gone | Kind::Lost | Kind::OutOfMemory | Kind::Absent => {
            Stop::Gone { reason: format!("{label}: {VARIABLE}") }
        }
    }
}
