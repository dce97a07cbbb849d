//! Why an experiment has no slope.

use super::tally::Dropped;
use crate::statistics::{Clusters, LineError};

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
