//! Matrix instructions: the delay of their results, and the instructions that overlap.

mod chains;
mod found;
mod overlap;
mod section;

pub use chains::MatrixRow;
pub use found::Matrix;
pub use overlap::OverlapRow;
pub(super) use section::section;
