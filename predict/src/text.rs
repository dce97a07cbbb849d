//! A prediction as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_model::quantity::Cycles;

use crate::basis::Basis;
use crate::bound::BINDS;
use crate::dispute::{Dispute, DisputedInstruction};
use crate::envelope::{Cause, Envelope};
use crate::gain::Advice;
use crate::hazards::Hazard;
use crate::memory_traffic::MemoryTraffic;
use crate::prediction::Prediction;
use crate::stall::Stall;

/// The column of the instructions, and that of their labels.
const LISTED: usize = 71;
const LABELS: usize = LISTED - 2;

/// The summary of a prediction and its listing, for people.
pub fn text(gpu: &Gpu, prediction: &Prediction) -> String {
    let (name, target) = (&gpu.name, gpu.processor().name());
    let mut text = format!("{}  {name} ({target}), {}\n", prediction.region.name, waves(prediction));
    summary(&mut text, prediction);
    text += "\n  address    issue    stall   hidden  why                       basis  instruction\n";
    let mut place = None;
    for line in &prediction.instructions {
        if line.place.is_some() && line.place != place {
            place.clone_from(&line.place);
            let _ = writeln!(text, "{:LISTED$}; {}", "", place.as_deref().unwrap_or_default());
        }
        for label in &line.labels {
            let _ = writeln!(text, "{:LABELS$}{label}:", "");
        }
        let cycles = |cycles: Cycles| if cycles.0 > 0.0 { number(cycles) } else { String::new() };
        let listed = format!(
            "  {:#08x} {:>7} {:>8} {:>8}  {:<24}  {:<5}  {}",
            line.address,
            number(line.issue),
            cycles(line.stalled()),
            cycles(line.hidden),
            line.main_stall().map_or("", |stall| stall.name()),
            line.basis.letter(),
            line.text,
        );
        let listed = line.note.as_ref().map_or(listed.clone(), |note| format!("{listed}  ({note})"));
        let _ = writeln!(text, "{}", listed.trim_end());
    }
    text
}

/// Lines of a summary that have a name together.
pub(crate) fn list(text: &mut String, name: &str, lines: impl IntoIterator<Item = String>) {
    for (index, line) in lines.into_iter().enumerate() {
        let _ = writeln!(text, "  {:<13}{line}", if index == 0 { name } else { "" });
    }
}

/// The shares of each basis.
pub(crate) fn basis_words(basis: &BTreeMap<Basis, f64>) -> String {
    let told = basis.iter().map(|(basis, share)| format!("{} {}", basis.name(), percent(*share)));
    told.collect::<Vec<_>>().join(", ")
}

fn summary(text: &mut String, prediction: &Prediction) {
    let (cycles, issued) = (prediction.cycles_per_iteration, prediction.issue());
    let (issuing, stalled) = (number(issued), number(Cycles(cycles.0 - issued.0)));
    let told = format!("{} for an iteration of each wave: {issuing} issuing, {stalled} stalled", number(cycles));
    let unsteady = format!("not steady after {} iterations: an average of the last half", prediction.iterations);
    list(text, "cycles", [told].into_iter().chain((!prediction.is_steady).then_some(unsteady)));
    let is_waiting = prediction.stalls().iter().any(|(stall, _)| *stall == Stall::Waitcnt);
    let memory = if is_waiting { ", with memory as fast as assumed" } else { "" };
    list(text, "between", prediction.envelope.iter().map(|envelope| format!("{}{memory}", between(envelope))));
    list(text, "disputed", prediction.disputes.iter().flatten().map(dispute_words));
    list(text, "bound by", [bound_by(prediction)]);
    list(text, "memory", prediction.memory_traffic.iter().map(traffic_words));
    let told = |(stall, cycles): (Stall, Cycles)| match stall {
        Stall::Waitcnt => format!("{} {}{}", stall.name(), number(cycles), waited_for(prediction)),
        _ => format!("{} {}", stall.name(), number(cycles)),
    };
    let stalls: Vec<String> = prediction.stalls().into_iter().map(told).collect();
    list(text, "stalls", (!stalls.is_empty()).then(|| stalls.join(", ")));
    list(text, "hidden", hidden(prediction));
    list(text, "basis", [basis_words(&prediction.basis)]);
    list(text, "occupancy", [prediction.occupancy.words()]);
    list(text, "advice", prediction.advice.iter().flatten().map(advice_words));
    list(text, "assuming", prediction.assumptions.iter().cloned());
    list(text, "HAZARD", prediction.hazards.iter().map(Hazard::words));
}

/// For which counters S_WAITCNT waits how long, in brackets; nothing where it is for one alone.
fn waited_for(prediction: &Prediction) -> String {
    let mut by_counters: BTreeMap<String, f64> = BTreeMap::new();
    for line in &prediction.instructions {
        if let Some(cycles) = line.stalls.get(&Stall::Waitcnt).filter(|cycles| cycles.0 > 0.0) {
            *by_counters.entry(line.waits_for.join("+")).or_default() += cycles.0;
        }
    }
    let told: Vec<String> = (by_counters.iter())
        .filter(|(counters, _)| !counters.is_empty())
        .map(|(counters, cycles)| format!("{counters} {}", number(Cycles(*cycles))))
        .collect();
    if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
}

/// How many waves there are.
pub(crate) fn waves(prediction: &Prediction) -> String {
    let question = prediction.question;
    let plural = |count: u32, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let lanes = prediction.wave_size.map(|lanes| format!(" of {lanes} lanes")).unwrap_or_default();
    let mode = if question.group_mode == GroupMode::Processor { " of a work-group processor" } else { "" };
    let (waves, simds) = (plural(question.waves_per_simd, "wave"), plural(question.simds, "SIMD"));
    format!("{waves}{lanes} on each of {simds}{mode}")
}

/// How much of the time in which waves are stalled others use; `None` where there are no others, or no such time.
pub(crate) fn hidden(prediction: &Prediction) -> Option<String> {
    let stalled = prediction.cycles_per_iteration.0 - prediction.issue().0;
    if prediction.question.waves_per_simd == 1 || prediction.stalls().is_empty() {
        return None;
    }
    let (hidden, stalled) = (number(prediction.hidden()), number(Cycles(stalled)));
    Some(format!("{hidden} of {stalled} stalled, while another wave of the SIMD issues"))
}

/// Instructions that are named as the reasons of an envelope.
const NAMED_CAUSES: usize = 3;

/// Between what numbers the cycles lie, and why.
pub(crate) fn between(envelope: &Envelope) -> String {
    let names = |causes: &mut dyn Iterator<Item = &Cause>| {
        let named = causes.take(NAMED_CAUSES).map(|cause| format!("{} ({})", cause.instruction, cause.basis.name()));
        named.collect::<Vec<_>>().join(", ")
    };
    if envelope.causes.is_empty() {
        return "no instruction here has an uncertain timing".to_owned();
    }
    let (low, high) = (number(envelope.low), number(envelope.high));
    if low == high {
        return format!(
            "{low} for all plausible values of the uncertain timings: {}",
            names(&mut envelope.causes.iter())
        );
    }
    let moving = &mut envelope.causes.iter().filter(|cause| cause.low.0 < cause.high.0);
    format!("{low} and {high}, most of it for {}", names(moving))
}

/// A source's result, and why.
pub(crate) fn dispute_words(dispute: &Dispute) -> String {
    let name = |one: &DisputedInstruction| {
        let (here, counts) = if one.is_measured { ("measured", ", which is used") } else { ("here", "") };
        format!("{} {} ({here} {}{counts})", one.instruction, one.cycles, one.predicted_cycles)
    };
    let names: Vec<String> = dispute.instructions.iter().map(name).collect();
    format!("{} by {}: {}", number(dispute.cycles_per_iteration), dispute.source, names.join(", "))
}

/// What bounds it, and what would be next.
pub(crate) fn bound_by(prediction: &Prediction) -> String {
    let told =
        |bound: &crate::bound::Bound| format!("{} {} ({})", bound.of, number(bound.cycles), percent(bound.share));
    let (binding, rest): (Vec<_>, Vec<_>) = prediction.bounds.iter().partition(|bound| bound.share >= BINDS);
    let next = rest.first().map(|bound| format!("; next: {}", told(bound))).unwrap_or_default();
    if binding.is_empty() {
        let longest = prediction.stalls().first().map_or("", |(stall, _)| stall.name());
        return format!("no single unit: waves stall, mostly for {longest}{next}");
    }
    format!("{}{next}", binding.into_iter().map(told).collect::<Vec<_>>().join(", "))
}

/// How long the memory of the card would take.
pub(crate) fn traffic_words(traffic: &MemoryTraffic) -> String {
    let MemoryTraffic { bytes, uncounted, compute_units, .. } = traffic;
    let rate = number(Cycles(traffic.bytes_per_cycle));
    let uncounted = match uncounted {
        0 => String::new(),
        some => format!("; not counted: {some} instructions whose descriptor says how much they move"),
    };
    format!(
        "{} ({}) if every byte came from memory: {bytes} bytes of each wave, {rate} bytes a cycle for {compute_units} compute units{uncounted}",
        number(traffic.cycles),
        percent(traffic.share),
    )
}

/// A change and its gain.
pub(crate) fn advice_words(advice: &Advice) -> String {
    let Advice { kind, words, waves_per_simd, cycles, gain_percent, .. } = advice;
    let of_waves = if *waves_per_simd == 1 { String::new() } else { format!(" of {waves_per_simd} waves") };
    format!("{}: {words}: {} cycles{of_waves}, {gain_percent:.1} % less for a SIMD", kind.name(), number(*cycles))
}

pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// At most two decimals, none that are zero.
pub fn number(cycles: Cycles) -> String {
    let text = format!("{:.2}", cycles.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
