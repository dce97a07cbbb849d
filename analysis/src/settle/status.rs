//! How the measurement of an instruction ended.

use std::fmt;

use gcn_model::record::ExperimentStatus;

use crate::variants::variants;

/// The `status` column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Status {
    /// It settled; a quantity that is absent all the same has its reason in the detail.
    Ok,
    /// Readings are there, but no one number describes them.
    Unstable,
    /// It was tried and left no readings.
    #[default]
    Failed,
    /// The device, the assembler or the method lacks a requirement.
    Unsupported,
    /// It was not tried, on purpose.
    Skipped,
}

variants!(Status { Ok: "ok", Unstable: "unstable", Failed: "failed", Unsupported: "unsupported", Skipped: "skipped" });

impl Status {
    /// Whether it was tried, and its numbers are still to be found.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Unstable | Self::Failed)
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
