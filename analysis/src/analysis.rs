//! From a run's folder to everything that is derived from it.

use std::path::Path;

use gcn_model::published::{self, Published};
use gcn_model::quantity::Cycles;
use gcn_model::record::{ExperimentKind, RunRecord};

use crate::dpfactor::{DpFactor, NoDoublePrecision};
use crate::error::AnalysisError;
use crate::expectation::dp_multiple;
use crate::measured::Measured;
use crate::output::{dpfactor_json, page, remove, throughput_csv, timings_csv, validation_csv, write_atomically};
use crate::placement::HwIdLayout;
use crate::run::StoredRun;
use crate::status::Status;
use crate::summary::Summary;
use crate::throughput::{ThroughputRow, throughput_of};
use crate::timing::{TimingBuilder, TimingRow, instructions};
use crate::validation::{ValidationRow, validate};

/// Everything that follows from a run's readings and the published tables, and from nothing else.
#[derive(Debug, Clone)]
pub struct Analysis {
    record: RunRecord,
    timings: Vec<TimingRow>,
    throughputs: Vec<ThroughputRow>,
    dpfactor: Result<DpFactor, NoDoublePrecision>,
    validation: Vec<ValidationRow>,
    unsettled: Vec<String>,
}

/// Derives everything from a run's folder; writes nothing.
///
/// # Errors
/// The folder's files are missing, cut off, edited or foreign; see [`StoredRun::load`].
pub fn analyze(folder: &Path) -> Result<Analysis, AnalysisError> {
    StoredRun::load(folder).map(|run| Analysis::of(&run))
}

impl Analysis {
    /// Derives everything from a run that is loaded, with the built-in published sources.
    pub fn of(run: &StoredRun) -> Self {
        Self::with_sources(run, published::sources())
    }

    /// Derives everything from a run that is loaded and the given published sources.
    pub fn with_sources(run: &StoredRun, sources: &[Published]) -> Self {
        let layout = HwIdLayout::of_target(&run.record.device.target);
        let throughputs: Vec<ThroughputRow> = run
            .experiments
            .iter()
            .enumerate()
            .filter(|(_, record)| record.kind == ExperimentKind::Throughput)
            .map(|(position, record)| throughput_of(record, run.readings_of(position), layout))
            .collect();
        let mut by_instruction: std::collections::HashMap<&str, Vec<&ThroughputRow>> = Default::default();
        for row in &throughputs {
            by_instruction.entry(&row.instruction).or_default().push(row);
        }
        let builder = TimingBuilder::new(run);
        let timings: Vec<TimingRow> = instructions(run)
            .iter()
            .map(|experiments| {
                let rows = by_instruction.get(experiments.instruction).map_or(&[][..], Vec::as_slice);
                builder.row(experiments, rows)
            })
            .collect();
        let rows: Vec<(&str, f64, Measured<Cycles>)> = timings
            .iter()
            .filter_map(|row| {
                let multiple = dp_multiple(sources, run.generation, &row.instruction)?;
                Some((row.instruction.as_str(), multiple, row.cycles?))
            })
            .collect();
        let table = sources.iter().map(Published::dp_factors).find(|table| !table.is_empty()).unwrap_or_default();
        let dpfactor = DpFactor::of(&rows, table);
        let factor = dpfactor.as_ref().ok().map(|dpfactor| dpfactor.dpfactor);
        let validation = validate(sources, run.generation, &timings, factor);
        let unstable = throughputs.iter().filter(|row| row.status == Status::Unstable);
        let unsettled =
            builder.unsettled().chain(unstable.map(|row| row.experiment.as_str())).map(str::to_owned).collect();
        Self { record: run.record.clone(), timings, throughputs, dpfactor, validation, unsettled }
    }

    /// Rows of `timings.csv`, in the order of `experiments.csv`.
    pub fn timings(&self) -> &[TimingRow] {
        &self.timings
    }

    /// Rows of `throughput.csv`.
    pub fn throughputs(&self) -> &[ThroughputRow] {
        &self.throughputs
    }

    /// DPFACTOR.
    ///
    /// # Errors
    /// No double-precision instruction was measured.
    pub fn dpfactor(&self) -> Result<&DpFactor, NoDoublePrecision> {
        self.dpfactor.as_ref().map_err(|&absent| absent)
    }

    /// Rows of `validation.csv`, source by source.
    pub fn validation(&self) -> &[ValidationRow] {
        &self.validation
    }

    /// The run that all of this follows from.
    pub fn record(&self) -> &RunRecord {
        &self.record
    }

    /// What a user wants to know first.
    pub fn summary(&self) -> Summary {
        Summary::of(self)
    }

    /// Ids of the experiments whose readings did not settle: they are to be measured again.
    ///
    /// New readings (of new launches) join the old ones; a disturbance that was a passing one is then outvoted.
    pub fn unsettled(&self) -> &[String] {
        &self.unsettled
    }

    /// Writes the derived files into a folder, each whole or not at all: `timings.csv`, `throughput.csv`, `validation.csv`,
    /// `TIMINGS.md` and, if a double-precision instruction was measured, `dpfactor.json` (an old one is removed if not).
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), AnalysisError> {
        write_atomically(folder, "timings.csv", &timings_csv(&self.timings))?;
        write_atomically(folder, "throughput.csv", &throughput_csv(&self.throughputs))?;
        write_atomically(folder, "validation.csv", &validation_csv(&self.validation))?;
        write_atomically(folder, "TIMINGS.md", &page(self))?;
        match &self.dpfactor {
            Ok(dpfactor) => write_atomically(folder, "dpfactor.json", &dpfactor_json(dpfactor)),
            Err(NoDoublePrecision) => remove(folder, "dpfactor.json"),
        }
    }
}
