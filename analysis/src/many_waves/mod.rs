//! Many waves at once: where they ran, how long all of them took, and the throughput that this is.

mod group;
mod placement;
mod slots;
mod throughput;

pub use group::{COMMON_SHARE, GroupTally, LATE_SHARE, Makespans, makespans};
pub use placement::{ComputeUnit, HwIdLayout, Placement};
pub use slots::Slots;
pub use throughput::ThroughputRow;
pub(crate) use throughput::throughput_of;
