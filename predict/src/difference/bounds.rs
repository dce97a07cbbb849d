//! What limits two regions.

use gcn_model::quantity::Cycles;
use serde::Serialize;

use crate::prediction::Prediction;

/// How long an iteration of each region would take if one thing alone were the limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoundChange {
    /// The limit.
    pub of: &'static str,
    /// Cycles of an iteration of the first region; none if it does not use it.
    pub before: Cycles,
    /// Cycles of an iteration of the second region; none if it does not use it.
    pub after: Cycles,
}

/// The bounds of two predictions, in the order of the first one; those that only the second one has come last.
pub(super) fn bound_changes(before: &Prediction, after: &Prediction) -> Vec<BoundChange> {
    let of = |prediction: &Prediction, name: &str| {
        let bound = prediction.bounds.iter().find(|bound| bound.of == name);
        bound.map_or(Cycles(0.0), |bound| bound.cycles)
    };
    let mut names: Vec<&'static str> = Vec::new();
    for bound in before.bounds.iter().chain(&after.bounds) {
        if !names.contains(&bound.of) {
            names.push(bound.of);
        }
    }
    names.into_iter().map(|name| BoundChange { of: name, before: of(before, name), after: of(after, name) }).collect()
}
