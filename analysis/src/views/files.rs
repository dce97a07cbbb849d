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
use crate::verdict::NoDoublePrecision;

impl Analysis {
    /// Writes the derived files into a folder, each whole or not at all: `estimates.csv`, `timings.csv`, `throughput.csv`, `validation.csv`,
    /// `TIMINGS.md` and, where the run has something for them (an old one is removed if not), `variants.csv`,
    /// `distributions.csv`, `penalties.csv`, `occupancy.csv`, `residence.csv`, `allocation.csv`, `issue.csv`, `clock.csv`, `disputes.csv` and
    /// `dpfactor.json`.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), AnalysisError> {
        write_atomically(folder, "estimates.csv", &estimates_csv(self.estimates()))?;
        write_atomically(folder, "timings.csv", &timings_csv(self.timings()))?;
        write_atomically(folder, "throughput.csv", &throughput_csv(self.throughputs()))?;
        write_atomically(folder, "validation.csv", &validation_csv(self.validation()))?;
        write_atomically(folder, "TIMINGS.md", &page(self))?;
        for (name, text) in [
            ("variants.csv", (!self.variants().is_empty()).then(|| variants_csv(self.variants()))),
            ("distributions.csv", (!self.distributions().is_empty()).then(|| distributions_csv(self.distributions()))),
            ("penalties.csv", (!self.penalties().is_empty()).then(|| penalties_csv(self.penalties()))),
            ("occupancy.csv", (!self.occupancy().table.is_empty()).then(|| occupancy_csv(&self.occupancy().table))),
            (
                "residence.csv",
                (!self.occupancy().residence.is_empty()).then(|| residence_csv(&self.occupancy().residence)),
            ),
            ("issue.csv", (!self.occupancy().issue.is_empty()).then(|| issue_csv(&self.occupancy().issue))),
            (
                "allocation.csv",
                (!self.occupancy().allocations.is_empty()).then(|| allocation_csv(&self.occupancy().allocations)),
            ),
            ("clock.csv", self.clock().ok().map(|clock| clock_csv(&clock.stretches))),
            ("disputes.csv", (!self.disputes().is_empty()).then(|| disputes_csv(self.disputes()))),
        ] {
            match text {
                Some(text) => write_atomically(folder, name, &text)?,
                None => remove(folder, name)?,
            }
        }
        match self.dpfactor() {
            Ok(dpfactor) => {
                write_atomically(folder, "dpfactor.json", &dpfactor_json(dpfactor, &self.record().dp_rate_field))
            }
            Err(NoDoublePrecision) => remove(folder, "dpfactor.json"),
        }
    }
}
