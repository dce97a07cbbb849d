//! `report.html`: one page with everything of a run, without anything from elsewhere.

mod contents;
mod html;
mod tables;

pub use html::{ReportError, report_html};
