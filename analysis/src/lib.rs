//! Statistics, estimates, tables and validation, derived from stored readings only.

mod analysis;
mod bound;
mod clock;
mod compare;
mod dispute;
mod distribution;
mod dpfactor;
mod dropped;
mod error;
mod estimates;
mod expectation;
mod glc;
mod group;
mod lds_banks;
mod lengths;
mod measured;
mod occupancy;
mod one_wave;
mod output;
mod penalty;
mod placement;
mod plots;
mod report;
mod rules;
pub mod run;
mod sample;
mod slope;
pub mod statistics;
mod status;
mod summary;
mod tables;
mod tally;
mod throughput;
mod timing;
mod unsettled;
mod validation;
mod variant;

pub use analysis::{Analysis, analyze};
pub use bound::LEAST_ISSUE_CYCLES;
pub use clock::{ClockStretch, ClockWindow, NoClock, ShaderClock};
pub use compare::{
    Comparison, ComparisonRow, Difference, Outcome, Rule, StatusChange, comparison_csv, comparison_json,
};
pub use dispute::{DisputeRow, DisputeVerdict};
pub use distribution::Distribution;
pub use dpfactor::{CONTRADICTING_SHARE, CYCLES_RESOLUTION, DpClass, DpFactor, DpRow, NoDoublePrecision};
pub use dropped::{DropRule, Dropped};
pub use error::{AnalysisError, RowProblem};
pub use estimates::EstimateRow;
pub use glc::GlcExtra;
pub use group::{COMMON_SHARE, GroupTally, LATE_SHARE, Makespans, makespans};
pub use lds_banks::LdsBanks;
pub use measured::Measured;
pub use occupancy::{Allocation, IssueRow, Occupancy, OccupancyRow, ResidenceRow, Resource};
pub use output::{
    allocation_csv, clock_csv, disputes_csv, distributions_csv, dpfactor_json, estimates_csv, issue_csv, occupancy_csv,
    page, penalties_csv, remove_leftovers, residence_csv, throughput_csv, timings_csv, validation_csv, variants_csv,
    write_atomically,
};
pub use penalty::{LDS_STRIDE, PenaltyRow};
pub use placement::{ComputeUnit, HwIdLayout, Placement};
pub use plots::{
    Drawing, Picture, PngError, PngFonts, RuleLine, RuleMark, RulePanel, RulePoint, pictures, rules_picture,
};
pub use report::{ReportError, report_html};
pub use rules::FrontEnd;
pub use sample::Sample;
pub use slope::{Settlement, Slope, SlopeRules};
pub use status::Status;
pub use summary::{SectionCounts, Summary, SummaryRow};
pub use tables::{
    AllocationRecord, DisputeRecord, DistributionRecord, DpFactorRecord, DpFactorRowRecord, EstimateRecord,
    IssueRecord, OccupancyRecord, PenaltyRecord, Span, Tables, TablesError, ThroughputRecord, TimingRecord,
    ValidationRecord, VariantRecord,
};
pub use tally::Tally;
pub use throughput::ThroughputRow;
pub use timing::TimingRow;
pub use unsettled::Unsettled;
pub use validation::{Quantity, THROUGHPUT_RESOLUTION, VAGUE_CYCLES, VAGUE_THROUGHPUT, ValidationRow, Verdict};
pub use variant::VariantRow;
