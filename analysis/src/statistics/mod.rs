//! The statistics: each has its name, its rule and its source; `docs/method.md` tells how they work together.

mod clusters;
mod estimate;
mod hampel;
mod line;

pub use clusters::{ClusterRule, Clusters};
pub use estimate::{CONFIDENCE, Estimate};
pub use hampel::{HampelRule, HampelSplit, median};
pub use line::{Line, LineError};
