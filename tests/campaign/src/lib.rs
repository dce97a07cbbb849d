//! A campaign: random GPU files that change every documented key at once, and a scorer of a run's statements.
//!
//! The truth is the model's own resolution of the file ([`Truth`]). Nothing here uses the harness or the analysis: runs are read as
//! the files and the text that a user has, so that any version of the program can be scored.

mod family;
mod generator;
mod level;
mod random;
mod run;
mod score;
mod tally;
mod truth;

pub use family::Family;
pub use generator::gpu_file;
pub use level::Level;
pub use random::Random;
pub use run::{RunError, analyze, run};
pub use score::{Score, ScoreError, score};
pub use tally::{Outcome, Statement, Tally};
pub use truth::Truth;
