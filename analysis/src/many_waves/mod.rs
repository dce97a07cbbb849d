//! Many waves at once: where they ran, how long all of them took, and the throughput that this is.

mod agreement;
mod capacity;
mod group;
mod group_tally;
mod longest_code;
mod placement;
mod ramps;
mod serial;
mod settled;
mod throughput;

pub(crate) use agreement::find_contradictions;
pub(crate) use capacity::{Capacity, Limits};
pub use group_tally::GroupTally;
pub use placement::{ComputeUnit, HwIdLayout, Placement, Slots};
pub(crate) use settled::Hold;
pub use throughput::ThroughputRow;
pub(crate) use throughput::throughput_of;
