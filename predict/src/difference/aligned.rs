//! The listings of two regions side by side.

use gcn_model::decode::Decoded;
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
fn key(address: u64, decoded: &Decoded) -> String {
    match decoded.branch_target(address) {
        Some(_) => decoded.instruction.name.clone(),
        None => decoded.to_string(),
    }
}

/// A prediction with its instructions as they were decoded.
pub(super) struct Listing<'a> {
    pub(super) prediction: &'a Prediction,
    pub(super) decoded: &'a [(u64, Decoded)],
}

impl Listing<'_> {
    fn keys(&self) -> Vec<String> {
        self.decoded.iter().map(|(address, decoded)| key(*address, decoded)).collect()
    }
}

/// Puts the instructions of two listings side by side: as many as possible with the same text, in the order of both.
pub(super) fn aligned(before: &Listing<'_>, after: &Listing<'_>) -> Vec<ChangedLine> {
    let cycles = |line: &Line| Cycles(line.issue.0 + line.stalled().0);
    let [old, new] = [before, after].map(|listing| &listing.prediction.instructions);
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
    for op in capture_diff_slices(Algorithm::Myers, &before.keys(), &after.keys()) {
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
