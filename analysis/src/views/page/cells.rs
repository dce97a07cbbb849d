//! How values are printed in the page's tables.

use gcn_model::published::Expression;

use crate::one_wave::TimingRow;
use crate::settle::THROUGHPUT_RESOLUTION;
use crate::tables::{Measured, Quantity, decimal};

/// A number with two decimals at most.
pub(super) fn two(number: f64) -> String {
    decimal((number * 100.0).round() / 100.0)
}

/// A value with half of its interval, two decimals.
pub(super) fn cell(numbers: Option<[f64; 3]>) -> String {
    let Some([value, low, high]) = numbers else { return String::new() };
    let half_width = (high - low) / 2.0;
    if half_width < 0.005 { two(value) } else { format!("{} ± {}", two(value), two(half_width)) }
}

/// Cycles; of a jump, those of not taking it, then those of taking it.
pub(super) fn cycles(row: &TimingRow) -> String {
    let cycles = cell(row.cycles.as_ref().map(Measured::numbers));
    let Some(taken) = row.taken else { return cycles };
    let taken = format!("{} if taken", cell(Some(taken.numbers())));
    if cycles.is_empty() { taken } else { format!("{cycles}, {taken}") }
}

/// A throughput, as the page's fraction if it is one, with its waves.
pub(super) fn throughput(row: &TimingRow) -> String {
    let (Some(throughput), Some(waves)) = (row.throughput, row.waves_per_simd) else { return String::new() };
    let value = throughput.value.0;
    let below = (1.0 / value).round();
    let waves = if waves == 1 { "1 wave".to_owned() } else { format!("{waves} waves") };
    let off = (value * below - 1.0).abs();
    let fraction = if below <= 1.0 { "1".to_owned() } else { format!("1/{below}") };
    // The page's own resolution: what lies within 2 % of 1/6 would have been printed 1/6.
    match off {
        // Nothing that the four decimals of timings.csv would show.
        0.0..5e-5 if below >= 1.0 => format!("{fraction} ({waves})"),
        0.0..=THROUGHPUT_RESOLUTION if below >= 1.0 => format!("{} ({waves}, about {fraction})", decimal(value)),
        _ => format!("{} ({waves})", decimal(value)),
    }
}

/// A source's printed text, with its asterisks kept from being Markdown's.
pub(super) fn printed(text: &str) -> String {
    text.replace('*', "\\*")
}

/// A value's quantity, in a word.
pub(super) const fn word(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Cycles => "cycles",
        Quantity::TakenCycles => "taken",
        Quantity::GlcCycles => "with GLC",
        Quantity::Latency => "latency",
        Quantity::Throughput => "throughput",
        Quantity::Sgprs => "SGPRs",
        Quantity::Vgprs => "VGPRs",
        Quantity::LdsDwordsPerLane => "LdsW/I",
        Quantity::Issue => "issue",
    }
}

/// Whether a value as printed asks a question: `?`, `18?`, `16-24`, `20 (???)`, and `16+GLC1` where it is measured with GLC.
pub(super) fn asks(quantity: Quantity, published: &str) -> bool {
    match published.parse::<Expression>() {
        Ok(Expression::Unknown | Expression::Uncertain { .. } | Expression::Range { .. }) => true,
        Ok(Expression::Glc { .. }) => quantity == Quantity::GlcCycles,
        _ => false,
    }
}

/// A noun with its number: `1 form`, `2 forms`.
pub(super) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
