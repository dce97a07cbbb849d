//! A comparison for people.

use std::fmt::Write as _;

use gcn_model::quantity::Cycles;
use gcn_predict::Prediction;

use super::comparison::Comparison;

/// llvm-mca's cycles next to a prediction's, and the causes of the difference.
pub fn comparison_text(prediction: &Prediction, comparison: &Comparison) -> String {
    let mut text = String::new();
    let (ours, its) = (prediction.cycles_per_iteration, comparison.cycles_per_iteration);
    let difference = signed(comparison.difference);
    let version = &comparison.version;
    let _ = writeln!(
        text,
        "\n  llvm-mca {version}: {} cycles for an iteration, {difference} to {}",
        plain(its),
        plain(ours)
    );
    let mut causes: Vec<_> = comparison.causes.iter().map(|(cause, cycles)| (cause.words(), *cycles)).collect();
    causes.sort_by(|one, other| other.1.0.abs().total_cmp(&one.1.0.abs()));
    causes.push(("unexplained", comparison.unexplained));
    for (words, cycles) in causes {
        let _ = writeln!(text, "  {:>10}  {words}", signed(cycles));
    }
    text
}

/// At most two decimals, none that are zero.
fn plain(cycles: Cycles) -> String {
    format!("{:.2}", cycles.0).trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn signed(cycles: Cycles) -> String {
    if cycles.0 > 0.0 { format!("+{}", plain(cycles)) } else { plain(cycles) }
}
