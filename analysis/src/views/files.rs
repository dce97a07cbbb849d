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
use crate::tables::{ForEach, InFile, Tabled, csv_text};
use crate::verdict::{ValidationRow, dpfactor_json};

/// Tables that every run has, with rows or without.
const ALWAYS: [&str; 4] = [EstimateRow::FILE, TimingRow::FILE, ThroughputRow::FILE, ValidationRow::FILE];

/// The texts of tables; none of those without rows.
struct Texts(Vec<(&'static str, Option<String>)>);

impl ForEach for Texts {
    fn table<T: Tabled>(&mut self, rows: &[T]) {
        self.0.push((T::FILE, (ALWAYS.contains(&T::FILE) || !rows.is_empty()).then(|| csv_text(rows))));
    }
}

impl Results {
    /// The derived files: the name of each and its content, empty where the run has nothing for it.
    pub fn files(&self) -> Vec<(&'static str, Option<String>)> {
        let mut texts = Texts(Vec::new());
        self.for_each_table(&mut texts);
        let Texts(mut files) = texts;
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
