//! A dispatch of an AQL packet: a kernel on the simulator.

use gcn_simulated_card::{INVALID_DIMENSIONS, INVALID_LDS};
use gcn_simulator::Apertures;

use crate::device::Device;
use crate::kfd::packet::Dispatch;
use crate::kfd::signal::Times;
use crate::kfd::symbol::kernel_name;
use crate::stop::{CYCLE_LIMIT, Stop};

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
        return Err(Stop::asked(kind, &label));
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
    let model = gcn_simulator::Dispatch {
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
    let cycles = device.run(&model, &label)?;
    Ok(Times { start, end: start + device.card.realtime_ticks(cycles) })
}
