//! The prediction of a launch as text.

use std::fmt::Write as _;

use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;

use super::prediction::LaunchPrediction;
use crate::steady::STEADY;
use crate::text::{basis_words, list, number, percent};

/// The summary of a launch and its listing, for people.
pub fn launch_text(gpu: &Gpu, prediction: &LaunchPrediction) -> String {
    let product = |sizes: [u32; 3]| sizes.map(|size| size.to_string()).join(" x ");
    let (grid, group) = (product(prediction.grid), product(prediction.group));
    let (name, target) = (&gpu.name, gpu.processor().name());
    let mut text = format!("{}  {name} ({target}), {grid} work-items in groups of {group}\n", prediction.kernel);
    summary(&mut text, prediction);
    text += "\n  address    executed      issue      stall  why                       basis  instruction (cycles of all waves)\n";
    for line in &prediction.instructions {
        let cycles = |cycles: Cycles| if cycles.0 > 0.0 { number(cycles) } else { String::new() };
        let listed = format!(
            "  {:#08x} {:>10} {:>10} {:>10}  {:<24}  {:<5}  {}",
            line.address,
            line.executed,
            cycles(line.issue),
            cycles(line.stalled()),
            line.main_stall().map_or("", |stall| stall.name()),
            line.basis.letter(),
            line.text,
        );
        let value = line.is_value_approximate.then_some("value approximate");
        let notes: Vec<&str> = line.note.as_deref().into_iter().chain(value).collect();
        let notes = if notes.is_empty() { String::new() } else { format!("  ({})", notes.join(", ")) };
        let _ = writeln!(text, "{}", format!("{listed}{notes}").trim_end());
    }
    text
}

fn summary(text: &mut String, prediction: &LaunchPrediction) {
    let cycles = number(prediction.cycles);
    list(text, "cycles", [format!("{cycles} from the start of the first wave to the end of the last")]);
    let LaunchPrediction { groups, waves, executed, compute_units, .. } = prediction;
    let launch =
        format!("groups: {groups}, waves: {waves}, instructions executed: {executed}, compute units: {compute_units}");
    list(text, "launch", [launch]);
    let waves = f64::from(prediction.waves.max(1));
    let (of_wave, lives) = (|cycles: Cycles| number(Cycles(cycles.0 / waves)), prediction.wave_cycles);
    let [mean, least, most] = [lives.mean, lives.least, lives.most].map(number);
    let (issuing, stalled) = (of_wave(prediction.issue()), number(Cycles(lives.mean.0 - prediction.issue().0 / waves)));
    let wave = format!("{mean} cycles on average, {least} to {most}: {issuing} issuing, {stalled} stalled");
    list(text, "a wave", [wave]);
    let stalls = prediction.stalls().into_iter().map(|(stall, cycles)| format!("{} {}", stall.name(), of_wave(cycles)));
    let stalls: Vec<String> = stalls.collect();
    list(text, "stalls", (!stalls.is_empty()).then(|| stalls.join(", ")));
    list(text, "basis", [basis_words(&prediction.basis)]);
    let approximate = prediction.approximate();
    let approximate = (!approximate.is_empty()).then(|| format!("values of {}; timing exact", approximate.join(", ")));
    list(text, "approximate", approximate);
    list(text, "advice", advice(prediction));
    list(text, "assuming", prediction.assumptions.iter().cloned());
}

/// The gain without bank conflicts, and where they are; `None` if it is none.
fn advice(prediction: &LaunchPrediction) -> Option<String> {
    let without = prediction.without_conflicts?;
    let gain = 1.0 - without.0 / prediction.cycles.0;
    let mut lines: Vec<_> = prediction.instructions.iter().filter(|line| line.conflicts.0 > 0.0).collect();
    lines.sort_by(|one, other| other.conflicts.0.total_cmp(&one.conflicts.0));
    let first = lines.first().filter(|_| gain > STEADY)?;
    let (share, all) = (percent(first.conflicts.0 / prediction.conflicts().0), number(prediction.conflicts()));
    Some(format!(
        "bank conflicts removed: they keep the LDS {all} cycles longer, {share} of it for `{}` at {:#x}: {} cycles, {} less",
        first.text,
        first.address,
        number(without),
        percent(gain),
    ))
}
