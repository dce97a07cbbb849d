//! Answers in words that are not the same in two runs.

use serde::Serialize;

use crate::results::Results;
use crate::tables::Single;
use crate::verdict::SemanticVerdict;

/// A question that both runs answer, each otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnswerChange {
    pub question: String,
    pub a: String,
    pub b: String,
}

/// The answers that exclude each other: granules of which none is in both runs, and readings that hold.
pub(super) fn answer_changes(a: &Results, b: &Results) -> Vec<AnswerChange> {
    let mut changes = Vec::new();
    for of_a in &a.occupancy.allocations {
        let Some(of_b) = b.occupancy.allocations.iter().find(|row| row.resource == of_a.resource) else { continue };
        let [a, b] = [&of_a.granules, &of_b.granules];
        if !a.is_empty() && !b.is_empty() && !a.iter().any(|granule| b.contains(granule)) {
            let question = format!("granule of {}", of_a.resource);
            changes.push(AnswerChange { question, a: a.text(), b: b.text() });
        }
    }
    for of_a in &a.semantics {
        let Some(of_b) = b.semantics.iter().find(|row| row.case == of_a.case) else { continue };
        let both_hold = [of_a, of_b].into_iter().all(|row| row.verdict == SemanticVerdict::Holds);
        if both_hold && of_a.reading != of_b.reading {
            let question = of_a.question.clone();
            changes.push(AnswerChange { question, a: of_a.reading.clone(), b: of_b.reading.clone() });
        }
    }
    changes
}
