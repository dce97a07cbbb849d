//! Two runs side by side.

use std::collections::HashMap;

use super::significance::{Difference, Rule};
use crate::tables::{Quantity, Span, Tables, TimingRecord};

/// The quantities that are compared, in the order of `timings.csv`'s reader.
const QUANTITIES: [Quantity; 4] = [Quantity::Cycles, Quantity::TakenCycles, Quantity::Latency, Quantity::Throughput];

/// How a quantity of an instruction stands in two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Both runs have it, and they differ significantly.
    Differs,
    /// Both runs have it, and they do not differ significantly.
    Same,
    /// Only run A has it.
    OnlyA,
    /// Only run B has it.
    OnlyB,
}

impl Outcome {
    /// All, in the order of the tables.
    pub const ALL: [Self; 4] = [Self::Differs, Self::Same, Self::OnlyA, Self::OnlyB];

    /// The word in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Differs => "differs",
            Self::Same => "same",
            Self::OnlyA => "only A",
            Self::OnlyB => "only B",
        }
    }
}

/// One quantity of one instruction in both runs.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonRow {
    /// Upper-case name.
    pub instruction: String,
    /// What is compared.
    pub quantity: Quantity,
    /// In run A; cycles, or instructions per cycle per compute unit.
    pub a: Option<Span>,
    /// In run B.
    pub b: Option<Span>,
    /// B less A, where both have it.
    pub difference: Option<Difference>,
    /// How it stands.
    pub outcome: Outcome,
}

impl ComparisonRow {
    /// Size of the difference that has no direction: the logarithm of how many times the one is the other; infinite where that
    /// has none, 0 where nothing is compared.
    fn size(&self) -> f64 {
        match &self.difference {
            Some(Difference { ratio: Some(ratio), .. }) => ratio.ln().abs(),
            Some(difference) if difference.span.value != 0.0 => f64::INFINITY,
            _ => 0.0,
        }
    }
}

/// An instruction whose status is not the same in both runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusChange {
    /// Upper-case name.
    pub instruction: String,
    /// Status in run A.
    pub a: String,
    /// Status in run B.
    pub b: String,
    /// Why, in the run where it is not `ok`; run B's reason if it is in neither.
    pub detail: String,
}

/// Two runs compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Device and start of run A.
    pub a: String,
    /// Device and start of run B.
    pub b: String,
    /// The rule that was applied.
    pub rule: Rule,
    /// Every quantity that a run has: what differs first, the largest first; then what is the same, then what one run has.
    pub rows: Vec<ComparisonRow>,
    /// Status changes, in the order of run A.
    pub statuses: Vec<StatusChange>,
    /// Instructions that only run A lists.
    pub only_a: Vec<String>,
    /// Instructions that only run B lists.
    pub only_b: Vec<String>,
    /// DPFACTOR of both, where it was found.
    pub dpfactor: [Option<f64>; 2],
}

impl Comparison {
    /// Compares two runs.
    pub fn of(a: &Tables, b: &Tables) -> Self {
        let of_b: HashMap<&str, &TimingRecord> = by_name(&b.timings);
        let of_a: HashMap<&str, &TimingRecord> = by_name(&a.timings);
        let only_b: Vec<&TimingRecord> =
            b.timings.iter().filter(|row| !of_a.contains_key(row.instruction.as_str())).collect();
        let pairs = || {
            let first = a.timings.iter().map(|row| (Some(row), of_b.get(row.instruction.as_str()).copied()));
            first.chain(only_b.iter().map(|row| (None, Some(*row))))
        };
        let values = || {
            pairs().flat_map(|(a, b)| {
                QUANTITIES.into_iter().filter_map(move |quantity| {
                    let values = [a, b].map(|row| row.and_then(|row| value(row, quantity)));
                    let name = &a.or(b)?.instruction;
                    (values != [None, None]).then_some((name, quantity, values))
                })
            })
        };
        let rule = Rule::of(values().filter(|(.., values)| matches!(values, [Some(_), Some(_)])).count());
        let mut rows: Vec<ComparisonRow> = values()
            .map(|(instruction, quantity, [a, b])| {
                let difference = a.zip(b).map(|(a, b)| rule.difference(quantity, a, b));
                let outcome = match (&difference, a) {
                    (Some(difference), _) if difference.significant => Outcome::Differs,
                    (Some(_), _) => Outcome::Same,
                    (None, Some(_)) => Outcome::OnlyA,
                    (None, None) => Outcome::OnlyB,
                };
                ComparisonRow { instruction: instruction.clone(), quantity, a, b, difference, outcome }
            })
            .collect();
        // Stable: what is equally large keeps the runs' order.
        rows.sort_by(|x, y| x.outcome.cmp(&y.outcome).then(y.size().total_cmp(&x.size())));
        let statuses = a
            .timings
            .iter()
            .filter_map(|row| Some((row, *of_b.get(row.instruction.as_str())?)))
            .filter(|(a, b)| a.status != b.status)
            .map(|(a, b)| StatusChange {
                instruction: a.instruction.clone(),
                a: a.status.clone(),
                b: b.status.clone(),
                detail: if b.status == "ok" { a.detail.clone() } else { b.detail.clone() },
            })
            .collect();
        let lists_only = |row: &&TimingRecord| !of_b.contains_key(row.instruction.as_str());
        Self {
            a: a.title(),
            b: b.title(),
            rule,
            rows,
            statuses,
            only_a: a.timings.iter().filter(lists_only).map(|row| row.instruction.clone()).collect(),
            only_b: only_b.iter().map(|row| row.instruction.clone()).collect(),
            dpfactor: [a, b].map(|run| run.dpfactor.as_ref().map(|found| found.dpfactor)),
        }
    }

    /// How many rows stand so.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.rows.iter().filter(|row| row.outcome == outcome).count()
    }
}

fn by_name(rows: &[TimingRecord]) -> HashMap<&str, &TimingRecord> {
    rows.iter().map(|row| (row.instruction.as_str(), row)).collect()
}

fn value(row: &TimingRecord, quantity: Quantity) -> Option<Span> {
    match quantity {
        Quantity::Cycles => row.cycles(),
        Quantity::TakenCycles => row.taken(),
        Quantity::Latency => row.latency(),
        Quantity::Throughput => row.throughput(),
        // A form of its own, not a row of timings.csv.
        Quantity::GlcCycles => None,
        // Of no instruction.
        Quantity::Sgprs | Quantity::Vgprs | Quantity::LdsDwordsPerLane | Quantity::Issue => None,
    }
}
