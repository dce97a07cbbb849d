//! A run: from the plan to the stored readings.

mod assembling;
mod error;
mod folder;
mod measure;
mod results;
mod warm_up;

pub use error::RunError;
pub use folder::{RunFolder, default_folder};
pub use measure::{Measured, Progress, Silent, Stage, measure};
