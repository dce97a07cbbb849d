//! What waves share: the way back of loads, the places in front of a unit, and the turn to issue.

mod found;
mod order;
mod queue;
mod returns;
mod section;

pub use found::Contention;
pub use order::{Turn, WaveOrderRow};
pub use queue::QueueRow;
pub use returns::{ReturnRow, WayBack};
pub(super) use section::section;
