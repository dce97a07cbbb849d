//! What stands on the page.

use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;
use serde::Serialize;

use super::listing::{Listed, Rests, listing, rests};
use super::look::{NAMES, kind};
use super::picture::Picture;
use crate::prediction::Prediction;
use crate::recorded::Recorded;
use crate::text::{advice_words, between, bound_by, dispute_words, hidden, number, percent, traffic_words, waves};

/// Everything that the template shows.
#[derive(Serialize)]
pub(super) struct Contents<'a> {
    file: &'a str,
    gpu: &'a str,
    target: &'a str,
    version: &'static str,
    /// The meaning of the colours.
    kinds: [&'static str; NAMES.len()],
    has_several: bool,
    predictions: Vec<Section<'a>>,
}

/// A prediction.
#[derive(Serialize)]
struct Section<'a> {
    /// Counted from 1.
    number: usize,
    heading: String,
    region: &'a str,
    waves: u32,
    cycles: String,
    bound_by: String,
    facts: Vec<Fact>,
    shares: Vec<Share>,
    assumptions: &'a [String],
    lines: Vec<Listed<'a>>,
    rests: Vec<Rests<'a>>,
    picture: Picture,
}

/// A name and its meaning.
#[derive(Serialize)]
struct Fact {
    name: &'static str,
    value: String,
}

/// The use of a part of an iteration.
#[derive(Serialize)]
struct Share {
    kind: usize,
    name: &'static str,
    cycles: String,
    /// Of the iteration.
    percent: String,
}

impl<'a> Contents<'a> {
    pub(super) fn of(file: &'a str, gpu: &'a Gpu, recorded: &'a [Recorded]) -> Self {
        Self {
            file,
            gpu: &gpu.name,
            target: gpu.processor().name(),
            version: env!("CARGO_PKG_VERSION"),
            kinds: NAMES,
            has_several: recorded.len() > 1,
            predictions: (1..).zip(recorded).map(|(number, recorded)| section(number, recorded)).collect(),
        }
    }
}

fn section(number: usize, recorded: &Recorded) -> Section<'_> {
    let Recorded { prediction, timeline } = recorded;
    Section {
        number,
        heading: format!("{}, {}", prediction.region.name, waves(prediction)),
        region: &prediction.region.name,
        waves: prediction.question.waves_per_simd,
        cycles: self::number(prediction.cycles_per_iteration),
        bound_by: bound_by(prediction),
        facts: facts(prediction),
        shares: shares(prediction),
        assumptions: &prediction.assumptions,
        lines: listing(prediction),
        rests: rests(prediction),
        picture: Picture::of(prediction, timeline),
    }
}

fn facts(prediction: &Prediction) -> Vec<Fact> {
    let cycles = prediction.cycles_per_iteration.0;
    let steady = if prediction.is_steady {
        String::new()
    } else {
        format!("; not steady after {} iterations: an average of the last half", prediction.iterations)
    };
    let limits: Vec<String> =
        prediction.bounds.iter().map(|bound| format!("{} {}", bound.of, number(bound.cycles))).collect();
    let basis: Vec<String> =
        prediction.basis.iter().map(|(basis, share)| format!("{} {}", basis.name(), percent(*share))).collect();
    let fact = |name, value| Fact { name, value };
    let of_simd = Cycles(cycles / f64::from(prediction.question.waves_per_simd));
    let between = prediction.envelope.as_ref().map(|envelope| fact("Between", between(envelope)));
    let disputes: Vec<String> = prediction.disputes.iter().flatten().map(dispute_words).collect();
    let disputed = (!disputes.is_empty()).then(|| fact("Disputed", disputes.join("; ")));
    let traffic = prediction.memory_traffic.as_ref().map(|traffic| fact("Memory", traffic_words(traffic)));
    let hidden = hidden(prediction).map(|hidden| fact("Hidden", hidden));
    let advice: Vec<String> = prediction.advice.iter().flatten().map(advice_words).collect();
    let facts = [
        Some(fact(
            "Cycles",
            format!("{} for an iteration of each wave{steady}", number(prediction.cycles_per_iteration)),
        )),
        between,
        disputed,
        Some(fact("Each SIMD", format!("ends an iteration of one of its waves every {} cycles", number(of_simd)))),
        Some(fact("Bound by", bound_by(prediction))),
        Some(fact("Limits, each alone", limits.join(", "))),
        traffic,
        hidden,
        Some(fact("Basis", basis.join(", "))),
        Some(fact("Occupancy", prediction.occupancy.words())),
        (!advice.is_empty()).then(|| fact("Advice", advice.join("; "))),
    ];
    facts.into_iter().flatten().collect()
}

/// Issue first, then the stalls, the longest first.
fn shares(prediction: &Prediction) -> Vec<Share> {
    let issue = (None, prediction.issue());
    let stalls = prediction.stalls().into_iter().map(|(stall, cycles)| (Some(stall), cycles));
    let share = |(stall, cycles): (_, Cycles)| Share {
        kind: kind(stall),
        name: NAMES[kind(stall)],
        cycles: number(cycles),
        percent: format!("{:.2}", cycles.0 / prediction.cycles_per_iteration.0 * 100.0),
    };
    std::iter::once(issue).chain(stalls).map(share).collect()
}
