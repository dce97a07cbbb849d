//! Matrix instructions: the delay of their results, and the instructions that overlap.

mod beside;
mod chains;
mod found;

pub use beside::OverlapRow;
pub use chains::MatrixRow;
pub use found::Matrix;
