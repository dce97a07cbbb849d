//! What comes of trying an experiment.

use std::collections::BTreeSet;

use gcn_model::record::{ExperimentRecord, Reading};

use super::RunError;

/// What came of trying an experiment.
pub(super) enum Tried {
    /// It came to an end, one way or another.
    Ended(Box<ExperimentRecord>, BTreeSet<u32>),
    /// The run was interrupted before that, or the device is gone.
    Stopped,
}

/// What came of an experiment that was tried beside others, and its readings.
pub(super) type SideBySide = Result<(Tried, Vec<Reading>), RunError>;
