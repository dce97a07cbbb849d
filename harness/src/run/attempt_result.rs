//! What comes of trying an experiment.

use std::collections::BTreeSet;

use gcn_model::record::{ExperimentRecord, Reading};

use super::RunError;

/// What came of trying an experiment.
pub(super) enum AttemptResult {
    /// It came to an end, one way or another.
    Ended(Box<ExperimentRecord>, BTreeSet<u32>),
    /// The run was interrupted before that, or the device is gone.
    Stopped,
}

/// The result of an experiment that was attempted in parallel to others, and its readings.
pub(super) type SideBySide = Result<(AttemptResult, Vec<Reading>), RunError>;
