//! `journal.csv`: what of a run is complete, one row for each time that an experiment was tried.

use serde::{Deserialize, Serialize};

/// A row of `journal.csv`. It is written after what it speaks of, so that whatever it does not name was cut off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalRecord {
    /// 0 for the first time, which also writes the experiment's row; then counted up, each time that what does not settle is
    /// measured again.
    pub round: u32,
    /// Id of the experiment.
    pub experiment: String,
    /// Rows that it added to `readings.csv`; none if it failed.
    pub readings: u64,
    /// What TRAPSTS.DP_RATE read, each value once, with spaces between them.
    pub dp_rates: String,
    /// Checksum of the experiment's row as it stands in `experiments.csv`; empty in later rounds.
    pub row_checksum: String,
    /// Checksum of the rows as they stand in `readings.csv`.
    pub readings_checksum: String,
    /// Checksum of the fields before this one.
    pub checksum: String,
}
