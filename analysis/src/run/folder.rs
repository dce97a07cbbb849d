//! The three files of a run that hold what was measured.

use std::fs;
use std::path::Path;

use gcn_model::isa::Generation;
use gcn_model::record::{ExperimentRecord, RunRecord};

use super::StoredReading;
use super::experiments::load_experiments;
use super::readings::load_readings;
use crate::error::AnalysisError;

/// Everything that a run stored, checked against the schema: `run.json`, `experiments.csv`, `readings.csv`.
#[derive(Debug, Clone)]
pub struct StoredRun {
    /// `run.json`.
    pub record: RunRecord,
    /// The device's generation.
    pub generation: Generation,
    /// `experiments.csv`, in its order.
    pub experiments: Vec<ExperimentRecord>,
    /// Readings, ordered by experiment; within one experiment in the file's order.
    readings: Vec<StoredReading>,
    /// Where each experiment's readings start in `readings`; one more entry than experiments.
    starts: Vec<usize>,
}

impl StoredRun {
    /// Reads a run's folder.
    ///
    /// # Errors
    /// A file that is missing, of another schema, cut off, edited or of another run: the error names file and line.
    pub fn load(folder: &Path) -> Result<Self, AnalysisError> {
        let path = folder.join("run.json");
        let text = fs::read_to_string(&path).map_err(|source| AnalysisError::Read { path: path.clone(), source })?;
        let record: RunRecord =
            serde_json::from_str(&text).map_err(|source| AnalysisError::RunRecord { path: path.clone(), source })?;
        if record.schema != RunRecord::SCHEMA {
            let (found, supported) = (record.schema, RunRecord::SCHEMA);
            return Err(AnalysisError::Schema { path, found, supported, tool: record.tool });
        }
        let generation = Generation::ALL.into_iter().find(|generation| generation.name() == record.device.generation);
        let Some(generation) = generation else {
            return Err(AnalysisError::Generation { path, found: record.device.generation });
        };
        let experiments = load_experiments(&folder.join("experiments.csv"))?;
        let readings = load_readings(&folder.join("readings.csv"), &experiments)?;
        Ok(Self::new(record, generation, experiments, readings))
    }

    /// A run from parts that are already checked; `readings` may come in any order of experiments.
    pub fn new(
        record: RunRecord,
        generation: Generation,
        experiments: Vec<ExperimentRecord>,
        mut readings: Vec<StoredReading>,
    ) -> Self {
        readings.sort_by_key(|reading| reading.experiment);
        let starts = (0..=experiments.len())
            .map(|index| readings.partition_point(|reading| (reading.experiment as usize) < index))
            .collect();
        Self { record, generation, experiments, readings, starts }
    }

    /// The readings of one experiment, by its position in [`StoredRun::experiments`].
    pub fn readings_of(&self, experiment: usize) -> &[StoredReading] {
        match (self.starts.get(experiment), self.starts.get(experiment + 1)) {
            (Some(&start), Some(&end)) => &self.readings[start..end],
            _ => &[],
        }
    }

    /// All readings, ordered by experiment.
    pub fn readings(&self) -> &[StoredReading] {
        &self.readings
    }
}
