//! Launches of whole kernels, with arguments.

mod arguments;
mod hidden;
mod kernarg;
mod line;
mod prediction;
mod queue;
mod ready;
mod run;
mod text;

pub use arguments::{Argument, LaunchArguments, Value};
pub use line::LaunchLine;
pub use prediction::{LaunchPrediction, WaveCycles};
pub use run::{Launched, launch, launch_card};
pub use text::launch_text;
