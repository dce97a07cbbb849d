//! A dispatch: a launch on the simulator.

use std::sync::Arc;

use gcn_simulated_card::Kind;
use gcn_simulator::{Apertures, Backing, Memory, SimulationError};

use crate::device::Device;
use crate::device_memory::Allocation;
use crate::launch::Launch;

/// Cycles after which a dispatch is taken to be endless: seconds of a card, and minutes of the host.
const CYCLE_LIMIT: u64 = 1 << 32;

/// Size of an `hsa_kernel_dispatch_packet_t`, where kernels read grid and work-group.
const PACKET_BYTES: u64 = 64;
/// Size of the part of an `amd_queue_t` that kernels read: the high halves of the apertures at 0x40 and 0x44.
const QUEUE_BYTES: u64 = 256;

/// Why a queue stops at a dispatch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Stop {
    #[error("{0}")]
    Failed(String),
    /// It does not end.
    #[error("it does not end: {0}")]
    Endless(String),
    /// The device is gone.
    #[error("the device is gone: {0}")]
    Gone(String),
}

/// Executes a launch; gives the nanoseconds that it takes on the card.
///
/// # Errors
/// [`Stop`]: the queue stops.
pub(crate) fn execute(device: &Device, launch: &Launch) -> Result<u64, Stop> {
    let kernel = launch.kernel.name();
    if let Some(kind) = launch.fault {
        return Err(asked(kind, kernel));
    }
    let place = |bytes: &[u8]| -> Result<Allocation, Stop> {
        let allocation = device.memory.allocate(bytes.len().max(1) as u64);
        let stored = allocation.filter(|allocation| device.memory.store(allocation.address, bytes).is_some());
        stored.ok_or_else(|| Stop::Failed(format!("kernel {kernel}: no memory for its arguments")))
    };
    let apertures = Apertures::of(device.card.gpu.generation);
    let arguments = place(&launch.arguments.bytes)?;
    let packet = place(&packet(launch, arguments.address))?;
    let queue = place(&queue(apertures))?;
    let model = gcn_simulator::Dispatch {
        descriptor_address: launch.kernel.loaded.descriptor_address,
        kernarg_address: arguments.address,
        dispatch_packet_address: packet.address,
        queue_address: queue.address,
        dispatch_id: 0,
        grid: launch.grid,
        group: launch.group,
        private_segment_bytes: launch.kernel.loaded.metadata.private_segment_bytes,
        group_segment_bytes: launch.arguments.lds_bytes as u32,
        scratch: None,
        apertures,
        ordinal: device.next_launch(),
        cycle_limit: CYCLE_LIMIT,
    };
    let mut memory = Memory::backed_by(Arc::clone(&device.memory) as Arc<dyn Backing>);
    match gcn_simulator::dispatch(&device.configuration, &model, &mut memory) {
        Ok(statistics) => Ok((statistics.cycles as f64 * 1e3 / device.card.gpu.clock.shader_mhz).round() as u64),
        Err(error @ (SimulationError::CycleLimit { .. } | SimulationError::Deadlock { .. })) => {
            Err(Stop::Endless(format!("kernel {kernel}: {error}")))
        }
        // An operation that the card has and the model lacks is a failure as well: continuing would give a wrong result.
        Err(error) => Err(Stop::Failed(format!("kernel {kernel}: {error}"))),
    }
}

/// The user's request.
fn asked(kind: Kind, kernel: &str) -> Stop {
    let reason = |what: &str| format!("kernel {kernel}: {what}: GCN_TIMINGS_FAULT asks for it");
    match kind {
        Kind::Memory => Stop::Failed(reason("memory fault")),
        Kind::Queue(code) => Stop::Failed(reason(&format!("queue error {code:#x}"))),
        Kind::Hang => Stop::Endless(reason("hang")),
        Kind::Gone | Kind::Lost | Kind::Absent | Kind::OutOfMemory | Kind::Refused => Stop::Gone(reason("device lost")),
    }
}

/// What kernels read of a dispatch packet (`hsa.h`): dimensions from 2 on, work-group from 4 on, grid from 12 on.
fn packet(launch: &Launch, arguments: u64) -> Vec<u8> {
    let mut packet = vec![0; PACKET_BYTES as usize];
    packet[2..4].copy_from_slice(&(launch.dimensions as u16).to_le_bytes());
    for (i, (group, grid)) in launch.group.iter().zip(launch.grid).enumerate() {
        packet[4 + 2 * i..6 + 2 * i].copy_from_slice(&(*group as u16).to_le_bytes());
        packet[12 + 4 * i..16 + 4 * i].copy_from_slice(&grid.to_le_bytes());
    }
    packet[28..32].copy_from_slice(&(launch.arguments.lds_bytes as u32).to_le_bytes());
    packet[32..40].copy_from_slice(&launch.kernel.loaded.descriptor_address.to_le_bytes());
    packet[40..48].copy_from_slice(&arguments.to_le_bytes());
    packet
}

/// What kernels read of an `amd_queue_t` (`amd_hsa_queue.h`).
fn queue(apertures: Apertures) -> Vec<u8> {
    let mut queue = vec![0; QUEUE_BYTES as usize];
    queue[0x40..0x44].copy_from_slice(&((apertures.shared >> 32) as u32).to_le_bytes());
    queue[0x44..0x48].copy_from_slice(&((apertures.private >> 32) as u32).to_le_bytes());
    queue
}
