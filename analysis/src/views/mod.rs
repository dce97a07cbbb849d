//! What a reader looks at: the page, the report, the plots, the comparison of two runs, and the summary.

mod compare;
mod export;
mod files;
mod number;
mod origin;
mod page;
mod plots;
mod report;
mod site;
mod summary;

pub use compare::{
    Comparison, ComparisonRow, Difference, Outcome, Rule, StatusChange, comparison_csv, comparison_json,
};
pub use export::{ExportError, aco_text, export_csv, export_json, export_markdown, llvm_differences, llvm_text};
pub use page::page;
pub use plots::{
    Drawing, Picture, PngError, PngFonts, RuleLine, RuleMark, RulePanel, RulePoint, pictures, rules_picture,
};
pub use report::{ReportError, report_html};
pub use site::{KernelListing, Kernels, Site, SiteError, SiteFile};
pub(crate) use summary::clock_words;
pub use summary::{SectionCounts, Summary, SummaryRow};
