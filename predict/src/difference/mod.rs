//! The costs of two regions side by side, instruction by instruction.

mod aligned;
mod bounds;
mod change;
mod difference_of;
mod text;

pub use aligned::ChangedLine;
pub use bounds::BoundChange;
pub use change::{Change, Verdict};
pub use difference_of::{Difference, Subject};
pub use text::difference_text;
