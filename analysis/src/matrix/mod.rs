//! Matrix instructions: how soon their results can be used, and what goes on beside them.

mod beside;
mod chains;
mod found;

pub use beside::OverlapRow;
pub use chains::MatrixRow;
pub use found::Matrix;
