//! A prediction as text.

use std::fmt::Write as _;

use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;

use crate::occupancy::Limiter;
use crate::prediction::Prediction;

/// From this share of the cycles on, a limit is what bounds a region.
pub const BINDS: f64 = 0.98;

/// The summary of a prediction and its listing, for people.
pub fn text(gpu: &Gpu, prediction: &Prediction) -> String {
    let mut text = String::new();
    let question = prediction.question;
    let plural = |count: u32, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let _ = writeln!(
        text,
        "{}  {} ({}), {} on each of {}",
        prediction.region.name,
        gpu.name,
        gpu.gfx_target,
        plural(question.waves_per_simd, "wave"),
        plural(question.simds, "SIMD"),
    );
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
    let _ = writeln!(text, "  bound by     {}", bound_by(prediction));
    let stalls: Vec<String> =
        prediction.stalls().into_iter().map(|(stall, cycles)| format!("{} {}", stall.name(), number(cycles))).collect();
    if !stalls.is_empty() {
        let _ = writeln!(text, "  stalls       {}", stalls.join(", "));
    }
    let basis: Vec<String> =
        prediction.basis.iter().map(|(basis, share)| format!("{} {:.1} %", basis.name(), share * 100.0)).collect();
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

fn bound_by(prediction: &Prediction) -> String {
    let told =
        |bound: &crate::bound::Bound| format!("{} {} ({:.1} %)", bound.of, number(bound.cycles), bound.share * 100.0);
    let (binding, rest): (Vec<_>, Vec<_>) = prediction.bounds.iter().partition(|bound| bound.share >= BINDS);
    let next = rest.first().map(|bound| format!("; next: {}", told(bound))).unwrap_or_default();
    if binding.is_empty() {
        let longest = prediction.stalls().first().map_or("", |(stall, _)| stall.name());
        return format!("no unit alone: waves stand still, mostly for {longest}{next}");
    }
    format!("{}{next}", binding.into_iter().map(told).collect::<Vec<_>>().join(", "))
}

fn registers(prediction: &Prediction) -> String {
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

/// At most two decimals, none that are zero.
pub(crate) fn number(cycles: Cycles) -> String {
    let text = format!("{:.2}", cycles.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
