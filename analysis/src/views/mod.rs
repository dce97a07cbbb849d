//! The views for a reader: the page, the report, the plots, the comparison of two runs, and the summary.

mod about;
mod compare;
mod dpfactor;
mod export;
mod files;
mod origin;
mod page;
mod plots;
mod question;
mod report;
mod site;
mod summary;
mod tables;
mod validation;

pub use compare::{
    AnswerChange, Comparison, ComparisonRow, Outcome, Rule, StatusChange, ValueKind, ValueUnit, comparison_csv,
    comparison_json,
};
pub use export::{ExportError, aco_text, export_csv, export_json, export_markdown, llvm_text};
pub use origin::SIMULATED;
pub(crate) use origin::mode_words;
use page::findings;
pub use page::{document, page};
pub(crate) use plots::FONTS;
pub use plots::{Picture, PictureChoice, PngError, PngFonts, Theme, picture_names, pictures};
pub use question::{Answer, Disagreement, Question, QuestionSource};
pub use report::report_html;
pub use site::{KernelListing, Kernels, Site, SiteError, SiteFile};
pub use summary::Summary;
pub use tables::{Heading, Table, TableRow};
pub use validation::Validation;
