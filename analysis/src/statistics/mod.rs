//! The statistics: each has its name, its rule and its source; `docs/method.md` tells how they work together.

mod change;
mod clusters;
mod divisor;
mod doubled;
mod estimate;
mod hampel;
mod line;

pub use change::{ChangeRule, resistant_drift};
pub use clusters::{ClusterRule, Clusters};
pub(crate) use divisor::divisor;
pub use doubled::DoubledRule;
pub use estimate::{CONFIDENCE, Estimate};
pub use hampel::{HampelRule, HampelSplit, median};
pub use line::{Line, LineError, intercept};
