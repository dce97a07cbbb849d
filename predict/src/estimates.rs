//! The share of a prediction that rests on estimates.

use gcn_model::gpu::Gpu;
use gcn_model::isa::Instruction;
use gcn_model::quantity::Cycles;

use crate::basis::Basis;
use crate::code::Code;
use crate::error::PredictError;
use crate::prediction::Prediction;

/// An instruction without published cycles.
#[derive(Debug, Clone, PartialEq)]
pub struct EstimatedInstruction {
    pub instruction: &'static Instruction,
    /// Cycles of an iteration in which it holds its wave, wherever in the region it stands.
    pub issue: Cycles,
}

/// The cycles of issue that rest on estimates.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimates {
    /// Their share of all cycles of issue, from 0 to 1.
    pub share: f64,
    /// The one with the most cycles first.
    pub instructions: Vec<EstimatedInstruction>,
}

impl Estimates {
    /// The share of a region's prediction that rests on estimates.
    ///
    /// # Errors
    /// A region that is no part of the code, words that are no instruction.
    pub fn of(gpu: &Gpu, code: &Code, prediction: &Prediction) -> Result<Self, PredictError> {
        let decoded = code.part(&prediction.region)?.instructions(gpu.processor())?;
        let mut instructions: Vec<EstimatedInstruction> = Vec::new();
        for (line, (_, decoded)) in prediction.instructions.iter().zip(&decoded) {
            // Unreached code is not issued: measuring it would change nothing.
            if line.basis != Basis::Estimated || line.issue.0 == 0.0 {
                continue;
            }
            let instruction = decoded.instruction;
            match instructions.iter_mut().find(|known| known.instruction.name == instruction.name) {
                Some(known) => known.issue.0 += line.issue.0,
                None => instructions.push(EstimatedInstruction { instruction, issue: line.issue }),
            }
        }
        instructions.sort_by(|one, other| other.issue.0.total_cmp(&one.issue.0));
        Ok(Self { share: prediction.basis.get(&Basis::Estimated).copied().unwrap_or(0.0), instructions })
    }
}
