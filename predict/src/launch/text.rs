//! The prediction of a launch as text.

use std::fmt::Write as _;

use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;

use super::prediction::LaunchPrediction;
use crate::text::{number, percent};

/// The summary of a launch and its listing, for people.
pub fn launch_text(gpu: &Gpu, prediction: &LaunchPrediction) -> String {
    let mut text = String::new();
    let product = |sizes: [u32; 3]| sizes.map(|size| size.to_string()).join(" x ");
    let _ = writeln!(
        text,
        "{}  {} ({}), {} work-items in groups of {}",
        prediction.kernel,
        gpu.name,
        gpu.processor().name(),
        product(prediction.grid),
        product(prediction.group),
    );
    let _ = writeln!(
        text,
        "  cycles       {} from the start of the first wave to the end of the last",
        number(prediction.cycles)
    );
    let _ = writeln!(
        text,
        "  launch       groups: {}, waves: {}, instructions executed: {}, compute units: {}",
        prediction.groups, prediction.waves, prediction.executed, prediction.compute_units,
    );
    let waves = f64::from(prediction.waves.max(1));
    let (of_wave, lives) = (|cycles: Cycles| number(Cycles(cycles.0 / waves)), prediction.wave_cycles);
    let _ = writeln!(
        text,
        "  a wave       {} cycles on average, {} to {}: {} issuing, {} stalled",
        number(lives.mean),
        number(lives.least),
        number(lives.most),
        of_wave(prediction.issue()),
        number(Cycles(lives.mean.0 - prediction.issue().0 / waves)),
    );
    let stalls: Vec<String> = prediction
        .stalls()
        .into_iter()
        .map(|(stall, cycles)| format!("{} {}", stall.name(), of_wave(cycles)))
        .collect();
    if !stalls.is_empty() {
        let _ = writeln!(text, "  stalls       {}", stalls.join(", "));
    }
    let basis: Vec<String> =
        prediction.basis.iter().map(|(basis, share)| format!("{} {}", basis.name(), percent(*share))).collect();
    let _ = writeln!(text, "  basis        {}", basis.join(", "));
    let approximate = prediction.approximate();
    if !approximate.is_empty() {
        let _ = writeln!(text, "  approximate  values of {}; timing exact", approximate.join(", "));
    }
    for (index, assumption) in prediction.assumptions.iter().enumerate() {
        let _ = writeln!(text, "  {}{assumption}", if index == 0 { "assuming     " } else { "             " });
    }
    let _ = writeln!(
        text,
        "\n  address    executed      issue      stall  why                       basis  instruction (cycles of all waves)"
    );
    for line in &prediction.instructions {
        let stalled = line.stalled();
        let cycles = |cycles: Cycles| if cycles.0 > 0.0 { number(cycles) } else { String::new() };
        let listed = format!(
            "  {:#08x} {:>10} {:>10} {:>10}  {:<24}  {:<5}  {}",
            line.address,
            line.executed,
            cycles(line.issue),
            cycles(stalled),
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
