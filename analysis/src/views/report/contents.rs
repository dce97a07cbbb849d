//! The content of the report.

use gcn_model::published;
use serde::Serialize;

use crate::clock::movement;
use crate::results::Results;
use crate::settle::Tally;
use crate::tables::decimal;
use crate::views::{Drawing, SIMULATED, Table, mode_words, pictures};

/// Everything that the template shows.
#[derive(Debug, Serialize)]
pub(super) struct Contents {
    title: String,
    simulated: Option<&'static str>,
    complete: bool,
    device: Vec<Fact>,
    summary: Vec<Fact>,
    dpfactor: String,
    /// What most readers come for, before the plots.
    timings: Vec<Table>,
    plots: Vec<Plot>,
    missing_plots: Vec<Fact>,
    tables: Vec<Table>,
}

/// A name and its meaning.
#[derive(Debug, Serialize)]
struct Fact {
    name: String,
    value: String,
}

#[derive(Debug, Serialize)]
struct Plot {
    name: String,
    title: String,
    svg: String,
}

fn fact(name: &str, value: impl Into<String>) -> Fact {
    Fact { name: name.into(), value: value.into() }
}

impl Contents {
    pub(super) fn of(run: &Results) -> Self {
        let mut plots = Vec::new();
        let mut missing_plots = Vec::new();
        for picture in pictures(run, None) {
            match picture.drawing {
                Drawing::Drawn(svg) => {
                    plots.push(Plot { name: picture.name.into(), title: picture.title.into(), svg });
                }
                Drawing::Missing(why) => missing_plots.push(fact(picture.title, why)),
            }
        }
        let mut timings = run.report_tables();
        let tables = timings.split_off(timings.iter().take_while(|table| table.id == "timings").count());
        Self {
            title: run.title(),
            simulated: run.record.device.is_simulated().then_some(SIMULATED),
            complete: run.record.end.is_some(),
            device: device(run),
            summary: summary(run),
            dpfactor: dpfactor(run),
            plots,
            missing_plots,
            timings,
            tables,
        }
    }
}

fn device(run: &Results) -> Vec<Fact> {
    let (record, device) = (&run.record, &run.record.device);
    let mut facts = vec![
        fact("Device", device.name.as_str()),
        fact("Chosen as", device.device.as_str()),
        fact("Driver", device.driver.as_str()),
        fact("Target", format!("{}, {}", device.target, device.generation_title())),
        fact("Compute units", device.compute_units.to_string()),
    ];
    facts.extend(device.mode.map(|mode| fact("Work-groups", mode_words(mode))));
    facts.extend(device.clock_mhz.map(|clock| fact("Shader clock", format!("{} MHz", decimal(clock)))));
    facts.extend([
        fact("Tool", format!("{}; {}", record.tool, record.assembler)),
        fact("Suites", record.options.suites.join(", ")),
        fact("Start", record.start.as_str()),
        fact("End", record.end.as_deref().unwrap_or("the run is incomplete")),
    ]);
    facts
}

fn summary(run: &Results) -> Vec<Fact> {
    let mut statuses: Vec<(&str, usize)> = Vec::new();
    for row in &run.timings {
        count(&mut statuses, row.status.name());
    }
    let mut sources: Vec<(&str, Vec<(&str, usize)>)> = Vec::new();
    for row in &run.validation {
        let known = sources.iter().position(|(source, _)| *source == row.source);
        let position = known.unwrap_or_else(|| {
            sources.push((&row.source, Vec::new()));
            sources.len() - 1
        });
        count(&mut sources[position].1, row.verdict.word_on(&run.record.device));
    }
    let mut facts = vec![fact("Instructions", words(&statuses))];
    // Results that are kept without their estimates do not say what became of the readings.
    if !run.estimates.is_empty() {
        let tally: Tally = run.tally();
        facts.extend([
            fact("Readings", format!("{tally}; estimates.csv has them by experiment")),
            fact("Clock in the run", clock(run)),
        ]);
    }
    let described =
        |source: &str| published::source(source).map(|found| format!(" ({}; {})", found.title(), found.from()));
    facts.extend(sources.iter().map(|(source, verdicts)| {
        fact(&format!("Source {source}"), words(verdicts) + &described(source).unwrap_or_default())
    }));
    facts
}

fn clock(run: &Results) -> String {
    match &run.clock {
        Ok(clock) => format!("{:.0} MHz at the start; {}", clock.stretches[0].mhz, movement(&clock.stretches)),
        Err(why) => why.to_string(),
    }
}

fn count<'a>(counts: &mut Vec<(&'a str, usize)>, word: &'a str) {
    match counts.iter_mut().find(|(known, _)| *known == word) {
        Some((_, count)) => *count += 1,
        None => counts.push((word, 1)),
    }
}

fn words(counts: &[(&str, usize)]) -> String {
    let words: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    if words.is_empty() { "none".into() } else { words.join(", ") }
}

fn dpfactor(run: &Results) -> String {
    let Ok(found) = &run.dpfactor else {
        return "Not measured: no instruction whose published cycles contain DPFACTOR has a number.".into();
    };
    let (factor, interval) = (decimal(found.dpfactor), found.bracketed());
    format!(
        "DPFACTOR {factor} {interval}, double precision at {} of single precision: {}. {} of {} instructions \
         agree; the table of evidence says which.",
        found.rate(),
        found.says(),
        found.agreeing,
        found.of
    )
}
