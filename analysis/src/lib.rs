//! Statistics, estimates, tables and validation, derived from stored readings only.

mod analysis;
mod dpfactor;
mod error;
mod group;
mod measured;
mod output;
mod placement;
pub mod run;
mod sample;
mod slope;
pub mod statistics;
mod status;
mod throughput;
mod timing;

pub use analysis::{Analysis, analyze};
pub use dpfactor::{
    CONTRADICTING_SHARE, CYCLES_RESOLUTION, DpClass, DpFactor, DpRow, KNOWN_FACTORS, NoDoublePrecision,
};
pub use error::{AnalysisError, RowProblem};
pub use group::{COMMON_SHARE, GroupTally, LATE_SHARE, Makespans, makespans};
pub use measured::Measured;
pub use output::{throughput_csv, timings_csv};
pub use placement::{ComputeUnit, HwIdLayout, Placement};
pub use sample::Sample;
pub use slope::{Slope, SlopeRules, Unsettled};
pub use status::Status;
pub use throughput::ThroughputRow;
pub use timing::TimingRow;
