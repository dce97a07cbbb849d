//! Predicting a region.

use std::collections::BTreeMap;

use gcn_model::decode::Decoded;
use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_model::quantity::{Bytes, Cycles};
use gcn_model::timing::Timings;
use gcn_simulator::{Activity, Block, BlockInstruction, LoweredBlock};
use serde::Serialize;

use crate::basis::Basis;
use crate::bound::{Bound, UNLIMITED, bounds, in_the_long_run, returned, unit_name};
use crate::card::Card;
use crate::code::Code;
use crate::dispute::{Dispute, Predicted};
use crate::envelope::Envelope;
use crate::error::PredictError;
use crate::gain::Advice;
use crate::hazards::{Hazard, hazards};
use crate::line::{Line, note, waits_for};
use crate::memory_traffic::MemoryTraffic;
use crate::names::Names;
use crate::occupancy::Occupancy;
use crate::question::Question;
use crate::region::{Region, RegionKind};
use crate::stall::{Stall, longest_first, stalls_of};
use crate::steady::Steady;
use crate::written::written;

/// The cost of a region on a GPU.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    pub region: Region,
    /// Lanes of a wave, where there are several sizes.
    pub wave_size: Option<u32>,
    pub question: Question,
    /// Cycles from the start of an iteration to that of the next, of a wave, on average over all waves.
    pub cycles_per_iteration: Cycles,
    /// Between what numbers these cycles lie, if that was asked for.
    pub envelope: Option<Envelope>,
    /// What other published sources would make of it, if that was asked for.
    pub disputes: Option<Vec<Dispute>>,
    /// Whether iterations take equally long in the end; if not, the cycles are those of the last half of the run.
    pub is_steady: bool,
    /// Iterations that each wave was simulated for.
    pub iterations: u32,
    /// What limits it, the tightest limit first.
    pub bounds: Vec<Bound>,
    /// The time of the card's memory for the traffic of an iteration, if its GPU file tells.
    pub memory_traffic: Option<MemoryTraffic>,
    /// The share of the cycles of issue that rests on each basis, from 0 to 1.
    pub basis: BTreeMap<Basis, f64>,
    /// The waves that fit, by the region's registers; a caller that knows the kernel's allocation replaces it.
    pub occupancy: Occupancy,
    /// In the order of their addresses; issue and stalls of all of them add up to [`Prediction::cycles_per_iteration`].
    pub instructions: Vec<Line>,
    /// What to change, if that was asked for: the changes that gain most.
    pub advice: Option<Vec<Advice>>,
    /// Instructions that the code has to keep apart and does not: its results may be wrong.
    pub hazards: Vec<Hazard>,
    /// The prediction's assumptions.
    pub assumptions: Vec<String>,
}

impl Prediction {
    /// Cycles of an iteration in which waves are stalled, by the reason, the longest first.
    pub fn stalls(&self) -> Vec<(Stall, Cycles)> {
        longest_first(self.instructions.iter().map(|line| &line.stalls))
    }

    /// Cycles of an iteration in which waves are stalled while another wave of the same SIMD issues.
    pub fn hidden(&self) -> Cycles {
        Cycles(self.instructions.iter().map(|line| line.hidden.0).sum())
    }

    /// The instruction at an address.
    pub fn line(&self, address: u64) -> Option<&Line> {
        let index = self.instructions.binary_search_by_key(&address, |line| line.address).ok()?;
        self.instructions.get(index)
    }

    /// With its author's names in the listing.
    #[must_use]
    pub fn named(mut self, names: &Names) -> Self {
        self.instructions.iter_mut().for_each(|line| line.name_by(names));
        self
    }

    /// Cycles of an iteration in which instructions hold their wave.
    pub fn issue(&self) -> Cycles {
        Cycles(self.instructions.iter().map(|line| line.issue.0).sum())
    }
}

/// Predicts the cost of a code's region on a GPU.
///
/// # Errors
/// A region that is no part of the code, words that are no instruction, instructions that the simulator cannot repeat, more waves than
/// there is room for.
pub fn predict(gpu: &Gpu, code: &Code, region: &Region, question: Question) -> Result<Prediction, PredictError> {
    predict_card(&Card::from(gpu), code, region, question)
}

/// Likewise with the envelope of uncertain timings, and with other sources' results.
///
/// # Errors
/// As [`predict`].
pub fn predict_between(
    card: &Card,
    code: &Code,
    region: &Region,
    question: Question,
) -> Result<Prediction, PredictError> {
    let mut prediction = predict_card(card, code, region, question)?;
    let part = code.part(region)?;
    let decoded = part.instructions(card.gpu.processor())?;
    let instructions: Vec<_> = decoded.iter().map(|(_, decoded)| decoded.instruction).collect();
    let block = Block { name: &region.name, address: region.start, words: &part.words };
    let cycles = prediction.cycles_per_iteration;
    prediction.envelope = Some(Envelope::of(card, block, &question, &instructions, cycles)?);
    let predicted = Predicted {
        lines: &prediction.instructions,
        bounds: &prediction.bounds,
        cycles_per_iteration: prediction.cycles_per_iteration,
    };
    prediction.disputes = Some(Dispute::all(card, block, &question, &instructions, &predicted)?);
    Ok(prediction)
}

/// The same on a card of which a run may have measured something.
///
/// # Errors
/// As [`predict`].
pub fn predict_card(card: &Card, code: &Code, region: &Region, question: Question) -> Result<Prediction, PredictError> {
    let gpu = &card.likeliest();
    let part = code.part(region)?;
    let decoded = part.instructions(gpu.processor())?;
    let configuration = question.machine(gpu);
    let shape = question.shape(1);
    let block = Block { name: &region.name, address: region.start, words: &part.words };
    let lowered = LoweredBlock::of(&configuration, block)?;
    let steady = Steady::find(&lowered, shape)?;

    // Alignment is the wave's own, whoever else is there; the other stalls may be hidden by nobody, or be somebody else's doing.
    let of_all = |wanted: Activity| -> f64 {
        let of = steady.cycles.iter().filter(|((_, activity), _)| *activity == wanted);
        of.map(|(_, cycles)| steady.of_iteration(*cycles)).sum()
    };
    let of_one_wave = of_all(Activity::Issue) + of_all(Activity::Alignment);
    let (waves, level) = ((shape.simds, shape.waves_per_simd), gpu.vector_memory.level);
    let limits = bounds(&configuration, lowered.instructions(), waves, of_one_wave, level);
    // A fraction of a period has parts of iterations at its ends: an average below a limit is that much too short.
    let average = steady.cycles_per_iteration().0;
    let issued = of_all(Activity::Issue);
    let tightest = limits.iter().map(|(_, cycles)| *cycles).fold(0.0, f64::max);
    let is_short = !steady.is_periodic && average < tightest && issued < average;
    let stretch = if is_short { (tightest - issued) / (average - issued) } else { 1.0 };
    let instructions = lines(card, (&decoded, lowered.instructions()), &steady, stretch);
    let mut basis: BTreeMap<Basis, f64> = BTreeMap::new();
    instructions.iter().for_each(|line| *basis.entry(line.basis).or_default() += line.issue.0);
    let cycles = if is_short { tightest } else { average };
    let issued: f64 = basis.values().sum();
    basis.values_mut().for_each(|share| *share /= issued);
    let bound = |(of, bound)| Bound { of, cycles: Cycles(bound), share: bound / cycles };
    let bounds: Vec<Bound> = limits.into_iter().map(bound).collect();
    let in_the_long_run = in_the_long_run(&bounds);
    Ok(Prediction {
        region: region.clone(),
        wave_size: gpu.generation.has_wave_sizes().then(|| gpu.processor().wave_size()),
        question,
        cycles_per_iteration: Cycles(cycles),
        envelope: None,
        disputes: None,
        is_steady: steady.is_steady,
        iterations: steady.iterations,
        bounds,
        memory_traffic: MemoryTraffic::of(gpu, lowered.instructions(), &question, Cycles(cycles)),
        basis,
        occupancy: Occupancy::of_instructions(gpu, &decoded),
        instructions,
        advice: None,
        hazards: hazards(gpu, code, region)?,
        assumptions: (card.remarks.iter().cloned())
            .chain(assumptions(gpu, region, &decoded, lowered.instructions(), &question))
            .chain(in_the_long_run)
            .collect(),
    })
}

/// The instructions of a region; their stalls are stretched by a factor.
fn lines(
    card: &Card,
    (decoded, simulated): (&[(u64, Decoded)], &[BlockInstruction]),
    steady: &Steady<'_>,
    stretch: f64,
) -> Vec<Line> {
    let (timings, hidden) = (Timings::of(&card.gpu), steady.hidden());
    let line = |((address, decoded), simulated): (&(u64, Decoded), &BlockInstruction)| {
        let (basis, source) = card.basis(&timings, decoded.instruction);
        let of = |activity: Activity| {
            steady.of_iteration(steady.cycles.get(&(*address, activity)).copied().unwrap_or_default())
        };
        Line {
            address: *address,
            bytes: Bytes(u32::from(decoded.dwords.0) * 4),
            decoded: *decoded,
            text: written(decoded),
            labels: Vec::new(),
            place: None,
            note: note(*address, decoded),
            waits_for: waits_for(decoded),
            unit: unit_name(simulated.unit),
            issue: Cycles(of(Activity::Issue)),
            stalls: stalls_of(|activity| of(activity) * stretch),
            hidden: Cycles(steady.of_iteration(hidden.get(address).copied().unwrap_or_default()) * stretch),
            basis,
            source,
        }
    };
    decoded.iter().zip(simulated).map(line).collect()
}

/// How many arrays of the LDS serve waves that have a work-group processor.
fn lds_arrays(gpu: &Gpu, mode: GroupMode) -> Option<String> {
    let arrays = match gpu.lds.wgp_arrays {
        1 => "one array of the LDS serves both compute units of a work-group processor",
        _ => "each compute unit of a work-group processor has an array of the LDS",
    };
    let guess = if gpu.is_estimate("lds.wgp_arrays") { ", which is an estimate" } else { "" };
    (mode == GroupMode::Processor).then(|| format!("{arrays}{guess}"))
}

fn assumptions(
    gpu: &Gpu,
    region: &Region,
    decoded: &[(u64, Decoded)],
    instructions: &[BlockInstruction],
    question: &Question,
) -> Vec<String> {
    use gcn_model::isa::Encoding;
    let mut assumptions = vec!["the instruction cache is warm: the first iterations do not count".to_owned()];
    let has = |encodings: &[Encoding]| decoded.iter().any(|(_, decoded)| encodings.contains(&decoded.form));
    let mut latency = |is_there: bool, what: &str, (cycles, key): (u32, &str), or: &str| {
        if is_there {
            let guess = if gpu.is_estimate(key) { ", which is an estimate (--memory sets another)" } else { "" };
            assumptions.push(format!("{what} takes {cycles} cycles each time{guess}, {or}"));
        }
    };
    latency(
        has(&[Encoding::Mubuf, Encoding::Mtbuf, Encoding::Flat]),
        "vector memory",
        (gpu.vector_memory.latency_cycles, "vector_memory.latency_cycles"),
        &returned(gpu),
    );
    let scalar = (gpu.scalar_memory.latency_cycles, "scalar_memory.latency_cycles");
    latency(has(&[Encoding::Smrd, Encoding::Smem]), "scalar memory", scalar, UNLIMITED);
    latency(has(&[Encoding::Ds]), "LDS", (gpu.lds.latency_cycles, "lds.latency_cycles"), "without bank conflicts");
    assumptions.extend(lds_arrays(gpu, question.group_mode).filter(|_| has(&[Encoding::Ds])));
    let steps = || decoded.iter().zip(instructions);
    let reached = steps().filter(|(_, instruction)| instruction.is_reached).map(|(it, _)| it);
    let is_branch = |(address, decoded): &&(u64, Decoded)| decoded.branch_target(*address).is_some();
    let is_conditional = |decoded: &Decoded| decoded.instruction.name != "S_BRANCH";
    let closing = reached.clone().next_back().map(|(address, _)| *address).filter(|_| region.kind == RegionKind::Loop);
    let taken = steps().filter(|(_, instruction)| instruction.is_taken).count();
    let conditional = reached.filter(is_branch).filter(|(at, decoded)| Some(*at) != closing && is_conditional(decoded));
    match (region.kind, conditional.count().saturating_sub(taken)) {
        (RegionKind::Loop, 0) => {}
        (RegionKind::Loop, untaken) => assumptions.push(format!("{untaken} branches inside the loop are not taken")),
        (_, 0) if !decoded.iter().any(|it| is_branch(&it)) => {
            assumptions.push("the block repeats back to back; no jump is charged".to_owned());
        }
        (_, _) => assumptions.push("branches are not taken, except one that leads to the start".to_owned()),
    }
    if taken > 0 {
        let end = if region.kind == RegionKind::Loop { "back to its start" } else { "to its end" };
        assumptions.push(format!("{taken} branches inside are taken, since no other path leads {end}"));
    }
    let others = steps().filter(|(_, instruction)| !instruction.is_reached).count();
    if others > 0 {
        assumptions.push(format!("{others} instructions are not reached"));
    }
    if decoded.iter().any(|(_, decoded)| decoded.instruction.name == "S_BARRIER") {
        let shape = question.shape(1);
        let waves = shape.waves_per_group.min(shape.simds * shape.waves_per_simd);
        assumptions.push(format!("{waves} waves are in a work-group"));
    }
    assumptions
}
