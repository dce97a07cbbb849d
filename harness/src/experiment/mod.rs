//! Experiments: which kernels are launched how to measure which instruction.

mod alignment;
mod case;
mod issue;
mod jump;
mod latency;
mod line_start;
mod mask_writer;
mod matrix;
mod memory;
mod occupancy;
mod options;
mod pairs;
mod part;
mod plan;
mod planned;
mod quick_set;
mod scheduling;
mod semantics;
mod shard;
mod sharding;
mod skip_reason;
mod subject;
mod throughput;
mod units;

pub use options::{MeasureOptions, Suite};
pub use plan::Plan;
pub use planned::{Experiment, Phase, PlanPart, PlannedLaunch};
pub use shard::{Shard, ShardError};
pub use skip_reason::skip_reason;
