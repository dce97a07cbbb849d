//! `report.html`: one page with everything of a run, without anything from elsewhere.

use handlebars::Handlebars;
use serde::Serialize;

use crate::document::{Document, Topic};
use crate::results::Results;
use crate::views::illustrated::{Figure, Illustrated, figures, illustrated};
use crate::views::origin::device;
use crate::views::{Picture, SIMULATED, Table, findings, pictures};

/// The page; text in two braces is escaped.
const TEMPLATE: &str = include_str!("../../data/report.html.hbs");

/// The report of a run: one HTML page.
pub fn report_html(run: &Results) -> String {
    let mut handlebars = Handlebars::new();
    handlebars.set_strict_mode(true);
    handlebars.render_template(TEMPLATE, &Contents::of(run)).expect("the template fits its contents")
}

/// Everything that the template shows.
#[derive(Debug, Serialize)]
struct Contents {
    title: String,
    simulated: Option<&'static str>,
    complete: bool,
    summary: Vec<Illustrated>,
    /// What most readers come for, before the other sections.
    timings: Vec<Table>,
    figures: Vec<Figure>,
    sections: Vec<Illustrated>,
    missing_plots: Vec<MissingPlot>,
    tables: Vec<Table>,
}

/// A picture that the run has nothing for.
#[derive(Debug, Serialize)]
struct MissingPlot {
    title: &'static str,
    why: String,
}

impl Contents {
    fn of(run: &Results) -> Self {
        let mut pictures = pictures(run, None);
        let missing = |Picture { title, drawing, .. }: &Picture| {
            drawing.as_ref().err().map(|why| MissingPlot { title, why: why.clone() })
        };
        let missing_plots = pictures.iter().filter_map(missing).collect();
        let mut timings = run.report_tables();
        let tables = timings.split_off(timings.iter().take_while(|table| table.id == "timings").count());
        // The head of the page and the table of all instructions stand for the other sections.
        let mut page = Document::default();
        findings(&mut page, run);
        device(&mut page, run);
        let sections = illustrated(&page, &mut pictures);
        Self {
            title: run.title(),
            simulated: run.record.device.is_simulated().then_some(SIMULATED),
            complete: run.record.end.is_some(),
            summary: illustrated(&summary(run), &mut Vec::new()),
            timings,
            figures: figures(pictures),
            sections,
            missing_plots,
            tables,
        }
    }
}

/// The whole summary below a title: the page has its own heading.
fn summary(run: &Results) -> Document {
    let mut page = Document::default();
    page.section(Topic::Summary, 2, "Summary");
    run.summary().write(&mut page, Vec::new(), true);
    page
}
