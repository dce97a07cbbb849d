//! The page's head: subject and tools of the measurement, DPFACTOR, and the measurements of other suites.

use gcn_model::published::{dp_table, sources};

use crate::clock::clock_words;
use crate::document::{Document, Topic, escaped};
use crate::results::{Guesses, Results};
use crate::tables::{GUESS, decimal, plural};
use crate::verdict::{DpClass, DpFactor};
use crate::views::{SIMULATED, mode_words};

/// Title, device, and how to read the tables.
pub(super) fn introduction(page: &mut Document, analysis: &Results) {
    let device = &analysis.record.device;
    let simulated = device.is_simulated();
    // The page that is regenerated has this title; it speaks of no other generation.
    let is_in_clrx = analysis.is_in_clrx();
    let of = if is_in_clrx { "GCN ISA".to_owned() } else { escaped(&device.generation_title()) };
    page.section(
        Topic::Introduction,
        1,
        format!("{of} instruction timings{}", if simulated { ", simulated" } else { "" }),
    );
    if simulated {
        let mark = GUESS.trim();
        let marks = match Guesses::of(device).are_known() {
            true => format!(" An *{mark}* follows each number that rests on an estimate: no source has it."),
            false => String::new(),
        };
        page.warning(format!(
            "**{SIMULATED}** The simulator's inputs are published tables, a GPU file and estimates.{marks}"
        ));
    }
    page.paragraph(format!(
        "Measured on {} ({}, {}) through {} by {}{}.",
        escaped(&device.name),
        escaped(&device.target_and_waves()),
        escaped(&device.generation_title()),
        escaped(&device.driver),
        escaped(&analysis.record.tool),
        // When, is in run.json: the same readings give the same page.
        if analysis.record.end.is_some() { "" } else { "; the run is incomplete" },
    ));
    if let Some(mode) = device.mode {
        let what = "throughput is that of one compute unit";
        page.paragraph(format!("Work-groups ran {}; {what}.", mode_words(mode)));
    }
    let confirms = if simulated { "both are the same" } else { "the measurement confirms the table" };
    let published = format!(
        "*Published* is the CLRX table's value where the measurement differs, where the table has a question mark, or where nothing was measured; where the column is empty, {confirms}. "
    );
    let published = if is_in_clrx { published.as_str() } else { "" };
    page.paragraph(format!(
        "Every number in the columns Cycles, Latency and Throughput was measured in this run. Cycles are shader cycles of one wave for \
         independent instructions, latency for dependent ones (of a load, until its data are there); throughput is instructions per \
         cycle per compute unit, with the waves on each SIMD that reached it. ± is half of the 95 % interval where it is not zero. \
         {published}Latency is empty where nothing hands an instruction's result back to it, and `detail` in `timings.csv` says why; \
         throughput is empty where the run has none of many waves.",
    ));
    let measured = analysis.timings.iter().filter(|row| row.has_number()).count();
    let beyond = format!("; {} of them are not in the CLRX table", analysis.beyond_clrx().count());
    let beyond = if is_in_clrx { beyond.as_str() } else { "" };
    page.paragraph(format!("{} with a number here{beyond}.", plural(measured, "instruction")));
    if !analysis.estimates.is_empty() {
        page.paragraph(format!("Readings: {}.", analysis.tally()));
    }
    let clock = clock_words(&analysis.clock);
    page.paragraph(format!("Shader clock: {clock}."));
}

/// The DPFACTOR table, with this run's row.
pub(super) fn dpfactor(page: &mut Document, analysis: &Results) {
    page.section(Topic::Dpfactor, 2, "DPFACTOR");
    let found = match analysis.dpfactor.as_ref() {
        Ok(found) => found,
        Err(absent) => return page.paragraph(format!("Not measured: {absent}.")),
    };
    let mut said = dpfactor_sentence(found);
    if !found.contradicting.is_empty() {
        said += &format!("\nContradicting: {}.", found.contradicting.join(", "));
    }
    page.paragraph(said);
    dpfactor_table(page, analysis, found);
}

/// The factor, how it relates to the published ones, and what it rests on.
pub(in crate::views) fn dpfactor_sentence(found: &DpFactor) -> String {
    format!(
        "DPFACTOR is {} (double precision at {} of single precision), {}; {} on {} {}.",
        found.words(),
        found.rate(),
        found.says(),
        found.agreement(),
        decimal(found.measured),
        found.bracketed(),
    )
}

/// The published factors; the run's own has a mark, or a row.
pub(in crate::views) fn dpfactor_table(page: &mut Document, analysis: &Results, found: &DpFactor) {
    let published = dp_table(sources(), &analysis.record.device.target).into_iter().map(|row| {
        let here = found.class == DpClass::Known && row.dp_factor == found.dpfactor;
        let here = if here { "yes" } else { "" };
        [row.dp_factor.to_string(), row.dp_rate, row.gpus, here.to_owned()]
    });
    let own = [decimal(found.dpfactor), found.dp_rate.clone(), "not published".to_owned(), "yes".to_owned()];
    let own = (found.class == DpClass::New).then_some(own);
    page.table(["DPFACTOR", "DP speed", "GPU subfamily", "this run"], published.chain(own));
}

/// A section that the run does not have: it is one of a suite of its own. Runs that were asked for some instructions alone do not name it.
pub(super) fn without_suite(page: &mut Document, analysis: &Results, topic: Topic, title: &str, suite: &str) {
    if analysis.record.options.only.is_empty() {
        page.section(topic, 2, title);
        page.paragraph(format!("Not measured in this run: it is a suite of its own (`--suite {suite}`)."));
    }
}
