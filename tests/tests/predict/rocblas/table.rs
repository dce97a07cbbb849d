//! The table of the kernels of rocBLAS.

use std::fmt::Write as _;

use super::index::Tuned;

/// A kernel's speed on a card, and by the prediction of its loop; both in per cent of the peak.
pub(super) struct Judged {
    pub(super) card: String,
    pub(super) tuned: Tuned,
    pub(super) predicted: f64,
}

impl Judged {
    /// Per cent of the measured speed.
    fn error(&self) -> f64 {
        100.0 * (self.predicted / self.tuned.measured - 1.0)
    }
}

/// Why a kernel is not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// Its loop has no matrix instruction.
    OtherUnit,
    /// It is not the code that was measured.
    OtherCode,
    /// The library has no such kernel.
    NotThere,
}

/// From here on a loop counts as slower than the kernel that it is in, per cent.
const SLOWER: f64 = -3.0;

/// The summary by card and types, then each kernel whose loop is simulated slower than all of it ran.
pub(super) fn table(all: &[Result<Judged, Left>]) -> String {
    let judged: Vec<&Judged> = all.iter().filter_map(|it| it.as_ref().ok()).collect();
    let mut text = "| card | types | kernels | mean error | mean absolute error | loop slower than the kernel |\n\
                    | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let mut groups: Vec<[&str; 2]> = judged.iter().map(|it| [it.card.as_str(), it.tuned.types.as_str()]).collect();
    groups.dedup();
    for [card, types] in groups {
        let of = judged.iter().filter(|it| it.card == card && it.tuned.types == types);
        let errors: Vec<f64> = of.map(|it| it.error()).collect();
        let mean = |of: &dyn Fn(f64) -> f64| errors.iter().map(|error| of(*error)).sum::<f64>() / errors.len() as f64;
        let (error, absolute) = (mean(&|error| error), mean(&f64::abs));
        let slower = errors.iter().filter(|error| **error < SLOWER).count();
        writeln!(text, "| {card} | {types} | {} | {error:+.1} % | {absolute:.1} % | {slower} |", errors.len()).unwrap();
    }
    let left = |why: Left| all.iter().filter(|it| it.as_ref().err() == Some(&why)).count();
    let [unit, code, none] = [Left::OtherUnit, Left::OtherCode, Left::NotThere].map(left);
    write!(
        text,
        "\nNot judged: {unit} without matrix instructions in their loop, {code} with other waits than the measured code, {none} that the \
         library lacks.\n\n| card | measured | simulated | error | kernel |\n| --- | --- | --- | --- | --- |\n"
    )
    .unwrap();
    for it in judged.iter().filter(|it| it.error() < SLOWER) {
        let Judged { card, tuned, predicted } = it;
        let (measured, error) = (tuned.measured, it.error());
        // The rest of the name is parameters of Tensile.
        let kernel = tuned.kernel.split("_S").next().unwrap_or_default();
        writeln!(text, "| {card} | {measured:.1} % | {predicted:.1} % | {error:+.1} % | {kernel} |").unwrap();
    }
    text
}
