//! The statistics: each has its name, its rule and its source; `docs/method.md` tells how they work together.

mod change;
mod clusters;
mod divisor;
mod doubled;
mod estimate;
mod hampel;
mod line;

pub use change::{changes, resistant_drift};
pub use clusters::Clusters;
pub(crate) use divisor::divisor;
pub use doubled::{is_double, is_half};
pub use estimate::{CONFIDENCE, Estimate};
pub(crate) use hampel::LEAST_BOUND;
pub use hampel::{HampelSplit, median};
pub use line::{Line, LineError, intercept};
