//! Comparing predictions with those of llvm-mca, and the causes of the differences.

mod cause;
mod comparison;
mod error;
mod program;
mod report;
mod schedule;
mod text;

pub use cause::McaCause;
pub use comparison::{Comparison, McaLine};
pub use error::McaError;
pub use program::LlvmMca;
pub use text::comparison_text;
