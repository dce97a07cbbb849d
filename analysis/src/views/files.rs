//! The files that are derived from a run.

use std::path::Path;

use super::page::page;
use crate::analysis::Analysis;
use crate::error::AnalysisError;
use crate::run::{remove, write_atomically};
use crate::tables::{
    allocation_csv, clock_csv, disputes_csv, distributions_csv, dpfactor_json, estimates_csv, issue_csv, occupancy_csv,
    penalties_csv, residence_csv, throughput_csv, timings_csv, validation_csv, variants_csv,
};

impl Analysis {
    /// The derived files: the name of each and what stands in it, nothing where the run has nothing for it.
    pub fn files(&self) -> Vec<(&'static str, Option<String>)> {
        let occupancy = self.occupancy();
        vec![
            ("estimates.csv", Some(estimates_csv(self.estimates()))),
            ("timings.csv", Some(timings_csv(self.timings()))),
            ("throughput.csv", Some(throughput_csv(self.throughputs()))),
            ("validation.csv", Some(validation_csv(self.validation()))),
            ("TIMINGS.md", Some(page(self))),
            ("variants.csv", (!self.variants().is_empty()).then(|| variants_csv(self.variants()))),
            ("distributions.csv", (!self.distributions().is_empty()).then(|| distributions_csv(self.distributions()))),
            ("penalties.csv", (!self.penalties().is_empty()).then(|| penalties_csv(self.penalties()))),
            ("occupancy.csv", (!occupancy.table.is_empty()).then(|| occupancy_csv(&occupancy.table))),
            ("residence.csv", (!occupancy.residence.is_empty()).then(|| residence_csv(&occupancy.residence))),
            ("issue.csv", (!occupancy.issue.is_empty()).then(|| issue_csv(&occupancy.issue))),
            ("allocation.csv", (!occupancy.allocations.is_empty()).then(|| allocation_csv(&occupancy.allocations))),
            ("clock.csv", self.clock().ok().map(|clock| clock_csv(&clock.stretches))),
            ("disputes.csv", (!self.disputes().is_empty()).then(|| disputes_csv(self.disputes()))),
            ("dpfactor.json", self.dpfactor().ok().map(|found| dpfactor_json(found, &self.record().dp_rate_field))),
        ]
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
