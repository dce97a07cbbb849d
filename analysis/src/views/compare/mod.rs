//! What differs between two runs or two cards.

mod comparison;
mod significance;
mod table;

pub use comparison::{Comparison, ComparisonRow, Outcome, StatusChange};
pub use significance::{Difference, Rule};
pub use table::{comparison_csv, comparison_json};
