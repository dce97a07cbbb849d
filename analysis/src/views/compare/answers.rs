//! Answers in words that are not the same in two runs.

use std::collections::BTreeSet;

use crate::tables::Tables;

/// A question that both runs answer, each otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerChange {
    /// The question.
    pub question: String,
    /// Run A's answer.
    pub a: String,
    /// Run B's answer.
    pub b: String,
}

/// The answers that exclude each other: granules of which none is in both runs, and readings that hold.
pub(super) fn answer_changes(a: &Tables, b: &Tables) -> Vec<AnswerChange> {
    let mut changes = Vec::new();
    for of_a in &a.allocations {
        let Some(of_b) = b.allocations.iter().find(|row| row.resource == of_a.resource) else { continue };
        let [granules_a, granules_b] = [of_a, of_b].map(|row| row.granule.split(' ').collect::<BTreeSet<_>>());
        if !of_a.granule.is_empty() && !of_b.granule.is_empty() && granules_a.is_disjoint(&granules_b) {
            let question = format!("granule of {}", of_a.resource);
            changes.push(AnswerChange { question, a: of_a.granule.clone(), b: of_b.granule.clone() });
        }
    }
    for of_a in &a.semantics {
        let Some(of_b) = b.semantics.iter().find(|row| row.case == of_a.case) else { continue };
        let both_hold = [of_a, of_b].into_iter().all(|row| row.verdict == "holds");
        if both_hold && of_a.reading != of_b.reading {
            let question = of_a.question.clone();
            changes.push(AnswerChange { question, a: of_a.reading.clone(), b: of_b.reading.clone() });
        }
    }
    changes
}
