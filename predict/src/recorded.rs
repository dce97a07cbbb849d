//! A prediction with a picture of its run.

use crate::prediction::Prediction;
use crate::timeline::Timeline;

/// A prediction, and the waves' actions in a part of its run.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    pub prediction: Prediction,
    pub timeline: Timeline,
}
