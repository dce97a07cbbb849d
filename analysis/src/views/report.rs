//! `report.html`: one page with everything of a run, without anything from elsewhere.

use handlebars::Handlebars;
use serde_json::{Value, json};

use crate::document::{Document, Section, Topic};
use crate::results::Results;
use crate::views::origin::device;
use crate::views::{Picture, SIMULATED, findings, pictures};

/// The page; text in two braces is escaped.
const TEMPLATE: &str = include_str!("../../data/report.html.hbs");

/// The report of a run: one HTML page.
pub fn report_html(run: &Results) -> String {
    let mut handlebars = Handlebars::new();
    handlebars.set_strict_mode(true);
    handlebars.render_template(TEMPLATE, &contents(run)).expect("the template fits its contents")
}

/// Everything that the template shows.
fn contents(run: &Results) -> Value {
    let mut pictures = pictures(run, None);
    let missing = |Picture { title, drawing, .. }: &Picture| {
        drawing.as_ref().err().map(|why| json!({ "title": title, "why": why }))
    };
    // Pictures that the run has nothing for.
    let missing_plots: Vec<Value> = pictures.iter().filter_map(missing).collect();
    // What most readers come for is before the other sections.
    let mut timings = run.report_tables();
    let tables = timings.split_off(timings.iter().take_while(|table| table.id == "timings").count());
    // The head of the page and the table of all instructions stand for the other sections.
    let mut page = Document::default();
    findings(&mut page, run);
    device(&mut page, run);
    let sections = illustrated(&page, &mut pictures);
    json!({
        "title": run.title(),
        "simulated": run.record.device.is_simulated().then_some(SIMULATED),
        "complete": run.record.end.is_some(),
        "summary": illustrated(&summary(run), &mut Vec::new()),
        "timings": timings,
        "figures": figures(pictures),
        "sections": sections,
        "missing_plots": missing_plots,
        "tables": tables,
    })
}

/// The whole summary below a title: the page has its own heading.
fn summary(run: &Results) -> Document {
    let mut page = Document::default();
    page.section(Topic::Summary, 2, "Summary");
    run.summary().write(&mut page, Vec::new(), true);
    page
}

/// The sections of a document with their pictures. Each picture of a topic moves to the topic's first section; those of no section stay.
pub(super) fn illustrated(document: &Document, pictures: &mut Vec<Picture>) -> Vec<Value> {
    let illustrated = |section: &Section| {
        json!({
            "anchor": section.anchor(),
            "title": section.title,
            // Whether it is a part of the section before it.
            "is_part": section.level > 2,
            "html": section.html(),
            "figures": figures(pictures.extract_if(.., |picture| picture.topic == section.topic)),
        })
    };
    document.sections.iter().map(illustrated).collect()
}

/// The pictures that were drawn.
fn figures(pictures: impl IntoIterator<Item = Picture>) -> Vec<Value> {
    let drawn =
        |Picture { name, title, drawing, .. }| Some(json!({ "name": name, "title": title, "svg": drawing.ok()? }));
    pictures.into_iter().filter_map(drawn).collect()
}
