//! Statistics, estimates, tables and validation, derived from stored readings only.
//!
//! [`analyze`] loads and checks a run's folder ([`run`]) and derives its [`Results`]: cycles, latency and throughput of each instruction,
//! occupancy, penalties, DPFACTOR, and verdicts on published numbers. Each number is a [`Measured`] value with its 95 % interval. An
//! experiment whose samples do not agree has no number, but a reason ([`Unsettled`]). Nothing here knows the GPU's file.
//!
//! The cycles of an instruction are the slope of the samples over the length of the code, so the cost of a reading cancels:
//!
//! ```
//! use gcn_analysis::{Sample, SlopeRules};
//! use gcn_model::quantity::Cycles;
//!
//! // 8 cycles for each block, 44 for the reading itself; one reading came late.
//! let late = |i: u32| if i == 5 { 4000.0 } else { 0.0 };
//! let sample = |n: u32, i: u32| Sample { n, cycles: Cycles(44.0 + 8.0 * f64::from(n) + late(i)) };
//! let samples: Vec<Sample> = [16, 32, 64].iter().flat_map(|&n| (0..20).map(move |i| sample(n, i))).collect();
//! let slope = SlopeRules::default().slope(&samples)?;
//! assert_eq!((slope.estimate.value, slope.dropped.total()), (8.0, 3));
//! # Ok::<(), gcn_analysis::Unsettled>(())
//! ```

mod clock;
mod document;
mod error;
mod estimates;
mod many_waves;
mod occupancy;
mod one_wave;
mod results;
mod rules;
pub mod run;
mod settle;
mod settlement;
mod statistics;
mod suites;
mod tables;
mod variants;
mod verdict;
mod views;

pub use clock::{ClockStretch, Drift, NoClock, ShaderClock};
pub use document::{Block, Document, Fact, Line, Section, Span, Tone, Topic, spans};
pub use error::{AnalysisError, RowProblem};
pub use estimates::EstimateRow;
pub use many_waves::{ComputeUnit, GroupTally, HwIdLayout, Placement, Slots, ThroughputRow};
pub use occupancy::{Allocation, IssueRow, Occupancy, OccupancyRow, Odds, ResidenceRow, Resource};
pub use one_wave::{Distribution, DistributionRow, FrontEndCharge, TimingRow, VariantRow};
pub use results::{FailedTry, Guesses, Results, analyze};
pub use rules::{FrontEnd, LDS_STRIDE, PenaltyRow};
pub use run::{remove_derived, remove_leftovers, write_atomically};
pub use settle::{
    CYCLES_RESOLUTION, DelayedRate, DropRule, Dropped, Sample, Settlement, Slope, SlopeRules, Status,
    THROUGHPUT_RESOLUTION, Tally, Unsettled, VAGUE_THROUGHPUT,
};
pub use settlement::{Open, unsettled};
pub use statistics::{Clusters, Estimate, LineError};
pub use suites::*;
pub use tables::{Cells, Column, Measured, Number, Quantity, Shown, Tabled, Verdict, csv_text, marked};
pub use verdict::{
    CONTRADICTING_SHARE, DisputeRow, DisputeVerdict, DpClass, DpFactor, DpRow, Dword, GlcExtra, LdsBanks,
    NoDoublePrecision, SemanticRow, SemanticVerdict, ValidationRow, dpfactor_json,
};
pub use views::{
    Answer, AnswerChange, Comparison, ComparisonRow, Disagreement, ExportError, Heading, KernelListing, Kernels,
    Outcome, Picture, PictureChoice, PngError, PngFonts, Question, QuestionSource, Rule, SIMULATED, Site, SiteError,
    SiteFile, StatusChange, Summary, Table, TableRow, Theme, Validation, ValueKind, ValueUnit, aco_text,
    comparison_csv, comparison_json, document, export_csv, export_json, export_markdown, llvm_text, page,
    picture_names, pictures, report_html,
};
