//! How the measurement of an instruction ended.

use std::fmt;

use gcn_model::record::ExperimentStatus;

use crate::variants::variants;

variants! {
    /// The `status` column.
    #[derive(Default)]
    pub enum Status {
        /// It settled; a quantity that is absent all the same has its reason in the detail.
        Ok = "ok",
        /// Readings are there, but no one number describes them.
        Unstable = "unstable",
        /// It was tried and left no readings.
        #[default]
        Failed = "failed",
        /// The device, the assembler or the method lacks a requirement.
        Unsupported = "unsupported",
        /// It was not tried, on purpose.
        Skipped = "skipped",
    }
}

impl Status {
    /// Whether it was tried, and its numbers are still to be found.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Unstable | Self::Failed)
    }
}

/// A result, how it ended, and why there is none.
pub(crate) fn told<T>(found: Result<T, (Status, String)>) -> (Option<T>, Status, String) {
    match found {
        Ok(found) => (Some(found), Status::Ok, String::new()),
        Err((status, why)) => (None, status, why),
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<ExperimentStatus> for Status {
    fn from(status: ExperimentStatus) -> Self {
        match status {
            ExperimentStatus::Ok => Self::Ok,
            ExperimentStatus::Failed => Self::Failed,
            ExperimentStatus::Skipped => Self::Skipped,
            ExperimentStatus::Unsupported => Self::Unsupported,
        }
    }
}
