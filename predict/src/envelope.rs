//! Between what numbers a prediction lies, as far as its timings are unsure.

use gcn_model::isa::Instruction;
use gcn_model::quantity::Cycles;
use gcn_model::timing::Timings;
use gcn_simulator::{Block, LoweredBlock};
use rayon::prelude::*;
use serde::Serialize;

use crate::basis::Basis;
use crate::card::{Card, End};
use crate::error::PredictError;
use crate::question::Question;
use crate::steady::Steady;
use crate::unsure::Unsure;

/// Between what numbers the cycles of an iteration lie.
///
/// The block is repeated with all unsure timings at their lowest, with all at their highest, and with each by itself at both: where
/// waves meet at a unit, more cycles of an instruction can be fewer of all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Envelope {
    pub low: Cycles,
    pub high: Cycles,
    /// The instructions whose timings are unsure, the one first that moves the cycles most.
    pub causes: Vec<Cause>,
}

/// An instruction whose timing is unsure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cause {
    pub instruction: String,
    pub basis: Basis,
    /// Cycles of an iteration, the fewest and the most, if it alone is at the ends of its range.
    pub low: Cycles,
    pub high: Cycles,
}

impl Envelope {
    /// The envelope around `cycles`, of a block of these instructions.
    pub(crate) fn of(
        card: &Card,
        block: Block<'_>,
        question: &Question,
        instructions: &[&'static Instruction],
        cycles: Cycles,
    ) -> Result<Self, PredictError> {
        let timings = Timings::of(&card.gpu);
        let unsure = Unsure::of(card, instructions.iter().copied()).instructions;
        let take = |ends: &Vec<(&Instruction, End)>| -> Result<Cycles, PredictError> {
            let configuration = question.machine(&card.at(ends));
            let lowered = LoweredBlock::of(&configuration, block)?;
            let steady = Steady::find(&lowered, question.shape(1))?;
            Ok(steady.cycles_per_iteration())
        };
        const ENDS: [End; 2] = [End::Low, End::High];
        let mut questions: Vec<Vec<_>> =
            unsure.iter().flat_map(|instruction| ENDS.map(|end| vec![(*instruction, end)])).collect();
        // All together are no other question than a single one.
        if unsure.len() > 1 {
            questions.extend(ENDS.map(|end| unsure.iter().map(|instruction| (*instruction, end)).collect()));
        }
        let found: Vec<Cycles> = questions.par_iter().map(take).collect::<Result<_, _>>()?;
        let between = |found: &[Cycles]| {
            let all = || found.iter().map(|cycles| cycles.0).chain([cycles.0]);
            (Cycles(all().fold(f64::INFINITY, f64::min)), Cycles(all().fold(0.0, f64::max)))
        };
        let (low, high) = between(&found);
        let mut envelope = Self { low, high, causes: Vec::new() };
        for (instruction, found) in unsure.iter().zip(found.chunks_exact(ENDS.len())) {
            let (basis, _) = card.basis(&timings, instruction);
            let ((low, high), instruction) = (between(found), instruction.name.clone());
            envelope.causes.push(Cause { instruction, basis, low, high });
        }
        let width = |cause: &Cause| cause.high.0 - cause.low.0;
        envelope.causes.sort_by(|one, other| width(other).total_cmp(&width(one)));
        Ok(envelope)
    }
}
