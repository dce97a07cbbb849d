//! `journal.csv`: which rows of the other two files are complete.

use std::collections::BTreeSet;

use gcn_model::record::{JournalRecord, columns};

use super::row_file::RowFile;
use super::run_record::{RunKey, checksum};
use crate::error::{AnalysisError, RowProblem};

/// An attempt and its outcome, for a row of the journal.
#[derive(Debug, Clone, Copy)]
pub struct JournalEntry<'a> {
    /// Sweep through the plan, or round after all sweeps.
    pub round: u32,
    pub experiment: &'a str,
    /// What TRAPSTS.DP_RATE read.
    pub dp_rates: &'a BTreeSet<u32>,
    /// Why it failed; empty if it did not.
    pub failure: &'a str,
    /// The experiment's row as in `experiments.csv`, if this attempt writes it.
    pub row: &'a [u8],
    /// Rows that it added to `readings.csv`.
    pub readings: u64,
    /// These as in their file.
    pub readings_rows: &'a [u8],
}

impl JournalEntry<'_> {
    /// The row of `journal.csv` of a run.
    pub fn record(&self, run: &RunKey) -> JournalRecord {
        let dp_rates: Vec<_> = self.dp_rates.iter().map(ToString::to_string).collect();
        let record = JournalRecord {
            round: self.round,
            experiment: self.experiment.to_owned(),
            readings: self.readings,
            // On one line: a row that was cut off while it was written is known by its missing end.
            failure: self.failure.lines().collect::<Vec<_>>().join("; "),
            dp_rates: dp_rates.join(" "),
            row_checksum: if self.row.is_empty() { String::new() } else { checksum(self.row) },
            readings_checksum: checksum(self.readings_rows),
            checksum: String::new(),
        };
        signed(record, run)
    }
}

/// A row of a run's journal with its checksum.
pub fn signed(record: JournalRecord, run: &RunKey) -> JournalRecord {
    JournalRecord { checksum: own_checksum(&record, run), ..record }
}

/// Checksum of a row of a run's journal but its last field.
fn own_checksum(record: &JournalRecord, run: &RunKey) -> String {
    let JournalRecord { round, experiment, readings, failure, dp_rates, row_checksum, readings_checksum, .. } = record;
    let run = run.text();
    let fields =
        format!("{run},{round},{experiment},{readings},{failure},{dp_rates},{row_checksum},{readings_checksum}");
    checksum(fields.as_bytes())
}

/// Reads and checks `journal.csv`, each row with its line.
///
/// # Errors
/// Other columns, or a row that differs from the run's output.
pub(super) fn load_journal(file: &RowFile, run: &RunKey) -> Result<Vec<(u64, JournalRecord)>, AnalysisError> {
    let mut records = Vec::new();
    file.each(columns::<JournalRecord>(), |row| {
        let record: JournalRecord =
            row.fields.deserialize(Some(row.header)).map_err(|error| RowProblem::Csv(error.to_string()))?;
        if own_checksum(&record, run) != record.checksum {
            let other = if records.is_empty() { ", unless run.json is that of another run," } else { "" };
            let what = format!("the row of {}{other}", record.experiment);
            return Err(RowProblem::Checksum { what, last_line: row.line });
        }
        records.push((row.line, record));
        Ok(())
    })?;
    Ok(records)
}

/// The values of the column `dp_rates`.
pub(super) fn dp_rates(record: &JournalRecord) -> impl Iterator<Item = u32> {
    record.dp_rates.split(' ').filter_map(|rate| rate.parse().ok())
}
