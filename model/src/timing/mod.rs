//! Which cycles and throughput the simulated GPU gives to each instruction, and where they come from.

mod estimate;
mod guess;
mod lds;
mod order;
#[expect(clippy::module_inception, reason = "one noun per file: the file of `InstructionTiming` is named after it")]
mod timing;
mod timings;

pub use estimate::{Estimate, Jump, estimates};
pub use guess::Guess;
pub use lds::{LdsException, LdsTiming, lds_exceptions};
pub use order::{OrderedSource, order};
pub use timing::{InstructionTiming, TimingSource};
pub use timings::Timings;
