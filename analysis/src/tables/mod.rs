//! The tables of a run as they stand in its folder: what is compared, drawn and reported, without its readings.
//!
//! Published results are kept without their readings, so nothing here needs them.

mod folder;
mod rows;

pub(crate) use folder::rows;
pub use folder::{Tables, TablesError};
pub use rows::{
    AllocationRecord, DisputeRecord, DistributionRecord, DpFactorRecord, DpFactorRowRecord, EstimateRecord,
    IssueRecord, OccupancyRecord, PenaltyRecord, Span, ThroughputRecord, TimingRecord, ValidationRecord, VariantRecord,
};
