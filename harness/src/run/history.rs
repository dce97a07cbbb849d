//! What came of the tries of a run so far.

use std::collections::{BTreeSet, HashMap};

use gcn_analysis::run::StoredFiles;
use gcn_model::record::{ExperimentRecord, ExperimentStatus};

/// The tries of a run that ended, and which of them failed.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Rows of the journal.
    pub(super) tries: u64,
    /// Places in the plan of the experiments that have a row, and whether that says that they failed.
    rows: HashMap<u32, bool>,
    /// In which round an experiment failed whose last try did, by its id.
    failed: HashMap<String, u32>,
    /// How often an experiment failed, by its id.
    failures: HashMap<String, u32>,
    /// What TRAPSTS.DP_RATE read in all of these.
    dp_rates: BTreeSet<u32>,
}

impl History {
    /// That of a resumed run.
    pub(super) fn of(before: &StoredFiles) -> Self {
        let stored = &before.run().experiments;
        let mut history = Self::default();
        for tried in before.tries() {
            let id = &stored[tried.experiment].experiment;
            history.add(id, tried.round, !tried.failure.is_empty(), tried.dp_rates.iter().copied());
        }
        stored.iter().for_each(|record| history.add_row(record));
        history
    }

    /// Adds a try of an experiment.
    pub(super) fn add(
        &mut self,
        experiment: &str,
        round: u32,
        has_failed: bool,
        dp_rates: impl IntoIterator<Item = u32>,
    ) {
        self.tries += 1;
        self.dp_rates.extend(dp_rates);
        if has_failed {
            self.failed.insert(experiment.to_owned(), round);
            *self.failures.entry(experiment.to_owned()).or_default() += 1;
        } else {
            self.failed.remove(experiment);
        }
    }

    /// Whether a try of an experiment writes its row: the first one does, and so does one after a row that says that it failed.
    pub(super) fn wants_row(&self, place: u32) -> bool {
        self.rows.get(&place).is_none_or(|&has_failed| has_failed)
    }

    /// Adds the row of an experiment: the last one counts.
    pub(super) fn add_row(&mut self, record: &ExperimentRecord) {
        self.rows.insert(record.place, record.status == ExperimentStatus::Failed);
    }

    /// In which round an experiment failed, if its last try did.
    pub(super) fn failed_in(&self, experiment: &str) -> Option<u32> {
        self.failed.get(experiment).copied()
    }

    /// Whether the last try of an experiment failed before a round: it is not tried again.
    pub(super) fn has_failed(&self, experiment: &str, round: u32) -> bool {
        self.failed_in(experiment).is_some_and(|failed| failed < round)
    }

    /// How often an experiment failed.
    pub(super) fn failures(&self, experiment: &str) -> u32 {
        self.failures.get(experiment).copied().unwrap_or(0)
    }

    /// What TRAPSTS.DP_RATE read.
    pub(super) fn dp_rates(&self) -> Vec<u32> {
        self.dp_rates.iter().copied().collect()
    }
}
