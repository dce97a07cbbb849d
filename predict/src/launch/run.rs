//! Launching a kernel in the simulator.

use std::collections::BTreeMap;

use gcn_model::code_object::LoadableObject;
use gcn_model::gpu::Gpu;
use gcn_model::quantity::Bytes;
use gcn_simulator::{Apertures, Dispatch, Memory, Problem, Profile, SimulationError, profile};

use super::arguments::LaunchArguments;
use super::hidden::Hidden;
use super::kernarg::{Placed, dword, lay_out, local_offsets};
use super::prediction::LaunchPrediction;
use super::queue::{put, put_packet, put_queue};
use crate::card::Card;
use crate::error::PredictError;
use crate::start::Start;

/// Dwords that kernel arguments come in: their start is aligned, and compilers merge loads into a larger one that goes
/// beyond the last argument.
const KERNARG_DWORDS: usize = 16;

/// A launch that has ended.
#[derive(Debug)]
pub struct Launched {
    pub prediction: LaunchPrediction,
    /// Its parts, wave by wave; addresses are those of the code object.
    pub profile: Profile,
    memory: Memory,
    /// The arguments that are buffers.
    buffers: Vec<Option<Placed>>,
}

impl Launched {
    /// The content of a buffer after the launch; arguments are counted from 1.
    ///
    /// # Errors
    /// An argument that does not exist or is not a buffer; a dword whose value the simulator does not know.
    pub fn buffer(&self, number: usize) -> Result<Vec<u8>, PredictError> {
        let wrong = |problem: String| PredictError::NotReadable { number, problem };
        let argument = number.checked_sub(1).and_then(|index| self.buffers.get(index));
        let argument = argument.ok_or_else(|| wrong(format!("the kernel has {}", self.buffers.len())))?;
        let placed = argument.ok_or_else(|| wrong("it is not a buffer".to_owned()))?;
        let words = self.memory.download(placed.address, placed.bytes.div_ceil(4));
        let words = words.map_err(|problem| wrong(problem.to_string()))?;
        let mut bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        bytes.truncate(placed.bytes);
        Ok(bytes)
    }
}

/// Runs a kernel in the simulator, with its control flow, its memory and its bank conflicts, and returns its cost.
///
/// Values that no manual gives to the bit are approximated ([`LaunchPrediction::approximate`]).
///
/// # Errors
/// No such kernel, arguments that do not fit, a hidden argument that only a runtime fills in; a launch that does not fit the
/// GPU, an instruction that the simulator cannot execute, an endless or hanging kernel.
pub fn launch(
    gpu: &Gpu,
    object: &LoadableObject,
    kernel: &str,
    arguments: &LaunchArguments,
) -> Result<Launched, PredictError> {
    launch_card(&Card::from(gpu), object, kernel, arguments, &Start::default())
}

/// The same on a card with a run's measurements, with the instruction cache's content at the start.
///
/// # Errors
/// As [`launch`].
pub fn launch_card(
    card: &Card,
    object: &LoadableObject,
    kernel: &str,
    arguments: &LaunchArguments,
    start: &Start,
) -> Result<Launched, PredictError> {
    let no_such = || {
        let known: Vec<&str> = object.object.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
        PredictError::NoSuchKernel { name: kernel.to_owned(), known: known.join(", ") }
    };
    let descriptor = object.object.kernel(kernel).ok_or_else(no_such)?.descriptor;
    let needs = object.needs(kernel).ok_or_else(no_such)?;
    let generation = card.gpu.generation;
    let wave_size = needs.wave_size(generation).unwrap_or(generation.lanes());
    let card = card.for_waves_of(wave_size, needs.group_mode(generation))?;
    let card = &Card { gpu: start.gpu(&card.gpu), ..card };
    let gpu = &card.likeliest();
    let metadata = object.metadata.kernel(kernel).ok_or_else(no_such)?;
    let descriptor_at = object.image.descriptor(kernel).ok_or_else(no_such)?;
    check_group(metadata.required_group, metadata.most_items, arguments.group)?;

    let mut configuration = start.configuration(gpu);
    (configuration.approximates, configuration.noise) = (true, None);
    let apertures = Apertures::of(configuration.generation);
    let wrong = |problem: Problem| SimulationError::Launch { kernel: kernel.to_owned(), problem: problem.to_string() };
    let mut memory = Memory::default();
    let base = memory.allocate(object.image.bytes());
    memory.upload(base, &object.image.words(base)).map_err(wrong)?;
    let queue_address = put_queue(&mut memory, apertures).map_err(wrong)?;
    let fixed = needs.group_lds().0;
    let (locals, lds) = local_offsets(metadata, &arguments.arguments, Bytes(fixed))?;
    let hidden = Hidden {
        grid: arguments.grid,
        group: arguments.group,
        dynamic_lds: Bytes(lds - fixed),
        queue: queue_address,
        apertures,
    };
    let (kernarg, buffers) = lay_out(&mut memory, metadata, &arguments.arguments, hidden, (&locals, needs.kernarg()))?;
    let mut kernarg: Vec<u32> = kernarg.chunks(4).map(dword).collect();
    kernarg.resize(kernarg.len().next_multiple_of(KERNARG_DWORDS), 0);
    let kernarg_address = put(&mut memory, &kernarg).map_err(wrong)?;
    let descriptor_address = base + descriptor_at;
    let packet = put_packet(
        &mut memory,
        (arguments.grid, arguments.group),
        (descriptor.private_segment_bytes, lds),
        (descriptor_address, kernarg_address),
    );
    let dispatch = Dispatch {
        descriptor_address,
        kernarg_address,
        dispatch_packet_address: packet.map_err(wrong)?,
        queue_address,
        dispatch_id: 0,
        grid: arguments.grid,
        group: arguments.group,
        private_segment_bytes: 0,
        group_segment_bytes: lds,
        scratch: None,
        apertures,
        ordinal: 0,
        cycle_limit: arguments.cycle_limit,
    };
    let mut run =
        profile(&configuration, &dispatch, &mut memory).map_err(|error| in_object(error, kernel, base, object))?;
    let by_address = std::mem::take(&mut run.instructions).into_iter();
    run.instructions = by_address.map(|(address, of)| (address.wrapping_sub(base), of)).collect::<BTreeMap<_, _>>();
    let mut prediction = LaunchPrediction::of(card, (&object.object, kernel), arguments, &run);
    prediction.assumptions.push(start.assumption(gpu));
    Ok(Launched { prediction, profile: run, memory, buffers })
}

fn check_group(required: Option<[u32; 3]>, most: Option<u32>, group: [u32; 3]) -> Result<(), PredictError> {
    let items = group.iter().map(|items| u64::from(*items)).product::<u64>();
    match (required, most) {
        (Some(required), _) if required != group => {
            Err(PredictError::Group(format!("it is {group:?}, but the kernel requires {required:?}")))
        }
        (_, Some(most)) if items > u64::from(most) => {
            Err(PredictError::Group(format!("{items} work-items, but the kernel was compiled for at most {most}")))
        }
        _ => Ok(()),
    }
}

/// An error of the simulator with the kernel's name, and with addresses of the code object.
fn in_object(error: SimulationError, name: &str, base: u64, object: &LoadableObject) -> SimulationError {
    let name = name.to_owned();
    match error {
        SimulationError::Launch { problem, .. } => SimulationError::Launch { kernel: name, problem },
        SimulationError::Execution { wave, address, instruction, problem, .. } => {
            let inside = address.checked_sub(base).filter(|offset| *offset < object.image.bytes());
            let address = inside.unwrap_or(address);
            SimulationError::Execution { kernel: name, wave, address, instruction, problem }
        }
        SimulationError::CycleLimit { limit, .. } => SimulationError::CycleLimit { kernel: name, limit },
        SimulationError::Deadlock { .. } => SimulationError::Deadlock { kernel: name },
        other => other,
    }
}
