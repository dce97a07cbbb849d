//! `journal.csv`: the complete parts of a run, a row for each attempt at an experiment.

use serde::{Deserialize, Serialize};

/// A row of `journal.csv`. It is written after the data that it names, so that anything that it does not name was cut off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalRecord {
    /// Counted from 0: first the sweeps through the whole plan, then the rounds in which what does not settle is measured again, and
    /// one for dangerous instructions.
    pub round: u32,
    /// Id of the experiment.
    pub experiment: String,
    /// Rows that it added to `readings.csv`; none if it failed.
    pub readings: u64,
    /// Why it failed; empty otherwise.
    pub failure: String,
    /// What TRAPSTS.DP_RATE read, each value once, with spaces between them.
    pub dp_rates: String,
    /// Checksum of the experiment's row in `experiments.csv`, which its first attempt writes; empty for later ones.
    pub row_checksum: String,
    /// Checksum of the rows in `readings.csv`.
    pub readings_checksum: String,
    /// Checksum of the fields before this one.
    pub checksum: String,
}
