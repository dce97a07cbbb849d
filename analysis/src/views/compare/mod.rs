//! What differs between runs or cards.

mod comparison;
mod document;
mod significance;
mod values;

pub use comparison::{AnswerChange, Comparison, StatusChange};
pub use document::{comparison_csv, comparison_json};
pub use significance::Rule;
pub use values::{ComparisonRow, Outcome, ValueKind, ValueUnit};
