//! What differs between runs or cards.

mod comparison;
mod document;
mod significance;
mod table;
mod values;

pub use comparison::{AnswerChange, Comparison, StatusChange};
pub use significance::Rule;
pub use table::{comparison_csv, comparison_json};
pub use values::{ComparisonRow, Outcome, ValueKind, ValueUnit};
