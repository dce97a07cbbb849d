//! Matrix instructions: the delay of their results, and the instructions that overlap.

mod chains;
mod found;
mod overlap;

pub use chains::MatrixRow;
pub use found::Matrix;
pub(super) use found::section;
pub use overlap::OverlapRow;
