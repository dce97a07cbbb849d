//! Every instruction of a card of each target of CDNA, as `results/reference` keeps it: those that a compute kernel can repeat are `ok`, and each value of each
//! source matches, or differs for a reason that is known beforehand.

use std::collections::BTreeSet;
use std::path::Path;

use gcn_analysis::{Quantity, Results, Status, ValidationRow, Verdict};
use gcn_harness::experiment::{MeasureOptions, skip_reason};
use gcn_model::gpu::Gpu;
use gcn_model::timing::{TimingSource, Timings};
use gcn_tests::{ROUNDING, only};
use serde::Deserialize;

/// The results that ship: other tests compare those of MI300X with a run, and in tier `all` those of each card.
const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/reference");

/// Why values of a source are not those of the simulated card, as lists with `|` between their items.
#[derive(Debug, Deserialize)]
struct Difference {
    cards: String,
    source: String,
    quantity: String,
    instructions: String,
    /// The source's value; empty for anything else.
    expected: String,
    reason: String,
}

/// Whether an item of a list of patterns is meant.
fn has(list: &str, item: &str) -> bool {
    let patterns: Vec<&str> = list.split('|').collect();
    only(&patterns, &[1]).wants(item)
}

impl Difference {
    fn all() -> Vec<Self> {
        csv::Reader::from_reader(include_str!("cdna_sources.csv").as_bytes())
            .deserialize()
            .map(|row| row.expect("a row"))
            .collect()
    }

    fn speaks_of(&self, card: &str, row: &ValidationRow) -> bool {
        has(&self.cards, card)
            && has(&self.source, &row.source)
            && has(&self.quantity, &row.quantity.to_string())
            && has(&self.instructions, &row.instruction)
            && (self.expected.is_empty() || self.expected.split('|').any(|expected| expected == row.expected))
    }
}

/// The source of the simulated card's value; `None` where it is not a row or rule.
fn named(source: &TimingSource) -> Option<&str> {
    match source {
        TimingSource::Row { source, .. } | TimingSource::Rule { source, .. } => Some(source),
        TimingSource::LdsBusModel { .. } => Some("lds-bus"),
        TimingSource::Passes { .. } => Some("passes"),
        TimingSource::GpuFile { .. } => Some("GPU file"),
        TimingSource::Estimate { .. } => Some("estimate"),
    }
}

/// Whether the simulated card follows another source there, by the order of `order.csv`, and was measured to do so.
fn follows_another(gpu: &Gpu, timings: &Timings, row: &ValidationRow) -> bool {
    let Some(instruction) = gpu.processor().instruction(&row.instruction) else { return false };
    let timing = timings.get(instruction);
    let (value, source) = match row.quantity {
        Quantity::Cycles => (f64::from(timing.cycles), &timing.source),
        Quantity::Throughput => (timing.throughput, &timing.throughput_source),
        _ => return false,
    };
    let is_measured = row.measured.is_some_and(|measured| (measured.value - value).abs() < ROUNDING);
    is_measured && named(source).is_some_and(|name| name != row.source)
}

/// Looks at the results of a card and names the rows of the table that were of use.
fn check(card: &str, differences: &[Difference]) -> BTreeSet<usize> {
    let gpu = Gpu::named(card).expect("a card that ships");
    let results = Results::of_files(&Path::new(REFERENCE).join(card)).unwrap();
    let options = MeasureOptions::default();
    for instruction in gpu.processor().instructions() {
        let row = results.timings.iter().find(|row| row.instruction == instruction.name);
        let row = row.unwrap_or_else(|| panic!("{card}: no row for {}", instruction.name));
        let wanted = if skip_reason(instruction, &options).is_some() { Status::Skipped } else { Status::Ok };
        assert_eq!(row.status, wanted, "{card}: {}: {}", row.instruction, row.detail);
        assert!(row.status == Status::Ok || row.detail.len() > 10, "{card}: {}", row.instruction);
        assert!(
            row.status == Status::Skipped || row.cycles.is_some() || row.taken.is_some(),
            "{card}: {}",
            row.instruction
        );
    }
    assert!(results.summary().failed.is_empty(), "{card}: {:?}", results.summary().failed);
    let timings = Timings::of(&gpu);
    let mut used = BTreeSet::new();
    let mut unexplained = Vec::new();
    let (mut matching, mut following) = (0, 0);
    for row in &results.validation {
        match row.verdict {
            Verdict::Match => matching += 1,
            Verdict::Mismatch if follows_another(&gpu, &timings, row) => following += 1,
            Verdict::Mismatch => match differences.iter().position(|difference| difference.speaks_of(card, row)) {
                Some(index) => _ = used.insert(index),
                None => unexplained.push(row),
            },
            _ => {}
        }
    }
    assert!(unexplained.is_empty(), "{card}: {}: {unexplained:#?}", unexplained.len());
    assert!(matching > 1000 && following > 100, "{card}: {matching} match, {following} follow another source");
    used
}

#[test]
fn each_value_of_a_source_is_met_or_differs_for_a_known_reason() {
    let differences = Difference::all();
    let cards = ["mi300x", "mi100", "mi210", "mi355x"];
    let used: BTreeSet<usize> = cards.iter().flat_map(|card| check(card, &differences)).collect();
    let unused = (0..differences.len()).filter(|index| !used.contains(index));
    let unused: Vec<&str> = unused.map(|index| differences[index].reason.as_str()).collect();
    assert!(unused.is_empty(), "no value differs for these reasons: {unused:#?}");
}
