//! The files that are derived from a run.

use std::path::Path;

use super::csv_metadata::csv_metadata;
use super::page::page;
use crate::error::AnalysisError;
use crate::one_wave::{Distribution, DistributionRow};
use crate::results::Results;
use crate::run::{remove, write_atomically};
use crate::tables::{Tabled, csv_text, dpfactor_json};

impl Results {
    /// The derived files: the name of each and its content, empty where the run has nothing for it.
    pub fn files(&self) -> Vec<(&'static str, Option<String>)> {
        let occupancy = &self.occupancy;
        let distributions: Vec<DistributionRow> = self.distributions.iter().flat_map(Distribution::rows).collect();
        let mut files = vec![
            ("estimates.csv", Some(csv_text(&self.estimates))),
            ("timings.csv", Some(csv_text(&self.timings))),
            ("throughput.csv", Some(csv_text(&self.throughputs))),
            ("validation.csv", Some(csv_text(&self.validation))),
            ("TIMINGS.md", Some(page(self))),
            ("variants.csv", if_any(&self.variants)),
            ("distributions.csv", if_any(&distributions)),
            ("penalties.csv", if_any(&self.penalties)),
            ("occupancy.csv", if_any(&occupancy.table)),
            ("residence.csv", if_any(&occupancy.residence)),
            ("issue.csv", if_any(&occupancy.issue)),
            ("allocation.csv", if_any(&occupancy.allocations)),
            ("matrix.csv", if_any(&self.matrix.instructions)),
            ("matrix-overlap.csv", if_any(&self.matrix.overlaps)),
            ("units.csv", if_any(&self.units.cells)),
            ("delays.csv", if_any(&self.units.delays)),
            ("transcendental-overlap.csv", if_any(&self.units.beside)),
            ("pairs.csv", if_any(&self.pairs)),
            ("clock.csv", self.clock.as_ref().ok().map(|clock| csv_text(&clock.stretches))),
            ("disputes.csv", if_any(&self.disputes)),
            ("semantics.csv", if_any(&self.semantics)),
            (
                "dpfactor.json",
                self.dpfactor.as_ref().ok().map(|found| dpfactor_json(found, &self.record.dp_rate_field)),
            ),
        ];
        let there: Vec<&str> = files.iter().filter(|(_, text)| text.is_some()).map(|(name, _)| *name).collect();
        let metadata = csv_metadata(&self.record, &there);
        files.push(("csv-metadata.json", Some(metadata)));
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

/// The text of a table that has rows.
fn if_any<T: Tabled>(rows: &[T]) -> Option<String> {
    (!rows.is_empty()).then(|| csv_text(rows))
}
