//! The published values, each compared with the measurement.

use std::collections::HashMap;

use gcn_model::isa::Generation;
use gcn_model::published::{DisputedQuantity, Expected, Published};
use serde::Serialize;

use super::expectation::{PublishedValue, Subject, values_of};
use crate::one_wave::{GLC, TimingRow, VariantRow};
use crate::settle::{CYCLES_RESOLUTION, THROUGHPUT_RESOLUTION, VAGUE_THROUGHPUT, vague_cycles};
use crate::tables::{Measured, Quantity, Verdict, decimal, disputed_word, table};

table! { "validation.csv":
    /// A row of `validation.csv`.
    #[derive(Serialize)]
    pub struct ValidationRow {
        /// The source's short name: `clrx`.
        pub source: String,
        pub instruction: String,
        pub quantity: Quantity,
        pub published: String,
        /// Its value with this run's DPFACTOR; empty where that takes a factor that was not measured.
        pub expected: String,
        pub measured: Option<Measured>,
        /// How it fared.
        pub verdict: Verdict,
    } beside {
        /// The source's table, or the encoding that its rule speaks of.
        #[serde(skip)]
        pub section: String,
        /// Whether the run was asked to measure the instruction.
        pub asked: bool,
    }
}

/// A run's measurements, by instruction.
pub(crate) struct Measurements<'a> {
    timings: HashMap<&'a str, &'a TimingRow>,
    /// Cycles with GLC.
    glc: HashMap<&'a str, [f64; 3]>,
    generation: Generation,
}

impl<'a> Measurements<'a> {
    /// Takes the plain forms' timings and, of the others, those with GLC.
    pub(crate) fn of(timings: &'a [TimingRow], variants: &'a [VariantRow], generation: Generation) -> Self {
        let with_glc = variants.iter().filter(|row| row.case == GLC && row.quantity.0 == Quantity::Cycles);
        Self {
            timings: timings.iter().map(|row| (row.instruction.as_str(), row)).collect(),
            generation,
            glc: with_glc.filter_map(|row| Some((row.instruction.as_str(), row.cycles?.numbers()))).collect(),
        }
    }

    /// Value, lower and upper end of a question's quantity.
    pub(crate) fn get_disputed(&self, instruction: &str, quantity: DisputedQuantity) -> Option<[f64; 3]> {
        let word = disputed_word(quantity);
        self.get(instruction, Quantity::ALL.into_iter().find(|known| known.name() == word)?)
    }

    /// Whether more waves might reach more throughput than was measured.
    fn is_least(&self, instruction: &str) -> bool {
        self.timings.get(instruction).is_some_and(|row| row.throughput_is_least)
    }

    /// Value, lower and upper end of an instruction's measurement.
    fn get(&self, instruction: &str, quantity: Quantity) -> Option<[f64; 3]> {
        if quantity == Quantity::GlcCycles {
            return self.glc.get(instruction).copied();
        }
        let mut numbers = self.timings.get(instruction)?.numbers().into_iter();
        let (_, measured) = numbers.find(|(known, _)| *known == quantity)?;
        measured.map(|measured| measured.numbers())
    }
}

/// Every value of every source against the measurements, with the DPFACTOR that was measured in the same run.
///
/// `whole` tells whether the run was asked for every instruction; if not, those that it does not know of were not asked for. A
/// latency counts where one was measured: sources state one for whole encodings, stores included.
pub(crate) fn validate(
    sources: &[Published],
    gpu: Subject<'_>,
    timings: &[TimingRow],
    measurements: &Measurements<'_>,
    whole: bool,
) -> Vec<ValidationRow> {
    let names: Vec<&str> = timings.iter().map(|row| row.instruction.as_str()).collect();
    let values = sources.iter().flat_map(|source| values_of(source, gpu, &names));
    let rows = values.map(|value| validated(value, measurements, whole));
    rows.filter(|row| row.quantity != Quantity::Latency || row.measured.is_some()).collect()
}

/// One value against its measurement.
pub(crate) fn validated(value: PublishedValue, measurements: &Measurements<'_>, whole: bool) -> ValidationRow {
    let measured = measurements.get(&value.instruction, value.quantity);
    let verdict = match (value.expected, measured) {
        (Some(expected), Some(numbers)) => verdict(value.quantity, expected, numbers, measurements.generation),
        _ => Verdict::Unmeasured,
    };
    // The result of too few waves is a lower bound: below a published value, it neither confirms nor contradicts that.
    let is_below = |expected| least(expected).zip(measured).is_some_and(|(least, bound)| is_below(least, bound));
    let is_least = value.quantity == Quantity::Throughput && measurements.is_least(&value.instruction);
    let verdict = if is_least && value.expected.is_some_and(is_below) { Verdict::Unmeasured } else { verdict };
    ValidationRow {
        source: value.source,
        section: value.section,
        asked: whole || measurements.timings.contains_key(value.instruction.as_str()),
        instruction: value.instruction,
        quantity: value.quantity,
        published: value.printed,
        expected: value.expected.map(expected_text).unwrap_or_default(),
        measured: measured.map(Measured::from),
        verdict,
    }
}

/// Whether the interval, widened by the published figure's own resolution, meets the expectation.
fn verdict(quantity: Quantity, expected: Expected, [value, low, high]: [f64; 3], generation: Generation) -> Verdict {
    let half_width = (high - low) / 2.0;
    let (vague, resolution) = match quantity {
        Quantity::Cycles | Quantity::TakenCycles | Quantity::GlcCycles | Quantity::Latency => {
            (vague_cycles(generation), CYCLES_RESOLUTION)
        }
        Quantity::Throughput | Quantity::Issue => (VAGUE_THROUGHPUT * value, THROUGHPUT_RESOLUTION * value),
        Quantity::Sgprs | Quantity::Vgprs | Quantity::LdsDwordsPerLane => (0.0, 0.0),
    };
    if half_width > vague {
        return Verdict::Unmeasured;
    }
    let meets = |least: f64, most: f64| low - resolution <= most && least <= high + resolution;
    let is_met = match expected {
        Expected::Unknown | Expected::Doubtful(_) => return Verdict::Answers,
        Expected::Exactly(number) => meets(number, number),
        Expected::Between(least, most) => meets(least, most),
        Expected::OneOf(first, second) => meets(first, first) || meets(second, second),
        // With the modifier it is a value of its own.
        Expected::WithGlc { without, .. } => meets(without, without),
    };
    if is_met { Verdict::Match } else { Verdict::Mismatch }
}

/// Whether a throughput that is a bound does not reach a published one.
fn is_below(published: f64, [bound, _, _]: [f64; 3]) -> bool {
    bound * (1.0 + THROUGHPUT_RESOLUTION) < published
}

fn least(expected: Expected) -> Option<f64> {
    match expected {
        Expected::Exactly(number) | Expected::Between(number, _) => Some(number),
        Expected::OneOf(first, second) => Some(first.min(second)),
        Expected::WithGlc { without, .. } => Some(without),
        Expected::Doubtful(_) | Expected::Unknown => None,
    }
}

/// The `expected` column.
fn expected_text(expected: Expected) -> String {
    match expected {
        Expected::Exactly(number) => decimal(number),
        Expected::Doubtful(number) => format!("{}?", decimal(number)),
        Expected::Between(least, most) => format!("{} to {}", decimal(least), decimal(most)),
        Expected::OneOf(first, second) => format!("{} or {}", decimal(first), decimal(second)),
        Expected::WithGlc { without, .. } => decimal(without),
        Expected::Unknown => "?".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(generation: &str, expected: Expected, value: f64, half_width: f64) -> Verdict {
        let generation = Generation::find(generation).expect("a generation");
        verdict(Quantity::Cycles, expected, [value, value - half_width, value + half_width], generation)
    }

    fn cycles(expected: Expected, value: f64, half_width: f64) -> Verdict {
        on("gfx8", expected, value, half_width)
    }

    #[test]
    fn an_interval_of_several_published_cycles_matches_none() {
        assert_eq!(on("gfx8", Expected::Exactly(4.0), 5.0, 1.1), Verdict::Match);
        for generation in Generation::all().iter().filter(|generation| generation.waves.issue_interval_cycles == 1) {
            let at = |half_width| on(generation.name(), Expected::Exactly(1.0), 1.4, half_width);
            assert_eq!((at(0.5), at(1.0)), (Verdict::Match, Verdict::Unmeasured), "{}", generation.name());
        }
    }

    #[test]
    fn a_number_is_met_within_the_interval_and_a_quarter_cycle() {
        assert_eq!(cycles(Expected::Exactly(16.0), 16.2, 0.0), Verdict::Match);
        assert_eq!(cycles(Expected::Exactly(16.0), 16.3, 0.0), Verdict::Mismatch);
        assert_eq!(cycles(Expected::Exactly(16.0), 16.3, 0.1), Verdict::Match);
        assert_eq!(cycles(Expected::Exactly(16.0), 16.0, 2.5), Verdict::Unmeasured);
    }

    #[test]
    fn ranges_choices_and_open_questions() {
        assert_eq!(cycles(Expected::Between(16.0, 24.0), 20.0, 0.0), Verdict::Match);
        assert_eq!(cycles(Expected::Between(16.0, 24.0), 25.0, 0.0), Verdict::Mismatch);
        assert_eq!(cycles(Expected::OneOf(4.0, 16.0), 16.0, 0.0), Verdict::Match);
        assert_eq!(cycles(Expected::OneOf(4.0, 16.0), 8.0, 0.0), Verdict::Mismatch);
        assert_eq!(cycles(Expected::WithGlc { without: 16.0, with: 17.0 }, 16.0, 0.0), Verdict::Match);
        assert_eq!(cycles(Expected::Doubtful(18.0), 18.0, 0.0), Verdict::Answers);
        assert_eq!(cycles(Expected::Unknown, 7.0, 0.0), Verdict::Answers);
    }

    #[test]
    fn a_bound_confirms_what_it_reaches() {
        assert!(is_below(1.0, [0.8, 0.8, 1.0]) && is_below(1.0, [0.8, 0.8, 0.8]));
        assert!(!is_below(1.0, [0.99, 0.99, 1.0]) && !is_below(0.5, [0.8, 0.8, 1.0]));
    }

    #[test]
    fn a_throughput_is_met_within_two_percent() {
        let generation = Generation::find("gfx8").expect("a generation");
        let at = |value: f64| verdict(Quantity::Throughput, Expected::Exactly(0.25), [value; 3], generation);
        assert_eq!((at(0.2455), at(0.244)), (Verdict::Match, Verdict::Mismatch));
    }
}
