//! `report.html`: one page with everything of a run, without anything from elsewhere.

mod contents;
mod html;

pub use html::report_html;
