//! The files that are derived from a run.

use std::path::Path;

use super::csv_metadata::csv_metadata;
use super::page::page;
use crate::error::AnalysisError;
use crate::estimates::EstimateRow;
use crate::many_waves::ThroughputRow;
use crate::one_wave::TimingRow;
use crate::results::Results;
use crate::run::{remove, write_atomically};
use crate::tables::{InFile, csv_of};
use crate::verdict::{ValidationRow, dpfactor_json};

/// Tables that every run has, with rows or without.
const ALWAYS: [&str; 4] = [EstimateRow::FILE, TimingRow::FILE, ThroughputRow::FILE, ValidationRow::FILE];

impl Results {
    /// The derived files: the name of each and its content, empty where the run has nothing for it.
    pub fn files(&self) -> Vec<(&'static str, Option<String>)> {
        let mut files = Vec::new();
        self.for_each_table(|table| {
            let rows = table.cells();
            let is_kept = ALWAYS.contains(&table.file()) || !rows.is_empty();
            files.push((table.file(), is_kept.then(|| csv_of(table.columns(), rows))));
        });
        let dpfactor = self.dpfactor.as_ref().ok();
        files.push(("TIMINGS.md", Some(page(self))));
        files.push(("dpfactor.json", dpfactor.map(|found| dpfactor_json(found, &self.record.dp_rate_field))));
        let there: Vec<&str> = files.iter().filter(|(_, text)| text.is_some()).map(|(name, _)| *name).collect();
        files.push(("csv-metadata.json", Some(csv_metadata(&self.record, &there))));
        files
    }

    /// Writes the derived files into a folder, each whole or not at all; an old one that the run has nothing for is removed.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), AnalysisError> {
        self.files().into_iter().try_for_each(|(name, text)| match text {
            Some(text) => write_atomically(folder, name, text),
            None => remove(folder, name),
        })
    }
}
