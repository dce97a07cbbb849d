//! What the card does, for `gcn-timings run`: a line for each dispatch, at the end of a file that processes share.

use std::fs::{File, OpenOptions};
use std::io::Write;

use gcn_simulator::LaunchRecord;

use crate::report::report;

/// The file.
const FILE: &str = "GCN_TIMINGS_CARD_RECORD";
/// Whether it gets the waves' use of their time as well.
const PROFILE: &str = "GCN_TIMINGS_CARD_PROFILE";

/// The file of this process, if it is asked for.
#[derive(Debug, Default)]
pub(crate) struct Record {
    file: Option<File>,
    /// Whether dispatches are to be profiled.
    pub(crate) is_profiled: bool,
}

impl Record {
    /// The record that the environment asks for.
    pub(crate) fn from_environment() -> Self {
        let Some(path) = std::env::var_os(FILE) else { return Self::default() };
        let file = OpenOptions::new().append(true).create(true).open(&path);
        let file = file.map_err(|error| report(format_args!("{FILE}: {}: {error}", path.display()))).ok();
        Self { is_profiled: file.is_some() && std::env::var_os(PROFILE).is_some_and(|value| value == "1"), file }
    }

    /// Adds a line: a single write, so that an abort or another process cuts none.
    pub(crate) fn add(&self, launch: &LaunchRecord) {
        if let Some(mut file) = self.file.as_ref()
            && let Err(error) = file.write_all(format!("{launch}\n").as_bytes())
        {
            report(format_args!("{FILE}: {error}: the summary lacks {}", launch.kernel));
        }
    }
}
