//! Results of a run's folder: derived from its records, or read where only the tables were kept.

mod derived;
mod kept;
#[expect(clippy::module_inception, reason = "the results themselves")]
mod results;

pub use derived::analyze;
pub use results::{FailedTry, Guesses, Results};
