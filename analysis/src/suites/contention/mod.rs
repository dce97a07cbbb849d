//! What waves share: the way back of loads, the places in front of a unit, and the turn to issue.

mod found;
mod order;
mod queue;
mod returns;

pub use found::Contention;
pub(super) use found::section;
pub use order::{Turn, WaveOrderRow};
pub use queue::QueueRow;
pub use returns::{ReturnRow, WayBack};
