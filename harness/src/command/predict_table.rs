//! What `gcn-timings predict --waves all` prints: a row for each number of waves.

use std::fmt::Write as _;

use gcn_predict::{BINDS, Prediction};

/// The rows of each region, and from how many waves on a unit binds.
pub(super) fn table(predictions: &[Prediction]) -> String {
    let mut table = String::new();
    for (index, of_region) in predictions.chunk_by(|one, other| one.region == other.region).enumerate() {
        let empty = if index == 0 { "" } else { "\n" };
        let _ = writeln!(table, "{empty}{}", of_region[0].region.name);
        let _ = writeln!(table, "  waves  cycles of an iteration  of a wave's share  bound by");
        for prediction in of_region {
            let waves = prediction.question.waves_per_simd;
            let cycles = prediction.cycles_per_iteration.0;
            let share = cycles / f64::from(waves);
            let steady = if prediction.is_steady { "" } else { "  (not steady)" };
            let bound = binding(prediction).unwrap_or("no single unit");
            let _ = writeln!(table, "  {waves:>5}  {cycles:>22.2}  {share:>17.2}  {bound}{steady}");
        }
        let _ = writeln!(table, "  {}", from(of_region));
    }
    table
}

/// The unit that binds.
fn binding(prediction: &Prediction) -> Option<&'static str> {
    prediction.bounds.iter().find(|bound| bound.share >= BINDS).map(|bound| bound.of)
}

/// From how many waves on a unit binds, in words.
fn from(predictions: &[Prediction]) -> String {
    let bound = predictions.last().and_then(binding);
    let first = predictions.iter().rposition(|prediction| binding(prediction) != bound).map_or(0, |before| before + 1);
    match (bound, predictions.get(first)) {
        (Some(unit), Some(first)) => format!("{unit} binds from {} on", plural(first.question.waves_per_simd)),
        _ => {
            let most = predictions.last().map_or(0, |last| last.question.waves_per_simd);
            format!("no unit binds with up to {}", plural(most))
        }
    }
}

fn plural(waves: u32) -> String {
    format!("{waves} wave{}", if waves == 1 { "" } else { "s" })
}
