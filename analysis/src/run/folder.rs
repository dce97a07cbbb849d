//! The three files of a run that hold its measurements.

use std::collections::HashMap;

use gcn_model::isa::Generation;
use gcn_model::record::{ExperimentRecord, ExperimentStatus, RunRecord};
use rayon::slice::ParallelSliceMut as _;

use super::StoredReading;

/// Everything that a run stored, checked against the schema and the journal: `run.json`, `experiments.csv`, `readings.csv`.
#[derive(Debug, Clone)]
pub struct StoredRun {
    /// `run.json`.
    pub record: RunRecord,
    /// The device's generation.
    pub generation: Generation,
    /// The rows of `experiments.csv`, in the order of the plan.
    pub experiments: Vec<ExperimentRecord>,
    /// Readings, ordered by experiment; within one experiment in the file's order.
    readings: Vec<StoredReading>,
    /// Where each experiment's readings start in `readings`; one more entry than experiments.
    starts: Vec<usize>,
    /// Why a try of an experiment failed, by its position; the last one counts.
    failures: HashMap<usize, String>,
    /// Experiments that failed and then stood, by their positions, each with the reason.
    retried: Vec<(usize, String)>,
}

impl StoredRun {
    /// The same run before some launch: the knowledge at the time when it was decided to measure again.
    pub fn before_launch(&self, launch: u64) -> Self {
        let readings = self.readings.iter().filter(|reading| u64::from(reading.launch) < launch).copied().collect();
        Self::new(self.record.clone(), self.generation, self.experiments.clone(), readings)
            .with_failures(self.failures.clone(), self.retried.clone())
    }

    /// A run from parts that are already checked; `readings` may come in any order of experiments.
    pub fn new(
        record: RunRecord,
        generation: Generation,
        experiments: Vec<ExperimentRecord>,
        mut readings: Vec<StoredReading>,
    ) -> Self {
        readings.par_sort_by_key(|reading| reading.experiment);
        let starts = (0..=experiments.len())
            .map(|index| readings.partition_point(|reading| (reading.experiment as usize) < index))
            .collect();
        Self { record, generation, experiments, readings, starts, failures: HashMap::new(), retried: Vec::new() }
    }

    /// With attempts that failed.
    pub(super) fn with_failures(self, failures: HashMap<usize, String>, retried: Vec<(usize, String)>) -> Self {
        Self { failures, retried, ..self }
    }

    /// Experiments whose last try failed, with the reason, in the order of the plan.
    pub fn failed(&self) -> impl Iterator<Item = (&ExperimentRecord, &str)> {
        self.experiments.iter().enumerate().filter_map(|(position, record)| {
            let has_failed = record.status == ExperimentStatus::Failed;
            let why = if has_failed { Some(record.detail.as_str()) } else { self.failure_of(position) };
            Some((record, why?))
        })
    }

    /// Experiments that failed and stood when they were tried again, with the reason, in the order of the tries.
    pub fn retried(&self) -> impl Iterator<Item = (&ExperimentRecord, &str)> {
        self.retried.iter().map(|(position, why)| (&self.experiments[*position], why.as_str()))
    }

    /// Why a later try of an experiment failed that has readings of earlier ones.
    pub fn failure_of(&self, experiment: usize) -> Option<&str> {
        let has_readings = self.experiments[experiment].status == ExperimentStatus::Ok;
        self.failures.get(&experiment).filter(|_| has_readings).map(String::as_str)
    }

    /// The readings of an experiment, by its position in [`StoredRun::experiments`].
    pub fn readings_of(&self, experiment: usize) -> &[StoredReading] {
        match (self.starts.get(experiment), self.starts.get(experiment + 1)) {
            (Some(&start), Some(&end)) => &self.readings[start..end],
            _ => &[],
        }
    }

    /// The positions of the experiments, by their ids.
    pub(crate) fn positions(&self) -> HashMap<&str, usize> {
        self.experiments.iter().enumerate().map(|(at, record)| (record.experiment.as_str(), at)).collect()
    }

    /// All readings, ordered by experiment.
    pub fn readings(&self) -> &[StoredReading] {
        &self.readings
    }
}
