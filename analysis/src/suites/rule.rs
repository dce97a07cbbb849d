//! The experiments of a rule.

use gcn_model::record::ExperimentRecord;

use crate::one_wave::OneWave;

/// The experiments of a rule in the order of the run, each with its position.
pub(super) fn of_rule<'r>(
    waves: &OneWave<'r>,
    rule: &'static str,
) -> impl Iterator<Item = (usize, &'r ExperimentRecord)> {
    waves.run.experiments.iter().enumerate().filter(move |(_, record)| record.rule == rule)
}
