//! The cost of a region if another source were right about some of its instructions.

use std::collections::BTreeMap;

use gcn_model::gpu::Gpu;
use gcn_model::isa::Instruction;
use gcn_model::published::{Expectations, Expected, Published, sources};
use gcn_model::quantity::Cycles;
use gcn_model::timing::Timings;
use gcn_simulator::{Block, LoweredBlock, Unit};
use rayon::prelude::*;
use serde::Serialize;

use crate::basis::Basis;
use crate::bound::{BINDS, Bound, unit_of};
use crate::card::Card;
use crate::error::PredictError;
use crate::line::Line;
use crate::question::Question;
use crate::steady::{STEADY, Steady};

/// A published source that says of some instructions of a region other cycles than the prediction has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dispute {
    /// Short name of the source: `rga`.
    pub source: String,
    pub title: String,
    /// In the order of their names.
    pub instructions: Vec<DisputedInstruction>,
    /// Cycles of an iteration, if the source is right about all of them that no run has measured.
    pub cycles_per_iteration: Cycles,
}

/// An instruction of which a source says something else.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DisputedInstruction {
    pub instruction: String,
    /// Shader cycles on one wave by the source; of a jump, as it is predicted to go.
    pub cycles: u32,
    /// Those of the prediction.
    pub predicted_cycles: u32,
    /// A run measured it: that counts, and not the source.
    pub is_measured: bool,
}

/// The predicted values of a block.
pub(crate) struct Predicted<'p> {
    /// Of its instructions, in their order.
    pub(crate) lines: &'p [Line],
    /// The tightest first.
    pub(crate) bounds: &'p [Bound],
    pub(crate) cycles_per_iteration: Cycles,
}

impl Dispute {
    /// What each source that says something else makes of a prediction, as far as the instructions are on a unit that is critical, or
    /// the cycles are others.
    pub(crate) fn all(
        card: &Card,
        block: Block<'_>,
        question: &Question,
        instructions: &[&'static Instruction],
        predicted: &Predicted<'_>,
    ) -> Result<Vec<Self>, PredictError> {
        let gpu = card.likeliest();
        let timings = Timings::of(&gpu);
        let critical = critical_units(predicted.bounds);
        let reached: Vec<_> = (predicted.lines.iter().zip(instructions))
            .filter(|(line, _)| line.issue.0 > 0.0)
            .map(|(line, instruction)| (line, *instruction))
            .collect();
        let of_source = |source: &Published| -> Result<Option<Self>, PredictError> {
            let mut disputed: BTreeMap<&str, Disputed<'_>> = BTreeMap::new();
            for (line, instruction) in &reached {
                if let Some(found) = Disputed::of(source, card, &timings, line, instruction) {
                    disputed.insert(&instruction.name, found);
                }
            }
            if disputed.is_empty() {
                return Ok(None);
            }
            let mut other = gpu.clone();
            disputed.values().filter(|one| !one.told.is_measured).for_each(|one| one.put(&mut other));
            let configuration = question.machine(&other);
            let lowered = LoweredBlock::of(&configuration, block)?;
            let cycles = Steady::find(&lowered, question.shape(1))?.cycles_per_iteration();
            let of_prediction = predicted.cycles_per_iteration.0;
            let is_critical = disputed.values().any(|one| critical.as_ref().is_none_or(|of| of.contains(&one.unit)));
            let counts = is_critical || (cycles.0 - of_prediction).abs() > STEADY * of_prediction;
            Ok(counts.then(|| Self {
                source: source.name().to_owned(),
                title: source.title().to_owned(),
                instructions: disputed.into_values().map(|one| one.told).collect(),
                cycles_per_iteration: cycles,
            }))
        };
        let found: Vec<Option<Self>> = sources().par_iter().map(of_source).collect::<Result<_, _>>()?;
        Ok(found.into_iter().flatten().collect())
    }
}

/// The units of the limits that bind, or else of the tightest one; `None` where that is the wave itself, with all its instructions.
fn critical_units(bounds: &[Bound]) -> Option<Vec<&'static str>> {
    let binding: Vec<_> = bounds.iter().filter(|bound| bound.share >= BINDS).collect();
    let tightest: Vec<_> = if binding.is_empty() { bounds.iter().take(1).collect() } else { binding };
    tightest.into_iter().map(|bound| unit_of(bound.of)).collect()
}

/// Whether a run has measured a jump: all of them are then taken in as many cycles.
fn measures_jumps(card: &Card, timings: &Timings) -> bool {
    let processor = card.gpu.processor();
    let measured = card.measured.keys().filter_map(|name| processor.instruction(name));
    measured.map(|instruction| timings.get(instruction)).any(|timing| timing.taken_cycles.is_some())
}

/// An instruction of which a source says something else, and how a GPU is made so.
struct Disputed<'i> {
    told: DisputedInstruction,
    unit: &'static str,
    instruction: &'i Instruction,
    jumps: Option<Jumps>,
}

/// How a jump goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Jumps {
    Taken,
    NotTaken,
}

impl<'i> Disputed<'i> {
    /// A source's statement about an instruction of a region, if it is another number.
    fn of(
        source: &Published,
        card: &Card,
        timings: &Timings,
        line: &Line,
        instruction: &'i Instruction,
    ) -> Option<Self> {
        let said: Expectations<'_> = source.expectations_on(instruction, card.gpu.processor().name());
        let timing = timings.get(instruction);
        let waits = matches!(Unit::of(instruction), Unit::VectorMemory | Unit::LocalDataShare);
        // The wave of one that waits for its unit in a queue goes on.
        let cycles = if waits { timing.cycles.min(line.issue.0.ceil() as u32) } else { timing.cycles };
        let (jumps, expectation, predicted_cycles) = match timing.taken_cycles {
            // A line's issue is that of its jump as it goes.
            Some(taken) if f64::from(taken) == line.issue.0 => (Some(Jumps::Taken), said.taken_cycles, taken),
            Some(_) => (Some(Jumps::NotTaken), said.cycles, cycles),
            None => (None, said.cycles, cycles),
        };
        let cycles = match expectation?.evaluate(card.gpu.dp_factor) {
            Expected::Exactly(cycles) | Expected::Doubtful(cycles) | Expected::WithGlc { without: cycles, .. } => {
                cycles
            }
            // A range or a choice is no other result.
            Expected::Between(..) | Expected::OneOf(..) | Expected::Unknown => return None,
        };
        let cycles = cycles.round().max(1.0) as u32;
        if cycles == predicted_cycles {
            return None;
        }
        let told = DisputedInstruction {
            instruction: instruction.name.clone(),
            cycles,
            predicted_cycles,
            is_measured: line.basis == Basis::Measured || jumps == Some(Jumps::Taken) && measures_jumps(card, timings),
        };
        Some(Self { told, unit: line.unit, instruction, jumps })
    }

    /// Makes a GPU one on which the source is right.
    fn put(&self, gpu: &mut Gpu) {
        match self.jumps {
            Some(Jumps::Taken) => gpu.branch.taken_cycles = self.told.cycles,
            Some(Jumps::NotTaken) => gpu.branch.not_taken_cycles = self.told.cycles,
            None => {
                gpu.cycles.insert(self.instruction.name.clone(), vec![self.told.cycles]);
                // What holds the unit follows from the cycles.
                gpu.throughput.remove(&self.instruction.name);
            }
        }
    }
}
