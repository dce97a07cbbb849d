//! What lies between two predictions, as text.

use std::fmt::Write as _;

use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;

use super::aligned::ChangedLine;
use super::change::{Change, Verdict};
use super::difference_of::Difference;
use crate::prediction::Prediction;
use crate::text::{bound_by, number, waves};

/// The two predictions side by side, for people.
pub fn difference_text(gpu: &Gpu, difference: &Difference) -> String {
    let Difference { before, after, change, bounds, lines } = difference;
    let mut text = String::new();
    let _ = writeln!(text, "{} → {}  {} ({})", before.region.name, after.region.name, gpu.name, gpu.processor().name());
    let _ = writeln!(text, "  {}", verdict(change));
    let shared = |of: &dyn Fn(&Prediction) -> String| match (of(before), of(after)) {
        (one, other) if one == other => one,
        (one, other) => format!("{one} → {other}"),
    };
    let _ = writeln!(text, "  waves        {}", shared(&|prediction| waves(prediction)));
    for (name, prediction) in [("before", before), ("after", after)] {
        let not_steady = if prediction.is_steady { "" } else { " (not steady)" };
        let _ = writeln!(text, "  {name:<12} {}{not_steady}", cycles(prediction));
        let _ = writeln!(text, "    bound by   {}", bound_by(prediction));
    }
    let mut assumptions = before.assumptions.clone();
    assumptions.extend(after.assumptions.iter().filter(|it| !before.assumptions.contains(it)).cloned());
    for (index, assumption) in assumptions.iter().enumerate() {
        let _ = writeln!(text, "  {}{assumption}", if index == 0 { "assuming     " } else { "             " });
    }
    let _ = writeln!(text, "\n   before     after    change  limit, if it were the only one");
    for bound in bounds {
        let _ = writeln!(text, "{}  {}", three(bound.before, bound.after), bound.of);
    }
    let _ = writeln!(text, "\n   before     after    change  address             instruction");
    for line in lines {
        let _ = writeln!(text, "{}  {}{}", three_of(line), addresses(line), line.text);
    }
    let [of_before, of_after] = [before, after].map(|prediction| prediction.cycles_per_iteration);
    let _ = writeln!(text, "{}  all", three(of_before, of_after));
    text
}

/// Cycles of an iteration and between what numbers they lie.
fn cycles(prediction: &Prediction) -> String {
    let mut told = format!("{} for an iteration of each wave", number(prediction.cycles_per_iteration));
    if let Some(envelope) = prediction.envelope.as_ref().filter(|envelope| envelope.low < envelope.high) {
        let _ = write!(told, ", between {} and {}", number(envelope.low), number(envelope.high));
    }
    told
}

/// Which one is slower, and by how much.
fn verdict(change: &Change) -> String {
    let Change { percent, low_percent, high_percent, .. } = *change;
    let signed = |percent: f64| match percent {
        slower if slower >= 0.0 => format!("{slower:.1} % slower"),
        faster => format!("{:.1} % faster", -faster),
    };
    let ends = match high_percent - low_percent < 0.05 {
        true => String::new(),
        false => format!(
            ", from {} to {} over the ranges of the uncertain timings",
            signed(low_percent),
            signed(high_percent)
        ),
    };
    match change.verdict {
        Verdict::Longer | Verdict::Shorter => format!("the second is {}{ends}", signed(percent)),
        Verdict::Same => "both take the same time".to_owned(),
        Verdict::Undecided => {
            format!("not decided: the second is {} with the likeliest timings{ends}", signed(percent))
        }
    }
}

fn change(before: Cycles, after: Cycles) -> String {
    match number(Cycles(after.0 - before.0)).as_str() {
        "0" | "-0" => String::new(),
        more if more.starts_with('-') => more.to_owned(),
        more => format!("+{more}"),
    }
}

/// Both numbers and what lies between them.
fn three(before: Cycles, after: Cycles) -> String {
    format!("{:>9} {:>9} {:>9}", number(before), number(after), change(before, after))
}

/// Likewise for an instruction; empty where it is absent.
fn three_of(line: &ChangedLine) -> String {
    let shown = |address: Option<u64>, cycles: Cycles| address.map_or(String::new(), |_| number(cycles));
    format!(
        "{:>9} {:>9} {:>9}",
        shown(line.before_address, line.before),
        shown(line.after_address, line.after),
        change(line.before, line.after)
    )
}

/// Its address in each, with a mark if it is in one of them only.
fn addresses(line: &ChangedLine) -> String {
    let shown = |address: Option<u64>| address.map_or(String::new(), |address| format!("{address:#08x}"));
    let mark = match (line.before_address, line.after_address) {
        (Some(_), None) => '-',
        (None, Some(_)) => '+',
        _ => ' ',
    };
    format!("{:<8}  {:<8}  {mark} ", shown(line.before_address), shown(line.after_address))
}
