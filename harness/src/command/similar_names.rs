//! Names that a mistyped one may stand for.

use gcn_model::isa::{self, Instruction};

/// Which of these instructions may be meant, as a question, or else where all are listed.
pub(super) fn did_you_mean(
    name: &str,
    instructions: impl Iterator<Item = &'static Instruction>,
    otherwise: &str,
) -> String {
    match isa::similar(name, instructions).as_slice() {
        [] => otherwise.to_owned(),
        near => format!("did you mean {}?", near.join(", ")),
    }
}
