//! What a run that is gone on with has already done, and whether it is the same run.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use gcn_analysis::run::{StoredFile, StoredFiles};
use gcn_analysis::{AnalysisError, RowProblem};
use gcn_model::record::{ExperimentRecord, ExperimentStatus, RunRecord};
use serde_json::json;

use super::difference::{CODE_OBJECTS, differences};
use super::schedule::{Round, Schedule};
use super::{Resuming, RunError};
use crate::experiment::Plan;

/// What is done.
#[derive(Debug, Clone, Default)]
pub(super) struct Done {
    /// Places in the plan, in the order in which they were tried, for each round.
    rounds: BTreeMap<u32, Vec<usize>>,
    /// What was cut off.
    pub(super) resuming: Resuming,
}

impl Done {
    /// What the files say, if they are those of this plan. `batch` is the most experiments that are tried before their rows are stored.
    pub(super) fn of(
        files: &StoredFiles,
        folder: &Path,
        plan: &Plan,
        schedule: &Schedule<'_>,
        batch: usize,
    ) -> Result<Self, RunError> {
        let stored = &files.run().experiments;
        for record in stored {
            let planned = plan.experiments.get(record.place as usize).map(|planned| &planned.record);
            if !planned.is_some_and(|planned| is_of(record, planned)) {
                let planned = planned.map_or("nothing", |planned| planned.experiment.as_str());
                let what = format!(
                    "place {} is that of {}, and the plan has {planned} there",
                    record.place, record.experiment
                );
                return Err(RunError::NotPlanned { path: folder.join("experiments.csv"), what });
            }
        }
        let mut done = Self::default();
        for tried in files.tries() {
            let place = stored[tried.experiment].place as usize;
            done.rounds.entry(tried.round).or_default().push(place);
        }
        let known = done.next(schedule, batch);
        let known: Vec<&str> = match &known {
            Some(places) => places.iter().map(|&place| plan.experiments[place].record.experiment.as_str()).collect(),
            None => plan.experiments.iter().map(|experiment| experiment.record.experiment.as_str()).collect(),
        };
        done.resuming = Resuming {
            complete: stored.len(),
            of: schedule.experiments(),
            cut_off_rows: cut_off(files, StoredFile::Experiments, folder, &known, batch)?,
            cut_off_readings: cut_off(files, StoredFile::Readings, folder, &known, batch)?,
            given_up: None,
        };
        Ok(done)
    }

    /// What is tried next, as far as the first sweep through the plan goes; behind that it depends on the readings.
    fn next(&self, schedule: &Schedule<'_>, batch: usize) -> Option<Vec<usize>> {
        let first = schedule.round(0);
        let done = self.rounds.get(&0).map_or(0, Vec::len);
        let is_under_way = self.rounds.keys().all(|&round| round == 0) && done < first.places().len();
        is_under_way.then(|| first.places().iter().skip(done).take(batch).copied().collect())
    }

    /// Whether anything of a round was tried.
    pub(super) fn has_begun(&self, round: u32) -> bool {
        self.rounds.contains_key(&round)
    }

    /// What is left of a round. One `in_time` is over, too, when another one has begun behind it.
    pub(super) fn left<'r>(&self, round: &'r Round, in_time: bool, folder: &Path) -> Result<&'r [usize], RunError> {
        let not_planned = |what| RunError::NotPlanned { path: folder.join("journal.csv"), what };
        let number = round.number;
        let done = self.rounds.get(&number).map_or(&[][..], Vec::as_slice);
        let Some(left) = round.places().strip_prefix(done) else {
            return Err(not_planned(format!("round {number} is not of the experiments that this run tries in it")));
        };
        match self.rounds.keys().find(|&&other| other > number) {
            Some(_) if in_time => Ok(&[]),
            Some(later) if !left.is_empty() => {
                Err(not_planned(format!("round {later} comes too early: round {number} is not complete")))
            }
            _ => Ok(left),
        }
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
