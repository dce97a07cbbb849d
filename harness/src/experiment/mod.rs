//! Experiments: which kernels are launched how to measure which instruction.

mod alignment;
mod case;
mod essentials;
mod issue;
mod jump;
mod line_start;
mod matrix;
mod memory;
mod obstacle;
mod occupancy;
mod options;
mod pairs;
mod part;
mod plan;
mod planned;
mod scheduling;
mod semantics;
mod shard;
mod sharding;
mod subject;
mod throughput;
mod units;

pub use obstacle::obstacle;
pub use options::{MeasureOptions, Suite};
pub use plan::Plan;
pub use planned::{Experiment, PlanPart, PlannedLaunch, Turn};
pub use shard::{Shard, ShardError};
