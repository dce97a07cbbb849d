//! The experiments of a rule, and those of its amounts that cost nothing.

use gcn_model::record::ExperimentRecord;

use crate::one_wave::OneWave;

/// The experiments of a rule in the order of the run, each with its position.
pub(super) fn of_rule<'r>(
    waves: &OneWave<'r>,
    rule: &'static str,
) -> impl Iterator<Item = (usize, &'r ExperimentRecord)> {
    waves.run.experiments.iter().enumerate().filter(move |(_, record)| record.rule == rule)
}

/// The largest of the amounts that cost nothing, with all smaller ones, and whether the next one costs something; `None` if some amount did not
/// settle before that is known. The amounts ascend, each with whether it is free.
pub(super) fn most_free(amounts: impl Iterator<Item = (u32, Option<bool>)>) -> Option<(u32, bool)> {
    let mut most = 0;
    for (amount, is_free) in amounts {
        if !is_free? {
            return Some((most, true));
        }
        most = amount;
    }
    Some((most, false))
}
