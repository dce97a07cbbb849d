//! The statistics: each has its name, its rule and its source; `docs/method.md` tells how they work together.

mod change;
mod clusters;
mod divisor;
mod doubled;
mod estimate;
mod hampel;
mod line;

pub(crate) use change::{changes, resistant_drift};
pub use clusters::Clusters;
pub(crate) use divisor::divisor;
pub(crate) use doubled::{is_double, is_half};
pub(crate) use estimate::CONFIDENCE;
pub use estimate::Estimate;
pub(crate) use hampel::{HampelSplit, LEAST_BOUND, median};
pub use line::LineError;
pub(crate) use line::{Line, intercept};
