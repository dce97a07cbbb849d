//! The listings of two regions side by side.

use gcn_model::quantity::Cycles;
use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::line::Line;
use crate::prediction::Prediction;

/// A line of both listings, or of one of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangedLine {
    /// The text of the instruction, of the later one if it is in both: a jump may lead elsewhere in each.
    pub text: String,
    /// Its address in the first region, if it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_address: Option<u64>,
    /// Its address in the second region, if it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_address: Option<u64>,
    /// Issue and stalls in the first region, none if it is not there.
    pub before: Cycles,
    /// Issue and stalls in the second region, none if it is not there.
    pub after: Cycles,
}

/// What makes an instruction the same in both: its text, of a jump its name, for the way to its target changes with what lies between.
fn key(line: &Line) -> String {
    match line.decoded.branch_target(line.address) {
        Some(_) => line.decoded.instruction.name.clone(),
        None => line.decoded.to_string(),
    }
}

/// Puts the instructions of two listings side by side: as many as possible with the same text, in the order of both.
pub(super) fn aligned(before: &Prediction, after: &Prediction) -> Vec<ChangedLine> {
    let cycles = |line: &Line| Cycles(line.issue.0 + line.stalled().0);
    let [old, new] = [before, after].map(|prediction| &prediction.instructions);
    let keys = |lines: &[Line]| lines.iter().map(key).collect::<Vec<_>>();
    let gone = |line: &Line| ChangedLine {
        text: line.text.clone(),
        before_address: Some(line.address),
        after_address: None,
        before: cycles(line),
        after: Cycles(0.0),
    };
    let come = |line: &Line| ChangedLine {
        text: line.text.clone(),
        before_address: None,
        after_address: Some(line.address),
        before: Cycles(0.0),
        after: cycles(line),
    };
    let mut lines = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &keys(old), &keys(new)) {
        if let DiffOp::Equal { .. } = op {
            let pairs = old[op.old_range()].iter().zip(&new[op.new_range()]);
            lines.extend(pairs.map(|(old, new)| ChangedLine {
                before_address: Some(old.address),
                before: cycles(old),
                ..come(new)
            }));
            continue;
        }
        lines.extend(old[op.old_range()].iter().map(gone));
        lines.extend(new[op.new_range()].iter().map(come));
    }
    lines
}
