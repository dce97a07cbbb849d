//! The page from its template.

use gcn_model::gpu::Gpu;
use handlebars::Handlebars;

use super::contents::Contents;
use crate::recorded::Recorded;

/// The page; text in two braces is escaped.
const TEMPLATE: &str = include_str!("../../data/prediction.html.hbs");

/// A failure to make the page.
#[derive(Debug, thiserror::Error)]
#[error("the template of the page: {0}")]
pub struct PageError(Box<handlebars::RenderError>);

/// Predictions of a file as one HTML page: summaries, listings, and what each wave does.
///
/// # Errors
/// The template does not fit its contents: a fault of this crate.
pub fn page(file: &str, gpu: &Gpu, recorded: &[Recorded]) -> Result<String, PageError> {
    let mut handlebars = Handlebars::new();
    handlebars.set_strict_mode(true);
    let rendered = handlebars.render_template(TEMPLATE, &Contents::of(file, gpu, recorded));
    rendered.map_err(|error| PageError(Box::new(error)))
}
