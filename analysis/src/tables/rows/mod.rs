//! One type per table, by which it is written and read: a field is a column. Further columns are passed over.

mod estimates;
mod instructions;
mod many_waves;
mod matrix;
mod pairs;
mod sources;
mod units;

pub use estimates::EstimateRecord;
pub use instructions::{DistributionRecord, TimingRecord, VariantRecord};
pub use many_waves::{AllocationRecord, IssueRecord, OccupancyRecord, ResidenceRecord, ThroughputRecord};
pub use matrix::{MatrixRecord, OverlapRecord};
pub use pairs::PairRecord;
pub use sources::{DisputeRecord, PenaltyRecord, SemanticRecord, ValidationRecord};
pub use units::{BesideRecord, DelayRecord, UnitRecord};
