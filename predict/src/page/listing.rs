//! The instructions of a prediction on the page.

use std::collections::BTreeMap;

use gcn_model::quantity::Cycles;
use serde::Serialize;

use super::look::{NAMES, kind};
use crate::basis::Basis;
use crate::line::Line;
use crate::prediction::Prediction;
use crate::text::number;

/// A line of the listing.
#[derive(Serialize)]
pub(super) struct Listed<'a> {
    address: String,
    issue: String,
    /// Empty where the wave does not stall for it.
    stalled: String,
    /// Empty where nothing of that is hidden.
    hidden: String,
    why: &'static str,
    letter: char,
    basis: &'static str,
    labels: &'a [String],
    place: &'a str,
    text: &'a str,
    note: &'a str,
    bars: Vec<Bar>,
}

/// A part of a line's bar.
#[derive(Serialize)]
struct Bar {
    kind: usize,
    name: &'static str,
    cycles: String,
    /// Percent of the longest line.
    width: String,
}

/// The basis of some lines' cycles.
#[derive(Serialize)]
pub(super) struct Rests<'a> {
    basis: &'static str,
    letter: char,
    source: &'a str,
    addresses: String,
}

/// The lines of a prediction.
pub(super) fn listing(prediction: &Prediction) -> Vec<Listed<'_>> {
    let total = |line: &Line| line.issue.0 + line.stalled().0;
    let longest = prediction.instructions.iter().map(total).fold(0.0, f64::max);
    prediction.instructions.iter().map(|line| listed(line, longest)).collect()
}

/// Nothing where there are no cycles.
fn if_any(cycles: Cycles) -> String {
    if cycles.0 > 0.0 { number(cycles) } else { String::new() }
}

fn listed(line: &Line, longest: f64) -> Listed<'_> {
    let stalled = line.stalled();
    let bar = |(stall, cycles): (_, Cycles)| Bar {
        kind: kind(stall),
        name: NAMES[kind(stall)],
        cycles: number(cycles),
        width: format!("{:.2}", cycles.0 / longest * 100.0),
    };
    let stalls = line.stalls.iter().map(|(stall, cycles)| (Some(*stall), *cycles));
    Listed {
        address: format!("{:#08x}", line.address),
        issue: number(line.issue),
        stalled: if_any(stalled),
        hidden: if_any(line.hidden),
        why: line.main_stall().map_or("", |stall| stall.name()),
        letter: line.basis.letter(),
        basis: line.basis.name(),
        labels: &line.labels,
        place: line.place.as_deref().unwrap_or(""),
        text: &line.text,
        note: line.note.as_deref().unwrap_or(""),
        bars: std::iter::once((None, line.issue)).chain(stalls).map(bar).collect(),
    }
}

/// The basis of the issue cycles, the surest first, each with its lines.
pub(super) fn rests(prediction: &Prediction) -> Vec<Rests<'_>> {
    let mut lines: BTreeMap<(Basis, &str), Vec<String>> = BTreeMap::new();
    for line in &prediction.instructions {
        lines.entry((line.basis, &line.source)).or_default().push(format!("{:#08x}", line.address));
    }
    let rests = |((basis, source), addresses): ((Basis, _), Vec<String>)| Rests {
        basis: basis.name(),
        letter: basis.letter(),
        source,
        addresses: addresses.join(" "),
    };
    lines.into_iter().map(rests).collect()
}
