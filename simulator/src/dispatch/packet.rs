//! Dispatching a kernel that lies in memory, as an AQL packet asks for it.
//!
//! Source: LLVM `AMDGPUUsage.rst`, "Kernel Dispatch" and "Kernel Descriptor"; the HSA Platform System Architecture
//! Specification, "Kernel dispatch packet", on grids and groups.

use crate::cost::clock::Clock;
use crate::cost::configuration::Configuration;
use crate::dispatch::dispatcher::{LaunchStatistics, Limits, Observer, run};
use crate::dispatch::initial::Initial;
use crate::dispatch::needs::Needs;
use crate::dispatch::scratch::ScratchArea;
use crate::dispatch::shape::Shape;
use crate::dispatch::user_data::Pointers;
use crate::error::{Problem, SimulationError};
use crate::lower::allocated::Allocated;
use crate::lower::program::{Program, Source};
use crate::memory::aperture::{Apertures, Segments};
use crate::memory::global::Memory;
use crate::memory::reach::Words;
use gcn_model::code_object::KernelDescriptor;

/// A kernel dispatch: an AQL packet, with the queue's additions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispatch {
    /// Address of the kernel descriptor (`kernel_object` of the packet).
    pub descriptor_address: u64,
    /// Address of the kernel arguments.
    pub kernarg_address: u64,
    /// Address of the packet itself; kernels read their grid there.
    pub dispatch_packet_address: u64,
    /// Address of the queue (`amd_queue_t`); GCN 1.2 kernels read the apertures there.
    pub queue_address: u64,
    /// Number of the dispatch in its queue.
    pub dispatch_id: u64,
    /// Work-items in X, Y and Z.
    pub grid: [u32; 3],
    /// Work-items of a work-group; the groups at the far edges of the grid have fewer where it is no multiple.
    pub group: [u32; 3],
    /// Scratch memory of a work-item, bytes; 0 leaves it to the kernel descriptor.
    pub private_segment_bytes: u32,
    /// LDS of a work-group, bytes, static and dynamic together; 0 leaves it to the kernel descriptor.
    pub group_segment_bytes: u32,
    /// Where scratch memory is; `None` lets the simulator allocate it for this dispatch.
    pub scratch: Option<Scratch>,
    /// Where FLAT addresses mean LDS and scratch; [`Apertures::of`] has the driver's.
    pub apertures: Apertures,
    /// Number of the launch in the run: where on the free-running clock it lies.
    pub ordinal: u64,
    /// Shader cycles after which the dispatch is given up as endless.
    pub cycle_limit: u64,
}

/// Scratch memory that the host gives to a dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scratch {
    pub address: u64,
    /// Its size in bytes: for each wave slot of the simulator's compute units 64 times the private segment, in KiB.
    pub bytes: u64,
}

/// Runs a kernel whose descriptor and code lie in `memory`, and writes its stores back to the backing of `memory`.
///
/// The backing of `memory` is read at the first touch and written back when the dispatch ends, also one that failed: see
/// [`Memory::backed_by`].
///
/// # Errors
/// A dispatch that does not fit the GPU, an instruction that cannot be executed, an endless or hanging kernel, a result that
/// is unknown and would have been written back.
pub fn dispatch(
    configuration: &Configuration,
    dispatch: &Dispatch,
    memory: &mut Memory,
) -> Result<LaunchStatistics, SimulationError> {
    observed(configuration, dispatch, memory, None)
}

/// The same before the eyes of an observer, if there is one.
///
/// # Errors
/// Those of [`dispatch`].
pub(crate) fn observed(
    configuration: &Configuration,
    dispatch: &Dispatch,
    memory: &mut Memory,
    observer: Option<&mut Observer>,
) -> Result<LaunchStatistics, SimulationError> {
    let kernel = format!("at {:#x}", dispatch.descriptor_address);
    let wrong = |problem: String| SimulationError::Launch { kernel: kernel.clone(), problem };
    let descriptor = read_descriptor(dispatch.descriptor_address, memory).map_err(|problem| {
        memory.forget_pages();
        wrong(format!("its descriptor: {problem}"))
    })?;
    let lanes = descriptor.wave_size(configuration.generation);
    let configuration = &*configuration
        .for_waves_of(lanes)
        .ok_or_else(|| wrong(format!("its waves have {lanes} lanes, and the GPU has no such waves")))?;
    let configuration = &*configuration.for_groups_in(descriptor.registers.group_mode(configuration.generation));
    let entry = dispatch.descriptor_address.wrapping_add_signed(descriptor.entry_offset);
    let shape = Shape { grid: dispatch.grid, group: dispatch.group };
    let lds = dispatch.group_segment_bytes.max(descriptor.group_segment_bytes);
    let needs = Needs::of(configuration, descriptor.registers, shape, (lds, Needs::MOST_ITEMS)).map_err(wrong)?;
    let item_bytes = dispatch.private_segment_bytes.max(descriptor.private_segment_bytes);
    let needed = ScratchArea::needed(configuration, item_bytes);
    let area = match dispatch.scratch {
        Some(scratch) if scratch.bytes < needed.bytes => {
            let problem = format!("{} bytes of scratch memory, and its waves need {}", scratch.bytes, needed.bytes);
            return Err(wrong(problem));
        }
        Some(scratch) => ScratchArea { address: scratch.address, bytes: scratch.bytes, ..needed },
        None => needed.allocated(memory).map_err(wrong)?,
    };
    let pointers = Pointers {
        kernarg: dispatch.kernarg_address,
        packet: dispatch.dispatch_packet_address,
        queue: dispatch.queue_address,
        dispatch_id: dispatch.dispatch_id,
    };
    let initial = Initial {
        shape,
        needs,
        registers: descriptor.registers,
        user_data: pointers.user_data(&descriptor, &area, configuration.processor),
        file: descriptor.registers.vector_file(&configuration.processor.descriptor()),
        scratch: area,
        segments: Segments { apertures: dispatch.apertures, private_base: area.address },
    };
    let clock = Clock::of(configuration, dispatch.ordinal);
    let limits = Limits { kernel: &kernel, entry, clock: &clock, cycle_limit: dispatch.cycle_limit };
    let allocated = (dispatch.scratch.is_none() && needed.bytes > 0).then_some(area.address);
    execute(configuration, limits, &initial, (memory, allocated), observer)
}

/// Runs the kernel, frees the scratch memory that was allocated for it, and writes back its stores.
///
/// # Errors
/// Those of [`run`], and a result that is unknown and would have been written back.
pub(crate) fn execute(
    configuration: &Configuration,
    limits: Limits<'_>,
    initial: &Initial,
    (memory, scratch): (&mut Memory, Option<u64>),
    observer: Option<&mut Observer>,
) -> Result<LaunchStatistics, SimulationError> {
    let mut program =
        Program::new(Source::Memory, Allocated::of(initial.registers, configuration.processor), configuration);
    let done = run(configuration, limits, initial, &mut program, memory, observer);
    program.chunks.iter().for_each(|chunk| memory.remember(configuration.processor, chunk.address, &chunk.words));
    if let Some(address) = scratch {
        memory.free(address);
    }
    let written = memory.write_back();
    let statistics = done?;
    written.map_err(|problem| SimulationError::Execution {
        kernel: limits.kernel.into(),
        wave: 0,
        address: limits.entry,
        instruction: "the end of the dispatch".into(),
        problem,
    })?;
    Ok(statistics)
}

fn read_descriptor(address: u64, memory: &mut Memory) -> Result<KernelDescriptor, Problem> {
    let mut bytes = [0; KernelDescriptor::BYTES];
    for (at, bytes) in (address..).step_by(4).zip(bytes.chunks_exact_mut(4)) {
        let word = memory.word(at)?.value();
        let word = word.ok_or_else(|| Problem::UnknownControl("the kernel descriptor".into()))?;
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    Ok(KernelDescriptor::read(&bytes))
}
