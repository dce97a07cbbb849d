//! Statistics, estimates, tables and validation, derived from stored readings only.

mod analysis;
mod clock;
mod error;
mod estimates;
mod many_waves;
mod occupancy;
mod one_wave;
mod rules;
pub mod run;
mod settle;
pub mod statistics;
mod tables;
mod verdict;
mod views;

pub use analysis::{Analysis, analyze};
pub use clock::{ClockStretch, ClockWindow, NoClock, ShaderClock};
pub use error::{AnalysisError, RowProblem};
pub use estimates::EstimateRow;
pub use many_waves::{
    COMMON_SHARE, ComputeUnit, GroupTally, HwIdLayout, LATE_SHARE, Makespans, Placement, ThroughputRow, makespans,
};
pub use occupancy::{Allocation, IssueRow, Occupancy, OccupancyRow, ResidenceRow, Resource};
pub use one_wave::{Distribution, TimingRow, VariantRow};
pub use rules::{FrontEnd, LDS_STRIDE, PenaltyRow};
pub use run::{remove_leftovers, write_atomically};
pub use settle::{
    CYCLES_RESOLUTION, DropRule, Dropped, LEAST_ISSUE_CYCLES, Sample, Settlement, Slope, SlopeRules, Status,
    THROUGHPUT_RESOLUTION, Tally, Unsettled, VAGUE_CYCLES, VAGUE_THROUGHPUT,
};
pub use tables::{
    AllocationRecord, DisputeRecord, DistributionRecord, DpFactorRecord, DpFactorRowRecord, EstimateRecord,
    IssueRecord, Measured, OccupancyRecord, PenaltyRecord, Quantity, Span, Tables, TablesError, ThroughputRecord,
    TimingRecord, ValidationRecord, VariantRecord, Verdict, allocation_csv, clock_csv, disputes_csv, distributions_csv,
    dpfactor_json, estimates_csv, issue_csv, occupancy_csv, penalties_csv, residence_csv, throughput_csv, timings_csv,
    validation_csv, variants_csv,
};
pub use verdict::{
    CONTRADICTING_SHARE, DisputeRow, DisputeVerdict, DpClass, DpFactor, DpRow, GlcExtra, LdsBanks, NoDoublePrecision,
    ValidationRow,
};
pub use views::{
    Comparison, ComparisonRow, Difference, Drawing, Outcome, Picture, PngError, PngFonts, ReportError, Rule, RuleLine,
    RuleMark, RulePanel, RulePoint, SectionCounts, StatusChange, Summary, SummaryRow, comparison_csv, comparison_json,
    page, pictures, report_html, rules_picture,
};
