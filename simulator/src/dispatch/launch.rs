//! Launching a kernel of a code object, as the measuring harness does: one dimension, and nothing but kernel arguments.

use crate::cost::clock::Clock;
use crate::cost::configuration::Configuration;
use crate::cost::reading::NUMBERS;
use crate::dispatch::dispatcher::{LaunchStatistics, Limits, run};
use crate::dispatch::initial::Initial;
use crate::dispatch::needs::Needs;
use crate::dispatch::scratch::ScratchArea;
use crate::dispatch::shape::Shape;
use crate::dispatch::timeless::TimelessLaunch;
use crate::dispatch::user_data::Pointers;
use crate::error::SimulationError;
use crate::lower::allocated::Allocated;
use crate::lower::clock_use::only_stores_readings;
use crate::lower::program::{Program, Source};
use crate::memory::aperture::{Apertures, Segments};
use crate::memory::global::Memory;
use gcn_model::code_object::{CodeObject, Kernel};

/// Largest work-group: clover's limit, and larger ones hang some GCN 1.0/1.1 chips (facts §5.5).
const MAX_GROUP: u64 = 256;

/// The shape of a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchShape {
    /// Work-groups.
    pub groups: u32,
    /// Work-items in a group.
    pub group_size: u32,
    /// LDS of a group beyond the kernel descriptor's, bytes.
    pub dynamic_lds_bytes: u32,
    /// Address of the kernel arguments.
    pub kernarg_address: u64,
    /// Number of the launch in the run: where on the free-running clock it lies.
    pub ordinal: u64,
    /// Shader cycles after which the launch is given up as endless.
    pub cycle_limit: u64,
}

/// Runs a kernel on the simulator; `memory` holds the host's uploads, and the kernel's stores afterwards.
///
/// A group takes the first compute unit, in turn, that has room. While groups wait for room the compute units run
/// side by side in time; otherwise one after the other, so that waves on different compute units must not
/// communicate through memory within a launch.
///
/// # Errors
/// A launch that does not fit the GPU, an instruction that cannot be executed, an endless or hanging kernel.
pub fn launch(
    configuration: &Configuration,
    object: &CodeObject,
    kernel: &str,
    shape: &LaunchShape,
    memory: &mut Memory,
) -> Result<LaunchStatistics, SimulationError> {
    launch_with_clock(configuration, object, kernel, shape, (memory, false)).map(|(statistics, _)| statistics)
}

/// Runs a kernel as [`launch()`] does. If its course is the same at any time, the readings of clocks that it leaves in memory are not yet the time:
/// [`TimelessLaunch::word`] gives it.
///
/// # Errors
/// Those of [`launch()`].
pub fn launch_timeless(
    configuration: &Configuration,
    object: &CodeObject,
    kernel: &str,
    shape: &LaunchShape,
    memory: &mut Memory,
) -> Result<(LaunchStatistics, Option<TimelessLaunch>), SimulationError> {
    let may_be_timeless = configuration.noise.is_none();
    launch_with_clock(configuration, object, kernel, shape, (memory, may_be_timeless))
}

fn launch_with_clock(
    configuration: &Configuration,
    object: &CodeObject,
    kernel: &str,
    shape: &LaunchShape,
    (memory, may_be_timeless): (&mut Memory, bool),
) -> Result<(LaunchStatistics, Option<TimelessLaunch>), SimulationError> {
    let kernel = object.kernel(kernel).ok_or_else(|| SimulationError::NoSuchKernel(kernel.into()))?;
    let lanes = kernel.descriptor.wave_size(configuration.generation);
    let configuration = &*configuration.for_waves_of(lanes).ok_or_else(|| SimulationError::Launch {
        kernel: kernel.name.clone(),
        problem: format!("its waves have {lanes} lanes, and the GPU has no such waves"),
    })?;
    let configuration = &*configuration.for_groups_in(kernel.descriptor.registers.group_mode(configuration.generation));
    let scratch = ScratchArea::needed(configuration, kernel.descriptor.private_segment_bytes)
        .allocated(memory)
        .map_err(|problem| SimulationError::Launch { kernel: kernel.name.clone(), problem })?;
    let initial = initial(configuration, kernel, shape, scratch)
        .map_err(|problem| SimulationError::Launch { kernel: kernel.name.clone(), problem })?;
    let allocated = Allocated::of(kernel.descriptor.registers, configuration.processor);
    let code = Source::of_kernel(object, kernel);
    let mut program = Program::new(code, allocated, configuration);
    memory.remember(configuration.processor, kernel.entry, code.words_from(kernel.entry));
    let is_timeless = may_be_timeless && is_timeless(&mut program, kernel.entry, &initial, shape, memory);
    let clock = if is_timeless { Clock::keeping() } else { Clock::of(configuration, shape.ordinal) };
    let limits = Limits { kernel: &kernel.name, entry: kernel.entry, clock: &clock, cycle_limit: shape.cycle_limit };
    let done = run(configuration, limits, &initial, &mut program, memory, None);
    if scratch.bytes > 0 {
        memory.free(scratch.address);
    }
    Ok((done?, clock.into_kept().map(|readings| TimelessLaunch::new(readings, configuration))))
}

/// Whether a program takes the same course at any time.
fn is_timeless(
    program: &mut Program<'_>,
    entry: u64,
    initial: &Initial,
    shape: &LaunchShape,
    memory: &mut Memory,
) -> bool {
    let arguments = [shape.kernarg_address as u32, (shape.kernarg_address >> u32::BITS) as u32].map(Some);
    // What cannot be decoded is an error of the launch.
    program.reach(entry, memory).is_ok()
        && program.is_whole
        && !program.chunks.iter().flat_map(|chunk| &chunk.words).any(|word| NUMBERS.contains(word))
        && initial.user_data.starts_with(&arguments)
        && only_stores_readings(&program.steps, &program.tables)
}

fn initial(
    configuration: &Configuration,
    kernel: &Kernel,
    shape: &LaunchShape,
    scratch: ScratchArea,
) -> Result<Initial, String> {
    let descriptor = kernel.descriptor;
    let items = shape.groups.checked_mul(shape.group_size).ok_or("a launch of more than 2^32 work-items")?;
    let lds = descriptor.group_segment_bytes.saturating_add(shape.dynamic_lds_bytes);
    let shape_of_grid = Shape { grid: [items, 1, 1], group: [shape.group_size, 1, 1] };
    let needs = Needs::of(configuration, descriptor.registers, shape_of_grid, (lds, MAX_GROUP))?;
    if descriptor.wants_private_segment_buffer()
        || descriptor.wants_dispatch_pointer()
        || descriptor.wants_queue_pointer()
    {
        return Err("the simulator gives kernels only the kernel argument pointer".into());
    }
    let pointers = Pointers { kernarg: shape.kernarg_address, ..Pointers::default() };
    Ok(Initial {
        shape: shape_of_grid,
        needs,
        registers: descriptor.registers,
        user_data: pointers.user_data(&descriptor, &scratch, configuration.processor),
        file: descriptor.registers.vector_file(&configuration.processor.descriptor()),
        scratch,
        segments: Segments { apertures: Apertures::of(configuration.generation), private_base: scratch.address },
    })
}
