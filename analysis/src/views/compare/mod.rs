//! What differs between runs or cards.

mod answers;
mod comparison;
mod document;
mod significance;
mod table;
mod values;

pub use answers::AnswerChange;
pub use comparison::{Comparison, StatusChange};
pub use significance::Rule;
pub use table::{comparison_csv, comparison_json};
pub use values::{ComparisonRow, Outcome, ValueKind, ValueUnit};
