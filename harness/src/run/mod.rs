//! A run: from the plan to the stored readings.

mod assembling;
mod attempt;
mod attempt_result;
mod attempts;
mod clock_time;
mod device_cost;
mod difference;
mod error;
mod folder;
mod forecast;
mod growing_file;
mod history;
mod launch_time;
mod launching;
mod lengthening;
mod measure;
mod merge;
mod object_source;
mod progress;
mod results;
mod resumption;
mod rounds;
mod schedule;
mod warm_up;
mod without_llvm;

pub use assembling::assembled;
pub use clock_time::now;
pub use device_cost::DeviceCost;
pub use error::RunError;
pub use folder::{RunFolder, default_folder};
pub use forecast::{Expected, ExperimentForecast, Forecast, SuiteForecast};
pub use measure::{Measured, measure};
pub use merge::merge;
pub use object_source::{Failures, Object, ObjectSource, Refusal};
pub use progress::{Event, LOG, Progress, Resuming, Silent, Stage};
pub use without_llvm::WithoutLlvm;
