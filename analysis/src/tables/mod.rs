//! The tables of a run, for comparisons, pictures and reports.
//!
//! Published results are kept without their readings, so nothing here needs them.

mod csv_text;
mod dpfactor_json;
mod folder;
mod measured;
mod number;
mod quantity;
mod rows;
mod schema;
mod verdict;

pub(crate) use csv_text::text;
pub use csv_text::{Tabled, csv_text};
pub use dpfactor_json::dpfactor_json;
pub(crate) use folder::rows;
pub use folder::{Origin, Tables, TablesError};
pub use measured::Measured;
pub use number::Number;
pub(crate) use number::{decimal, plural, printed};
pub use quantity::Quantity;
pub use rows::{
    AllocationRecord, BesideRecord, DelayRecord, DisputeRecord, DistributionRecord, EstimateRecord, IssueRecord,
    MatrixRecord, OccupancyRecord, OverlapRecord, PairRecord, PenaltyRecord, ResidenceRecord, SemanticRecord,
    ThroughputRecord, TimingRecord, UnitRecord, ValidationRecord, VariantRecord,
};
pub use schema::{ColumnDescription, TableDescription, column_descriptions, table_descriptions};
pub use verdict::Verdict;
