//! From a run's folder to everything that is derived from it.

use std::path::Path;

use gcn_model::record::ExperimentKind;

use crate::dpfactor::{DpFactor, NoDoublePrecision};
use crate::error::AnalysisError;
use crate::output::{throughput_csv, timings_csv, write_atomically};
use crate::placement::HwIdLayout;
use crate::run::StoredRun;
use crate::throughput::{ThroughputRow, throughput_of};
use crate::timing::{TimingBuilder, TimingRow, instructions};

/// Everything that follows from a run's readings and the published tables, and from nothing else.
#[derive(Debug, Clone)]
pub struct Analysis {
    timings: Vec<TimingRow>,
    throughputs: Vec<ThroughputRow>,
    dpfactor: Result<DpFactor, NoDoublePrecision>,
}

/// Derives everything from a run's folder; writes nothing.
///
/// # Errors
/// The folder's files are missing, cut off, edited or foreign; see [`StoredRun::load`].
pub fn analyze(folder: &Path) -> Result<Analysis, AnalysisError> {
    StoredRun::load(folder).map(|run| Analysis::of(&run))
}

impl Analysis {
    /// Derives everything from a run that is loaded.
    pub fn of(run: &StoredRun) -> Self {
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
        let dpfactor = Err(NoDoublePrecision);
        Self { timings, throughputs, dpfactor }
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

    /// Writes the derived files into a folder, each whole or not at all.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), AnalysisError> {
        write_atomically(folder, "timings.csv", &timings_csv(&self.timings))?;
        write_atomically(folder, "throughput.csv", &throughput_csv(&self.throughputs))
    }
}
