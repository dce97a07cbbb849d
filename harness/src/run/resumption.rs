//! What a run that is gone on with has already done, and whether it is the same run.

use std::collections::HashSet;
use std::path::Path;

use gcn_analysis::run::{StoredFile, StoredFiles, Try};
use gcn_analysis::{AnalysisError, RowProblem};
use gcn_model::record::{ExperimentRecord, ExperimentStatus, RunRecord};
use serde_json::json;

use super::difference::{CODE_OBJECTS, differences};
use super::schedule::Schedule;
use super::{Resuming, RunError};
use crate::experiment::Plan;

/// What is done.
#[derive(Debug, Clone, Default)]
pub(super) struct Done {
    /// Places in the plan, in the order in which they were tried, for each round.
    rounds: Vec<Vec<usize>>,
    /// What was cut off.
    pub(super) resuming: Resuming,
}

impl Done {
    /// What the files say, if they are those of this plan. `batch` is the most experiments that are tried before their rows are stored.
    pub(super) fn of(
        files: &StoredFiles,
        folder: &Path,
        plan: &Plan,
        schedule: &Schedule,
        batch: usize,
    ) -> Result<Self, RunError> {
        let not_planned = |name: &str, what| RunError::NotPlanned { path: folder.join(name), what };
        let stored = &files.run().experiments;
        let places = schedule.places();
        for (number, record) in stored.iter().enumerate() {
            let planned = places.get(number).map(|&place| &plan.experiments[place].record);
            if !planned.is_some_and(|planned| is_of(record, planned)) {
                let planned = planned.map_or("nothing", |planned| planned.experiment.as_str());
                let what = format!("row {} is of {}, and the plan has {planned} there", number + 1, record.experiment);
                return Err(not_planned("experiments.csv", what));
            }
        }
        let mut done = Self::default();
        for Try { round, experiment, .. } in files.tries() {
            let round = *round as usize;
            let is_next = round + 1 == done.rounds.len() || round == done.rounds.len();
            if !is_next || (round == 1 && stored.len() < places.len()) {
                let what = format!("round {round} of {} comes too early", stored[*experiment].experiment);
                return Err(not_planned("journal.csv", what));
            }
            if round == done.rounds.len() {
                done.rounds.push(Vec::new());
            }
            done.rounds[round].push(places[*experiment]);
        }
        let next = places[stored.len().min(places.len())..].iter().take(batch);
        let next: Vec<&str> = next.map(|&place| plan.experiments[place].record.experiment.as_str()).collect();
        done.resuming = Resuming {
            complete: stored.len(),
            of: places.len(),
            cut_off_rows: cut_off(files, StoredFile::Experiments, folder, &next, batch)?,
            cut_off_readings: {
                let again = stored.iter().map(|record| record.experiment.as_str());
                let known: Vec<&str> = if next.is_empty() { again.collect() } else { next };
                cut_off(files, StoredFile::Readings, folder, &known, batch)?
            },
            given_up: None,
        };
        Ok(done)
    }

    /// What is left of a round, whose experiments these are.
    pub(super) fn left<'p>(&self, round: u32, places: &'p [usize], folder: &Path) -> Result<&'p [usize], RunError> {
        let done = self.rounds.get(round as usize).map_or(&[][..], Vec::as_slice);
        places.strip_prefix(done).ok_or_else(|| RunError::NotPlanned {
            path: folder.join("journal.csv"),
            what: format!("round {round} is not of the experiments that did not settle before it"),
        })
    }
}

/// Whether a stored row is that of a planned experiment, whatever came of it.
fn is_of(stored: &ExperimentRecord, planned: &ExperimentRecord) -> bool {
    let has_failed = planned.status == ExperimentStatus::Ok && stored.status == ExperimentStatus::Failed;
    if has_failed {
        let ended = ExperimentRecord { status: stored.status, detail: stored.detail.clone(), ..planned.clone() };
        return *stored == ended;
    }
    stored == planned
}

/// Rows behind those that are complete. They are what is written before the journal is, and nothing else.
fn cut_off(
    files: &StoredFiles,
    file: StoredFile,
    folder: &Path,
    known: &[&str],
    batch: usize,
) -> Result<u64, RunError> {
    let (complete, tail) = files.complete_and_cut_off(file);
    let name = if file == StoredFile::Readings { "readings.csv" } else { "experiments.csv" };
    let known: HashSet<&[u8]> = known.iter().map(|id| id.as_bytes()).collect();
    let first_line = complete.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
    let mut found = HashSet::new();
    let mut lines = 0;
    for (line, row) in (first_line..).zip(tail.split_inclusive(|&byte| byte == b'\n')) {
        lines += 1;
        let id = row.split(|&byte| byte == b',').next().unwrap_or_default();
        if row.last() == Some(&b'\n') && !known.contains(id) {
            let problem = RowProblem::UnknownExperiment(String::from_utf8_lossy(id).into_owned());
            return Err(AnalysisError::Row { path: folder.join(name), line, problem }.into());
        }
        found.insert(id);
        if found.len() > batch + 1 {
            return Err(AnalysisError::Row { path: folder.join(name), line, problem: RowProblem::Unexpected }.into());
        }
    }
    Ok(lines)
}

/// Whether the run is the one that its folder is of.
pub(super) fn check_same(folder: &Path, stored: &RunRecord, new: &RunRecord) -> Result<(), RunError> {
    let identity = |record: &RunRecord| {
        [
            ("tool", json!(record.tool)),
            ("device", json!(record.device)),
            ("options", json!(record.options)),
            ("shard", json!(record.shard)),
            (CODE_OBJECTS, json!(record.code_objects)),
        ]
    };
    match differences(("now", &identity(new)), ("in run.json", &identity(stored))) {
        Some(differences) => Err(RunError::Differs { folder: folder.to_owned(), differences }),
        None => Ok(()),
    }
}
