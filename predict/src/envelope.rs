//! Between what numbers a prediction lies, as far as its timings are unsure.

use gcn_model::isa::Instruction;
use gcn_model::quantity::Cycles;
use gcn_model::timing::Timings;
use gcn_simulator::{Block, LoweredBlock};
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
        let take = |ends: &[(&Instruction, End)]| -> Result<Cycles, PredictError> {
            let configuration = question.machine(&card.at(ends));
            let lowered = LoweredBlock::of(&configuration, block)?;
            let steady = Steady::find(&lowered, question.shape(1))?;
            Ok(steady.cycles_per_iteration())
        };
        let mut envelope = Self { low: cycles, high: cycles, causes: Vec::new() };
        for instruction in &unsure {
            let [one, other] = [take(&[(instruction, End::Low)])?, take(&[(instruction, End::High)])?];
            let (low, high) = (one.0.min(other.0).min(cycles.0), one.0.max(other.0).max(cycles.0));
            let (basis, _) = card.basis(&timings, instruction);
            let instruction = instruction.name.clone();
            envelope.causes.push(Cause { instruction, basis, low: Cycles(low), high: Cycles(high) });
        }
        let mut found: Vec<f64> = envelope.causes.iter().flat_map(|cause| [cause.low.0, cause.high.0]).collect();
        // Of a single one that is its own effect.
        if unsure.len() > 1 {
            for end in [End::Low, End::High] {
                let all: Vec<_> = unsure.iter().map(|instruction| (*instruction, end)).collect();
                found.push(take(&all)?.0);
            }
        }
        for cycles in found {
            envelope.low.0 = envelope.low.0.min(cycles);
            envelope.high.0 = envelope.high.0.max(cycles);
        }
        let width = |cause: &Cause| cause.high.0 - cause.low.0;
        envelope.causes.sort_by(|one, other| width(other).total_cmp(&width(one)));
        Ok(envelope)
    }
}
