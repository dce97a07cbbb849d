//! The tables of a run: what is compared, drawn and reported.
//!
//! Published results are kept without their readings, so nothing here needs them.

mod csv_tables;
mod dpfactor_json;
mod folder;
mod measured;
mod quantity;
mod rows;
mod verdict;

pub(crate) use csv_tables::table;
pub use csv_tables::{
    allocation_csv, clock_csv, disputes_csv, distributions_csv, estimates_csv, issue_csv, occupancy_csv, penalties_csv,
    residence_csv, throughput_csv, timings_csv, validation_csv, variants_csv,
};
pub use dpfactor_json::dpfactor_json;
pub(crate) use folder::rows;
pub use folder::{Origin, Tables, TablesError};
pub use measured::Measured;
pub(crate) use measured::decimal;
pub use quantity::Quantity;
pub use rows::{
    AllocationRecord, DisputeRecord, DistributionRecord, DpFactorRecord, DpFactorRowRecord, EstimateRecord,
    IssueRecord, OccupancyRecord, PenaltyRecord, Span, ThroughputRecord, TimingRecord, ValidationRecord, VariantRecord,
};
pub use verdict::Verdict;
