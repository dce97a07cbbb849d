//! Statistics, estimates, tables and validation, derived from stored readings only.

mod analysis;
mod dpfactor;
mod error;
mod expectation;
mod group;
mod measured;
mod output;
mod placement;
pub mod run;
mod sample;
mod slope;
pub mod statistics;
mod status;
mod summary;
mod throughput;
mod timing;
mod validation;

pub use analysis::{Analysis, analyze};
pub use dpfactor::{CONTRADICTING_SHARE, CYCLES_RESOLUTION, DpClass, DpFactor, DpRow, NoDoublePrecision};
pub use error::{AnalysisError, RowProblem};
pub use group::{COMMON_SHARE, GroupTally, LATE_SHARE, Makespans, makespans};
pub use measured::Measured;
pub use output::{dpfactor_json, page, throughput_csv, timings_csv, validation_csv};
pub use placement::{ComputeUnit, HwIdLayout, Placement};
pub use sample::Sample;
pub use slope::{Slope, SlopeRules, Unsettled};
pub use status::Status;
pub use summary::{SectionCounts, Summary, SummaryRow};
pub use throughput::ThroughputRow;
pub use timing::TimingRow;
pub use validation::{Quantity, THROUGHPUT_RESOLUTION, VAGUE_CYCLES, VAGUE_THROUGHPUT, ValidationRow, Verdict};
