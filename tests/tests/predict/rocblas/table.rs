//! The table of the kernels of rocBLAS.

use std::fmt::Write as _;

use gcn_tests::tau;

use super::index::Tuned;

/// The speed of a kernel's loop on a card, and by its prediction; both in per cent of the peak.
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

/// Up to this an error counts as small, per cent; and from the other on a kernel is listed.
const SMALL: f64 = 6.0;
const LARGE: f64 = 15.0;

/// A line of kernels of one card.
fn summary(types: &str, of: &[&Judged]) -> String {
    let mean = |value: &dyn Fn(f64) -> f64| of.iter().map(|it| value(it.error())).sum::<f64>() / of.len() as f64;
    let (error, absolute) = (mean(&|error| error), mean(&f64::abs));
    let small = of.iter().filter(|it| it.error().abs() <= SMALL).count();
    let orders: Vec<[f64; 2]> = of.iter().map(|it| [it.tuned.measured, it.predicted]).collect();
    let tau = tau(&orders);
    let (card, kernels) = (&of[0].card, of.len());
    format!("| {card} | {types} | {kernels} | {error:+.1} % | {absolute:.1} % | {small} | {tau} |\n")
}

/// The summary by card and types, then each kernel with a large error.
pub(super) fn table(all: &[Result<Judged, Left>]) -> String {
    let judged: Vec<&Judged> = all.iter().filter_map(|it| it.as_ref().ok()).collect();
    let mut text = format!(
        "| card | types | kernels | mean error | mean absolute error | within {SMALL} % | rank correlation (Kendall's tau) |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n"
    );
    for of_card in judged.chunk_by(|one, other| one.card == other.card) {
        for of_types in of_card.chunk_by(|one, other| one.tuned.types == other.tuned.types) {
            text += &summary(&of_types[0].tuned.types, of_types);
        }
        text += &summary("all", of_card);
    }
    let left = |why: Left| all.iter().filter(|it| it.as_ref().err() == Some(&why)).count();
    let [unit, code, none] = [Left::OtherUnit, Left::OtherCode, Left::NotThere].map(left);
    write!(
        text,
        "\nNot judged: {unit} without matrix instructions in their loop, {code} with other waits than the measured code, {none} that the \
         library lacks.\n\n| card | work-groups | measured | simulated | error | kernel |\n| --- | --- | --- | --- | --- | --- |\n"
    )
    .unwrap();
    for it in judged.iter().filter(|it| it.error().abs() > LARGE) {
        let Judged { card, tuned, predicted } = it;
        let (groups, measured, error) = (tuned.groups, tuned.measured, it.error());
        // The rest of the name is parameters of Tensile.
        let end = ["_MI", "_SN_"].iter().filter_map(|part| tuned.kernel.find(part)).min();
        let kernel = &tuned.kernel[..end.unwrap_or(tuned.kernel.len())];
        writeln!(text, "| {card} | {groups} | {measured:.1} % | {predicted:.1} % | {error:+.1} % | {kernel} |")
            .unwrap();
    }
    text
}
