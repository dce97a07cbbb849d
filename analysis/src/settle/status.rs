//! How the measurement of an instruction ended, and why an experiment has no slope.

use std::fmt;

use gcn_model::record::ExperimentStatus;

use super::tally::Dropped;
use crate::statistics::{Clusters, LineError};
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

/// Why a slope did not settle.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsettled {
    /// Nothing was stored.
    #[error("no readings are stored")]
    NoReadings,
    /// No line can be fitted.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The rules dropped more samples than they may.
    #[error("{} of {of} samples dropped, more than {allowed:.0} %: {dropped}", dropped.total())]
    TooManyDropped {
        /// Samples dropped.
        dropped: Dropped,
        of: usize,
        /// The share allowed, percent.
        allowed: f64,
    },
    /// Samples of a length form two groups.
    #[error(
        "bimodal: at n = {n}, {} samples around {:.0} cycles and {} around {:.0}",
        clusters.low_count, clusters.low, clusters.high_count, clusters.high
    )]
    Bimodal {
        /// The length.
        n: u32,
        clusters: Clusters,
    },
    /// A fair share of a length's samples takes exactly twice as long as the others.
    #[error(
        "doubled: at n = {n}, {} of {} samples take exactly twice as long ({:.0} cycles, not {:.0})",
        clusters.high_count, clusters.low_count + clusters.high_count, clusters.high, clusters.low
    )]
    Doubled {
        /// The length.
        n: u32,
        clusters: Clusters,
    },
    /// A few samples take exactly half as long: it may be all the others that are doubled.
    #[error("doubled: {halves} of {of} samples take exactly half as long, so that the others may be the doubled ones")]
    Halved {
        /// Samples at half of the others' time.
        halves: usize,
        of: usize,
    },
    /// Longer code seems to take less time: the counter was reset, or the readings are not genuine.
    #[error("longer code takes less time: {low:.2} to {high:.2} cycles for one more block")]
    Backwards {
        /// The slope's interval.
        low: f64,
        /// The slope's interval.
        high: f64,
    },
    /// The slope is less than any wave can issue in.
    #[error("{0}")]
    BelowBound(String),
    /// The lengths do not lie on one line.
    #[error("not linear: at n = {n} the median lies {residual:+.1} cycles off the line, more than {allowed:.1}")]
    NotLinear {
        /// The length with the largest residual.
        n: u32,
        /// Its median's distance from the line, shader cycles.
        residual: f64,
        /// What noise explains, shader cycles.
        allowed: f64,
    },
}
