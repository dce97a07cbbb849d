//! A picture that has all that it shows, and is drawn on any paper.

use plotters::style::text_anchor::HPos;

use super::sheet::{HEAD, Rectangle, Sheet, WIDTH, cell, drawn};
use super::theme::{GREY, Theme};

/// A picture before it is drawn.
pub(super) struct Plan<'r> {
    /// The picture's conclusion; none where nothing follows for sure.
    pub(super) conclusion: Option<String>,
    /// What its marks mean.
    pub(super) legend: String,
    /// Height below the head, pixels.
    pub(super) height: f64,
    /// Draws everything below the head.
    pub(super) draw: Box<dyn Fn(&Sheet<'_>) + 'r>,
}

impl<'r> Plan<'r> {
    /// A picture of panels in rows, so many side by side and of such a height; each is drawn into its place.
    pub(super) fn of_panels<P: 'r>(
        conclusion: Option<String>,
        legend: String,
        (columns, height): (usize, f64),
        panels: Vec<P>,
        draw: impl Fn(&Sheet<'_>, Rectangle, &P) + 'r,
    ) -> Self {
        let all = panels.len().div_ceil(columns) as f64 * height;
        let draw = move |sheet: &Sheet<'_>| {
            let places = panels.iter().enumerate();
            places.for_each(|(index, panel)| draw(sheet, cell(index, columns, height), panel));
        };
        Self { conclusion, legend, height: all, draw: Box::new(draw) }
    }

    /// The picture as SVG; its subject is its title where nothing follows for sure, and `of` says of which run it is.
    pub(super) fn svg(&self, subject: &str, of: &str, theme: Theme) -> String {
        drawn(theme, HEAD + self.height, |sheet| {
            let title = self.conclusion.as_deref().unwrap_or(subject);
            sheet.heading(title, 16.0, 18.0, 17.0, WIDTH - 32.0);
            sheet.words(of, 16.0, 37.0, 12.0, HPos::Left, GREY, false);
            sheet.fitted(&self.legend, 16.0, 53.0, 12.0, HPos::Left, WIDTH - 24.0);
            (self.draw)(sheet);
        })
    }
}
