//! The page from its template.

use handlebars::Handlebars;

use super::contents::Contents;
use crate::results::Results;

/// The page; text in two braces is escaped.
const TEMPLATE: &str = include_str!("../../../data/report.html.hbs");

/// A failure to make the page.
#[derive(Debug, thiserror::Error)]
#[error("the report's template: {0}")]
pub struct ReportError(Box<handlebars::RenderError>);

/// The report of a run: one HTML page.
///
/// # Errors
/// The template does not fit its contents: a fault of this crate.
pub fn report_html(run: &Results) -> Result<String, ReportError> {
    let mut handlebars = Handlebars::new();
    handlebars.set_strict_mode(true);
    let rendered = handlebars.render_template(TEMPLATE, &Contents::of(run));
    rendered.map_err(|error| ReportError(Box::new(error)))
}
