//! A prediction as text.

use std::fmt::Write as _;

use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;

use crate::envelope::{Cause, Envelope};
use crate::occupancy::Limiter;
use crate::prediction::Prediction;

/// From this share of the cycles on, a limit is what bounds a region.
pub const BINDS: f64 = 0.98;

/// The summary of a prediction and its listing, for people.
pub fn text(gpu: &Gpu, prediction: &Prediction) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}  {} ({}), {}", prediction.region.name, gpu.name, gpu.gfx_target, waves(prediction));
    let _ = writeln!(
        text,
        "  cycles       {} for an iteration of each wave: {} issuing, {} standing still",
        number(prediction.cycles_per_iteration),
        number(prediction.issue()),
        number(Cycles(prediction.cycles_per_iteration.0 - prediction.issue().0)),
    );
    if !prediction.is_steady {
        let _ = writeln!(
            text,
            "               not steady after {} iterations: an average of the last half",
            prediction.iterations
        );
    }
    if let Some(envelope) = &prediction.envelope {
        let _ = writeln!(text, "  between      {}", between(envelope));
    }
    let _ = writeln!(text, "  bound by     {}", bound_by(prediction));
    let stalls: Vec<String> =
        prediction.stalls().into_iter().map(|(stall, cycles)| format!("{} {}", stall.name(), number(cycles))).collect();
    if !stalls.is_empty() {
        let _ = writeln!(text, "  stalls       {}", stalls.join(", "));
    }
    let basis: Vec<String> =
        prediction.basis.iter().map(|(basis, share)| format!("{} {}", basis.name(), percent(*share))).collect();
    let _ = writeln!(text, "  basis        {}", basis.join(", "));
    let _ = writeln!(text, "  registers    {}", registers(prediction));
    for (index, assumption) in prediction.assumptions.iter().enumerate() {
        let _ = writeln!(text, "  {}{assumption}", if index == 0 { "assuming     " } else { "             " });
    }
    let _ = writeln!(text, "\n  address    issue    stall  why                       basis  instruction");
    for line in &prediction.instructions {
        let stalled = line.stalled();
        let why = line.main_stall().map_or("", |stall| stall.name());
        let listed = format!(
            "  {:#08x} {:>7} {:>8}  {why:<24}  {:<5}  {}",
            line.address,
            number(line.issue),
            if stalled.0 > 0.0 { number(stalled) } else { String::new() },
            line.basis.letter(),
            line.text,
        );
        let listed = line.note.as_ref().map_or(listed.clone(), |note| format!("{listed}  ({note})"));
        let _ = writeln!(text, "{}", listed.trim_end());
    }
    text
}

/// How many waves there are.
pub(crate) fn waves(prediction: &Prediction) -> String {
    let question = prediction.question;
    let plural = |count: u32, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    format!("{} on each of {}", plural(question.waves_per_simd, "wave"), plural(question.simds, "SIMD"))
}

/// Instructions that are named as the reasons of an envelope.
const NAMED_CAUSES: usize = 3;

fn between(envelope: &Envelope) -> String {
    let names = |causes: &mut dyn Iterator<Item = &Cause>| {
        let named = causes.take(NAMED_CAUSES).map(|cause| format!("{} ({})", cause.instruction, cause.basis.name()));
        named.collect::<Vec<_>>().join(", ")
    };
    if envelope.causes.is_empty() {
        return "no timing of it is an estimate or lies in an interval".to_owned();
    }
    let (low, high) = (number(envelope.low), number(envelope.high));
    if low == high {
        return format!("{low} whatever the unsure timings are: {}", names(&mut envelope.causes.iter()));
    }
    let moving = &mut envelope.causes.iter().filter(|cause| cause.low.0 < cause.high.0);
    format!("{low} and {high}, most of it for {}", names(moving))
}

/// What bounds it, and what would be next.
pub(crate) fn bound_by(prediction: &Prediction) -> String {
    let told =
        |bound: &crate::bound::Bound| format!("{} {} ({})", bound.of, number(bound.cycles), percent(bound.share));
    let (binding, rest): (Vec<_>, Vec<_>) = prediction.bounds.iter().partition(|bound| bound.share >= BINDS);
    let next = rest.first().map(|bound| format!("; next: {}", told(bound))).unwrap_or_default();
    if binding.is_empty() {
        let longest = prediction.stalls().first().map_or("", |(stall, _)| stall.name());
        return format!("no unit alone: waves stand still, mostly for {longest}{next}");
    }
    format!("{}{next}", binding.into_iter().map(told).collect::<Vec<_>>().join(", "))
}

/// What its registers leave room for.
pub(crate) fn registers(prediction: &Prediction) -> String {
    let occupancy = prediction.occupancy;
    let waves = occupancy.waves_per_simd;
    let named = format!("{} VGPRs, {} SGPRs named: room for {waves} waves", occupancy.vgprs, occupancy.sgprs);
    match (occupancy.limiter, occupancy.registers_for_one_more) {
        (Limiter::Slots, _) | (_, None) => format!("{named}, which are all that a SIMD has"),
        (limiter, Some(most)) => {
            let kind = if limiter == Limiter::Vgprs { "VGPRs" } else { "SGPRs" };
            format!("{named}; {} need ≤ {most} {kind}", waves + 1)
        }
    }
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// At most two decimals, none that are zero.
pub fn number(cycles: Cycles) -> String {
    let text = format!("{:.2}", cycles.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
