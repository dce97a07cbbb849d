//! Why an instruction is not measured.

use gcn_model::isa::{Encoding, Instruction, OperandKind};
use gcn_model::record::ExperimentStatus;

use super::MeasureOptions;
use crate::kernel::{Action, handling_of, is_handled};

/// Whether an instruction is launched that can hang a card or damage data.
pub(super) fn is_dangerous(instruction: &Instruction, options: &MeasureOptions) -> bool {
    options.dangerous && is_handled(instruction, Action::Dangerous)
}

/// Why an instruction has no experiments, if there is a reason.
pub fn skip_reason(instruction: &Instruction, options: &MeasureOptions) -> Option<(ExperimentStatus, String)> {
    for row in handling_of(instruction) {
        match row.action {
            Action::Skip => return Some((ExperimentStatus::Skipped, format!("{} ({})", row.reason, row.source))),
            Action::Dangerous if !options.dangerous => {
                let why = format!("dangerous, launched with --dangerous only: {} ({})", row.reason, row.source);
                return Some((ExperimentStatus::Skipped, why));
            }
            _ => {}
        }
    }
    let needs_parameters = instruction.operands.iter().any(|operand| operand.kind == OperandKind::Attribute);
    let why = match instruction.encoding {
        Encoding::Mimg | Encoding::Vsample => {
            "needs an image descriptor, which the kernels do not build (docs/facts.md §7)"
        }
        Encoding::Exp => "exports have no target in a compute kernel (docs/facts.md §7)",
        Encoding::Vintrp | Encoding::Vinterp => {
            "reads interpolation parameters, which a compute kernel lacks (docs/facts.md §7)"
        }
        Encoding::Ldsdir => "reads LDS parameters, which only pixel shaders have (docs/facts.md §7)",
        _ if needs_parameters => "reads interpolation parameters, which a compute kernel lacks (docs/facts.md §7)",
        _ => return None,
    };
    Some((ExperimentStatus::Skipped, why.into()))
}
