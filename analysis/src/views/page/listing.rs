//! The section of an instruction, the CLRX table's printed value where it has to be shown, and how values are printed in its tables.

use std::collections::HashMap;

use gcn_model::isa::{self, Generation, Processor};
use gcn_model::published::{Expression, Published, sources};

use crate::one_wave::TimingRow;
use crate::results::Results;
use crate::settle::THROUGHPUT_RESOLUTION;
use crate::tables::{Measured, Number, Quantity, Verdict, by_key, cell, plural};
use crate::verdict::ValidationRow;

/// The instructions of a run by section.
pub(super) struct Listing<'a> {
    /// Rows of the CLRX table's sections, each in the CLRX table's order, then those that its sentences speak of.
    sections: HashMap<String, Vec<Listed<'a>>>,
    /// Whether the CLRX table speaks of the generation at all: CLRX's ends at GCN 1.4.
    pub(super) is_in_clrx: bool,
    /// Instructions with a number of which the CLRX table says nothing, by encoding in the order of the run; of a generation that the CLRX table does
    /// not speak of all of them, by their names.
    pub(super) beyond: Vec<(String, Vec<&'a TimingRow>)>,
}

/// A line of a section's table.
pub(super) struct Listed<'a> {
    pub(super) instruction: &'a str,
    /// The run's row; `None` if it was asked for and is missing.
    pub(super) timing: Option<&'a TimingRow>,
    /// The CLRX table's printed value where it differs, is a question, or was not measured.
    pub(super) published: String,
}

impl<'a> Listing<'a> {
    pub(super) fn of(analysis: &'a Results) -> Self {
        let generation = analysis.record.device.known_generation();
        let processor = Processor::find(&analysis.record.device.target);
        let mut of_clrx: HashMap<&str, Vec<&ValidationRow>> = HashMap::new();
        let source = clrx_source().map_or("", Published::name);
        for row in analysis.validation.iter().filter(|row| row.source == source) {
            of_clrx.entry(&row.instruction).or_default().push(row);
        }
        let timings: HashMap<&str, &TimingRow> =
            analysis.timings.iter().map(|row| (row.instruction.as_str(), row)).collect();
        let mut sections: HashMap<String, Vec<Listed<'a>>> = HashMap::new();
        let listed = |name, timing| {
            let rows = of_clrx.get(name).map_or(&[][..], Vec::as_slice);
            Listed { instruction: name, timing, published: published(name, rows) }
        };
        let mut seen = std::collections::HashSet::new();
        let is_in_clrx = analysis.is_in_clrx();
        for row in clrx_source().filter(|_| is_in_clrx).map_or(&[][..], Published::rows) {
            let name = row.instruction.as_str();
            let exists = processor.is_some_and(|processor| processor.instruction(name).is_some());
            let asked = of_clrx.get(name).is_some_and(|rows| rows.iter().any(|row| row.asked));
            let timing = timings.get(name).copied();
            if (timing.is_some() || exists && asked) && seen.insert(name) {
                sections.entry(row.section.clone()).or_default().push(listed(name, timing));
            }
        }
        let mut beyond: Vec<(String, &TimingRow)> = Vec::new();
        for row in analysis.timings.iter().filter(|row| !seen.contains(row.instruction.as_str())) {
            let encoding = encoding_of(row, generation);
            if is_in_clrx && of_clrx.contains_key(row.instruction.as_str()) {
                sections.entry(encoding).or_default().push(listed(&row.instruction, Some(row)));
            } else if row.has_number() {
                beyond.push((encoding, row));
            }
        }
        let mut beyond = by_key(beyond);
        if !is_in_clrx {
            beyond.iter_mut().for_each(|(_, rows)| rows.sort_by(|a, b| a.instruction.cmp(&b.instruction)));
        }
        Self { sections, is_in_clrx, beyond }
    }

    /// The lines of a section; none if the run has nothing of it.
    pub(super) fn section(&self, section: &str) -> &[Listed<'a>] {
        self.sections.get(section).map_or(&[], Vec::as_slice)
    }
}

/// The CLRX table's printed value of an instruction that the measurement does not simply confirm.
///
/// The throughput that a sentence gives for a whole table is no value of the row: nothing is missing where it was not measured.
fn published(name: &str, rows: &[&ValidationRow]) -> String {
    let own_throughput = clrx_source().and_then(|source| source.row(name, None)?.throughput).is_some();
    let texts: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            let why = match row.verdict {
                Verdict::Unmeasured if row.quantity == Quantity::Throughput && !own_throughput => return None,
                Verdict::Unmeasured => "not measured",
                Verdict::Mismatch => "differs",
                _ if asks(row.quantity, &row.published) => "open",
                Verdict::Answers => "open",
                Verdict::Match => return None,
            };
            Some(format!("{} {} ({why})", word(row.quantity), printed(&row.published)))
        })
        .collect();
    texts.join("; ")
}

/// The source that is regenerated.
pub(super) fn clrx_source() -> Option<&'static Published> {
    sources().first()
}

/// The native encoding of an instruction, or the one that was measured.
fn encoding_of(row: &TimingRow, generation: Option<Generation>) -> String {
    let native = generation.and_then(|generation| isa::find(&row.instruction, generation));
    native.map_or_else(|| row.encoding.clone(), |native| native.encoding.name().to_owned())
}

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
