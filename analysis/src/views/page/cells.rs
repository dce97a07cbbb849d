//! How values are printed in the CLRX table's tables.

use gcn_model::published::Expression;

use crate::one_wave::TimingRow;
use crate::settle::THROUGHPUT_RESOLUTION;
use crate::tables::{Measured, Number, Quantity, cell, plural};

/// Cycles; of a jump, those of not taking it, then those of taking it.
pub(super) fn cycles(row: &TimingRow) -> String {
    let snapped = row.cycles_snapped.map(|cycles| Measured::exactly(cycles.0));
    let cycles = cell(snapped.or(row.cycles.map(|cycles| cycles.plain())));
    let Some(taken) = row.taken else { return cycles };
    let taken = format!("{} if taken", cell(Some(taken)));
    if cycles.is_empty() { taken } else { format!("{cycles}, {taken}") }
}

/// A throughput with its waves; about a fraction of one where it is near to the CLRX table's resolution.
pub(super) fn throughput(row: &TimingRow) -> String {
    let (Some(throughput), Some(waves)) = (row.throughput, row.waves_per_simd) else { return String::new() };
    let (number, value) = (Number::rate(throughput).to_string(), throughput.value.0);
    let below = (1.0 / value).round();
    let fraction = if below == 1.0 { "1".to_owned() } else { format!("1/{below}") };
    // What lies within 2 % of 1/6 would have been printed 1/6.
    let is_near = below >= 1.0 && (value * below - 1.0).abs() <= THROUGHPUT_RESOLUTION;
    let about = if is_near && number != fraction { format!(", about {fraction}") } else { String::new() };
    format!("{number} ({}{about})", plural(waves, "wave"))
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
