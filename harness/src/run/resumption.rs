//! The complete part of a resumed run, and whether it is the same run.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use gcn_analysis::run::{StoredFile, StoredFiles};
use gcn_analysis::{AnalysisError, RowProblem};
use gcn_model::record::{DeviceRecord, ExperimentRecord, ExperimentStatus, RunRecord};
use serde_json::{Value, json};

use super::difference::{CODE_OBJECTS, differences};
use super::schedule::{Round, Schedule};
use super::{Resuming, RunError};
use crate::experiment::Plan;

/// The complete part.
#[derive(Debug, Clone, Default)]
pub(super) struct Done {
    /// Places in the plan, in the order in which they were tried first, for each round.
    rounds: BTreeMap<u32, Vec<usize>>,
    /// Places of what failed, even if it stood later: it may have missed rounds that others are in.
    failed: HashSet<usize>,
    /// Whether anything was tried again because it had failed.
    has_retries: bool,
    /// The failures to retry: rounds and places.
    again: HashSet<(u32, usize)>,
    /// The part that was cut off.
    pub(super) resuming: Resuming,
}

impl Done {
    /// The files' content, if they are those of this plan. `batch` is the most experiments that are attempted before their rows are stored.
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
                let what =
                    format!("place {} has {}, but the plan has {planned} there", record.place, record.experiment);
                return Err(RunError::NotPlanned { path: folder.join("experiments.csv"), what });
            }
        }
        let mut done = Self::default();
        for tried in files.tries() {
            let place = stored[tried.experiment].place as usize;
            let round = done.rounds.entry(tried.round).or_default();
            if done.failed.contains(&place) && round.contains(&place) {
                done.has_retries = true;
            } else {
                round.push(place);
            }
            if !tried.failure.is_empty() {
                done.failed.insert(place);
            }
        }
        let id = |place: usize| plan.experiments[place].record.experiment.as_str();
        let known: HashSet<&str> = match done.next(schedule, batch) {
            Some(places) => places.into_iter().chain(done.failed.iter().copied()).map(id).collect(),
            None => (0..plan.experiments.len()).map(id).collect(),
        };
        done.resuming = Resuming {
            complete: stored.len(),
            of: schedule.experiments(),
            cut_off_rows: cut_off(files, StoredFile::Experiments, folder, &known, batch)?,
            cut_off_readings: cut_off(files, StoredFile::Readings, folder, &known, batch)?,
            retried: 0,
            given_up: None,
        };
        Ok(done)
    }

    /// The next attempt in the first sweep through the plan; later ones depend on the readings.
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

    /// Something that failed is tried again, in the round in which it did: its launches have the numbers that they had.
    pub(super) fn try_again(&mut self, round: u32, place: usize) {
        self.again.insert((round, place));
        self.resuming.retried = self.again.len();
    }

    /// The rest of a round. A round `in_time` is over, too, when another one has begun after it. The members of a round that `follows` from
    /// the readings is decided anew if something that failed was tried again since.
    pub(super) fn left(
        &self,
        round: &Round,
        in_time: bool,
        follows: bool,
        folder: &Path,
    ) -> Result<Vec<usize>, RunError> {
        let not_planned = |what| RunError::NotPlanned { path: folder.join("journal.csv"), what };
        let number = round.number;
        let done = self.rounds.get(&number).map_or(&[][..], Vec::as_slice);
        let is_planned = if self.has_retries && follows {
            true
        } else if self.has_retries || !self.again.is_empty() {
            let stood = |place: &&usize| !self.failed.contains(place);
            let (mut planned, mut done) = (round.places().iter().filter(stood), done.iter().filter(stood));
            done.all(|place| planned.next() == Some(place))
        } else {
            round.places().starts_with(done)
        };
        if !is_planned {
            return Err(not_planned(format!(
                "round {number} does not match the experiments that this run plans for it"
            )));
        }
        let is_done: HashSet<usize> = done.iter().copied().collect();
        let is_left = |place: &usize| !is_done.contains(place) || self.again.contains(&(number, *place));
        let left: Vec<usize> = round.places().iter().copied().filter(is_left).collect();
        let is_late = |place: &usize| !(self.failed.contains(place) || follows && self.has_retries);
        match self.rounds.keys().find(|&&other| other > number) {
            Some(_) if in_time => Ok(Vec::new()),
            Some(later) if left.iter().any(is_late) => {
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

/// Rows after those that are complete. They are written before the journal is, and nothing else may be there.
fn cut_off(
    files: &StoredFiles,
    file: StoredFile,
    folder: &Path,
    known: &HashSet<&str>,
    batch: usize,
) -> Result<u64, RunError> {
    let torn = files.torn(file, batch)?;
    let name = if file == StoredFile::Readings { "readings.csv" } else { "experiments.csv" };
    match torn.experiments.into_iter().find(|(_, id)| !known.contains(id.as_str())) {
        Some((line, id)) => {
            let problem = RowProblem::UnknownExperiment(id);
            Err(AnalysisError::Row { path: folder.join(name), line, problem }.into())
        }
        None => Ok(torn.lines),
    }
}

/// Whether the run is the one that its folder is of.
pub(super) fn check_same(folder: &Path, stored: &RunRecord, new: &RunRecord) -> Result<(), RunError> {
    let identity = |record: &RunRecord| {
        [
            ("tool", json!(record.tool)),
            ("device", device_identity(&record.device)),
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

/// The properties of a device that must be equal. Clocks are taken to a kilohertz: the last digits of a fraction may change on the way through a file.
pub(super) fn device_identity(device: &DeviceRecord) -> Value {
    let rounded = |clock: Option<f64>| clock.map(|mhz| (mhz * 1000.0).round() / 1000.0);
    let (clock_mhz, realtime_mhz) = (rounded(device.clock_mhz), rounded(device.realtime_mhz));
    json!(DeviceRecord { clock_mhz, realtime_mhz, ..device.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_digit_of_a_clock_is_no_other_device() {
        let device = json!({
            "device": "hip:0", "name": "card", "driver": "HIP", "target": "gfx803", "generation": "1.2", "compute_units": 2,
            "clock_mhz": 1000.1, "realtime_mhz": 27.000_000_000_000_004,
        });
        let device: DeviceRecord = serde_json::from_value(device).unwrap();
        let next = |clock: Option<f64>| clock.map(|mhz| f64::from_bits(mhz.to_bits() + 1));
        let clocks = (next(device.clock_mhz), next(device.realtime_mhz));
        let read = DeviceRecord { clock_mhz: clocks.0, realtime_mhz: clocks.1, ..device.clone() };
        assert_ne!(read, device);
        assert_eq!(device_identity(&read), device_identity(&device));
        let other = DeviceRecord { clock_mhz: Some(1000.2), ..device.clone() };
        assert_ne!(device_identity(&other), device_identity(&device));
    }
}
