//! The page from its template.

use handlebars::Handlebars;

use super::contents::Contents;
use crate::results::Results;

/// The page; text in two braces is escaped.
const TEMPLATE: &str = include_str!("../../../data/report.html.hbs");

/// The report of a run: one HTML page.
pub fn report_html(run: &Results) -> String {
    let mut handlebars = Handlebars::new();
    handlebars.set_strict_mode(true);
    handlebars.render_template(TEMPLATE, &Contents::of(run)).expect("the template fits its contents")
}
