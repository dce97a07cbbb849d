//! Experiments: which kernels are launched how to measure which instruction.

mod alignment;
mod case;
mod jump;
mod latency;
mod line_start;
mod mask_writer;
mod measurement;
mod memory;
mod options;
mod part;
mod plan;
mod planned;
mod planning;
mod quick_set;
mod shard;
mod sharding;
mod skip_reason;
mod subject;
mod suites;
mod throughput;

pub use options::{MeasureOptions, Suite};
pub use plan::Plan;
pub use planned::{Experiment, Phase, PlanPart, PlannedLaunch};
pub use shard::{Shard, ShardError};
pub use skip_reason::skip_reason;
