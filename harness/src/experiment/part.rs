//! Which suite asks for which part of a plan.

use gcn_model::record::ExperimentKind;

use super::options::Suite;
use super::plan::Plan;
use super::planned::{Experiment, PlanPart};

impl Plan {
    /// The experiments that were planned since the last part ended belong to a suite.
    pub(super) fn end_part(&mut self, suite: Suite) {
        // In front of the first part stand the fillers.
        let is_filler = |experiment: &&Experiment| experiment.record.kind == ExperimentKind::Filler;
        let fillers = || self.experiments.iter().take_while(is_filler).count();
        let start = self.parts.last().map_or_else(fillers, |part| part.experiments.end);
        if start < self.experiments.len() {
            self.parts.push(PlanPart { suite, experiments: start..self.experiments.len() });
        }
    }

    /// The suite that asks for an experiment, by its place; `None` for the common base of the others.
    pub fn suite_of(&self, place: usize) -> Option<Suite> {
        self.parts.iter().find(|part| part.experiments.contains(&place)).map(|part| part.suite)
    }
}
