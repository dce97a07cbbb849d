//! Experiments: which kernels are launched how to measure which instruction.

mod options;
mod plan;

pub use options::{MeasureOptions, Suite};
pub use plan::{Experiment, Plan, PlannedLaunch, obstacle};
