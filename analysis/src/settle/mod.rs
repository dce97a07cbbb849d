//! One number from the samples of an experiment: dropped samples, the slope, and whether that has settled.

mod bound;
mod delayed;
mod lengths;
mod slope;
mod status;
mod tally;

pub(crate) use bound::{CONFIRMING_THROUGHPUT, SAME_THROUGHPUT};
pub use bound::{CYCLES_RESOLUTION, THROUGHPUT_RESOLUTION, VAGUE_THROUGHPUT};
pub(crate) use bound::{impossible, is_below_bound, is_of_simd, least_block_cycles};
pub(crate) use bound::{least_issue_cycles, units_of, vague_cycles};
pub use delayed::DelayedRate;
pub(crate) use delayed::LateCount;
pub use lengths::Sample;
pub use slope::{Settlement, Slope, SlopeRules};
pub(crate) use status::told;
pub use status::{Status, Unsettled};
pub use tally::{DropRule, Dropped, Tally};
