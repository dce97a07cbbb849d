//! Launching a kernel in the simulator.

use gcn_model::code_object::LoadableObject;
use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;
use gcn_simulator::{Apertures, Memory, Profile};

use super::arguments::LaunchArguments;
use super::kernarg::Placed;
use super::prediction::LaunchPrediction;
use super::ready::Wanted;
use crate::card::Card;
use crate::error::PredictError;
use crate::start::Start;

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
    let wanted = Wanted { object, kernel, arguments };
    let needs = object.needs(kernel).ok_or_else(|| wanted.no_such())?;
    let generation = card.gpu.generation;
    let wave_size = needs.wave_size(generation).unwrap_or(generation.lanes());
    let card = card.for_waves_of(wave_size, needs.group_mode(generation))?;
    let card = &Card { gpu: start.gpu(&card.gpu), ..card };
    let gpu = &card.likeliest();

    let mut configuration = start.configuration(gpu);
    (configuration.approximates, configuration.noise) = (true, None);
    let apertures = Apertures::of(configuration.generation);
    let mut ready = wanted.ready(apertures)?;
    let profile = wanted.run(&mut ready, &configuration)?;
    let mut prediction = LaunchPrediction::of(card, (&object.object, kernel), arguments, &profile);
    prediction.assumptions.push(start.assumption(gpu));
    if prediction.conflicts().0 > 0.0 {
        configuration.has_bank_conflicts = false;
        let without = wanted.run(&mut wanted.ready(apertures)?, &configuration)?;
        prediction.without_conflicts = Some(Cycles(without.statistics.cycles as f64));
    }
    Ok(Launched { prediction, profile, memory: ready.memory, buffers: ready.buffers })
}
