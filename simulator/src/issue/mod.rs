//! When a wave issues what: compute units, SIMDs, the instruction cache.

pub(crate) mod activity;
mod barrier;
pub(crate) mod barrier_unit;
pub(crate) mod block_step;
pub(crate) mod compute_unit;
mod demand;
pub(crate) mod execute;
pub(crate) mod instruction_cache;
pub(crate) mod local_buses;
mod matrix_queue;
mod matrix_unit;
mod memory_queue;
mod occupy;
pub(crate) mod origin;
pub(crate) mod outcome;
mod pipelines;
pub(crate) mod recording;
pub(crate) mod register_banks;
pub(crate) mod returns;
pub(crate) mod run_ahead;
pub(crate) mod simd;
pub(crate) mod spans;
pub(crate) mod stop;
pub(crate) mod totals;
mod waiting;
