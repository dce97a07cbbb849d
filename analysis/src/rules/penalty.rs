//! Rows of `penalties.csv`: the extra cost of an instruction's other form on many waves, and that of a block in a growing number of copies,
//! which shows the instruction cache.

use std::collections::BTreeMap;

use gcn_model::published::Published;
use gcn_model::quantity::Cycles;
use gcn_model::record::StrideCase;

use crate::many_waves::ThroughputRow;
use crate::run::StoredRun;
use crate::settle::{
    DropRule, Dropped, THROUGHPUT_RESOLUTION, Tally, VAGUE_THROUGHPUT, is_below_bound, least_block_cycles,
};
use crate::statistics::{HampelSplit, divisor, median};
use crate::tables::{Measured, Verdict, decimal, table};
use crate::verdict::LdsStatement;

/// The experiment of the stride sweep on LDS, in `penalties.csv`.
pub const LDS_STRIDE: &str = "lds-stride";

table! { "penalties.csv":
    /// A row of `penalties.csv`.
    pub struct PenaltyRow {
        /// The experiment: [`LDS_STRIDE`], or the instruction that stood in another form.
        pub experiment: String,
        /// The case: `stride 8`.
        pub case: String,
        /// Where it stood: of the stride sweep, dwords from one lane's address to the next.
        pub offset_dwords: Option<u32>,
        pub waves_per_simd: u32,
        /// Shader cycles of the compute unit more for each instruction than in the case that costs least.
        pub penalty: Option<Measured<Cycles>> = "penalty_cycles" "low" "high",
        /// A source's statement about it: `0`, `more than 0`, `at least 30`; empty without one.
        pub expected: String,
        pub verdict: Verdict,
    }
}

/// The rows for all throughputs in other forms, in the run's order. A stride is compared with stride 1, any other form with the
/// plain one, on the same waves. Of several instructions whose strides were swept, `swept` has rows.
pub(crate) fn penalties(throughputs: &[ThroughputRow], swept: Option<&str>, sources: &[Published]) -> Vec<PenaltyRow> {
    let statement = LdsStatement::of(sources);
    throughputs
        .iter()
        .filter(|row| !row.case.is_empty())
        .filter(|row| StrideCase::read(&row.case).is_none() || swept.is_none_or(|swept| row.instruction == swept))
        .map(|row| {
            let stride = StrideCase::read(&row.case).map(|stride| stride.0);
            let base = stride.map_or_else(String::new, |_| StrideCase(1).to_string());
            let base = throughputs.iter().find(|other| {
                other.instruction == row.instruction && other.waves_per_simd == row.waves_per_simd && other.case == base
            });
            let costs = row.cost().zip(base.and_then(ThroughputRow::cost));
            let penalty = costs.map(|(cost, base)| cost.minus(base));
            let expectation = stride.zip(statement).zip(base.and_then(ThroughputRow::cost));
            let expectation = expectation.map(|((stride, said), base)| Expectation::of(stride, said, base.value.0));
            let verdict = match (&expectation, penalty, costs) {
                (Some(expectation), Some(penalty), Some((cost, _))) => expectation.verdict(penalty, cost.value.0),
                (None, Some(_), _) => Verdict::Answers,
                _ => Verdict::Unmeasured,
            };
            PenaltyRow {
                experiment: if stride.is_some() { LDS_STRIDE.to_owned() } else { row.instruction.clone() },
                case: row.case.clone(),
                offset_dwords: stride,
                waves_per_simd: row.waves_per_simd,
                penalty,
                expected: expectation.map(|expectation| expectation.to_string()).unwrap_or_default(),
                verdict,
            }
        })
        .collect()
}

/// The CLRX table's statement about a stride: bank arithmetic, and the least cost of the worst case.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Expectation {
    None,
    Some,
    AtLeast(f64),
}

impl Expectation {
    /// Lanes whose addresses differ by `stride` dwords share a bank if stride and banks have a common divisor.
    fn of(stride: u32, said: LdsStatement, base: f64) -> Self {
        match divisor(stride, said.banks) {
            1 => Self::None,
            ways if ways == said.banks => Self::AtLeast(1.0 / said.worst_throughput - base),
            _ => Self::Some,
        }
    }

    fn verdict(self, penalty: Measured<Cycles>, cost: f64) -> Verdict {
        let [value, low, high] = penalty.numbers();
        let resolution = THROUGHPUT_RESOLUTION * cost;
        if penalty.half_width() > VAGUE_THROUGHPUT * cost {
            return Verdict::Unmeasured;
        }
        let is_met = match self {
            Self::None => low - resolution <= 0.0 && high + resolution >= 0.0,
            Self::Some => value > resolution,
            Self::AtLeast(least) => high + resolution >= least,
        };
        if is_met { Verdict::Match } else { Verdict::Mismatch }
    }
}

impl std::fmt::Display for Expectation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("0"),
            Self::Some => f.write_str("more than 0"),
            Self::AtLeast(least) => write!(f, "at least {}", decimal((least * 100.0).round() / 100.0)),
        }
    }
}

/// Bytes of a block: one line of the cache.
const BLOCK_BYTES: u32 = 64;

/// A row for each length: cycles of a block more than in the shortest code. The interval is the range of the passes that
/// count.
pub(super) fn footprint(run: &StoredRun, position: usize) -> Vec<PenaltyRow> {
    let record = &run.experiments[position];
    let (lengths, _) = lengths(run, position);
    // The cost of the readings themselves, from the two shortest lengths: the slope between them, and the rest.
    let mut medians = lengths.iter().filter_map(|(&n, cycles)| Some((f64::from(n), median(cycles)?)));
    let readings = match (medians.next(), medians.next()) {
        (Some((n, cycles)), Some((more, longer))) => cycles - n * (longer - cycles) / (more - n),
        _ => return Vec::new(),
    };
    let cost = |(&n, cycles): (&u32, &Vec<f64>)| Some((n, cost(n, cycles, readings)?));
    let costs: Vec<(u32, Measured<Cycles>)> = lengths.iter().filter_map(cost).collect();
    let Some(&(_, base)) = costs.first() else { return Vec::new() };
    let row = |&(n, cost): &(u32, Measured<Cycles>)| PenaltyRow {
        experiment: record.rule.clone(),
        case: format!("{} KiB", n * BLOCK_BYTES / 1024),
        offset_dwords: None,
        waves_per_simd: record.waves_per_simd,
        penalty: Some(Measured {
            value: Cycles(cost.value.0 - base.value.0),
            low: Cycles(cost.low.0 - base.high.0),
            high: Cycles(cost.high.0 - base.low.0),
        }),
        // The CLRX table says that code runs at full speed in the cache, and not how large that is.
        expected: "?".into(),
        verdict: Verdict::Answers,
    };
    costs.iter().map(row).collect()
}

/// What became of the readings: each length has a value of its own, and no slope.
pub(crate) fn footprint_tally(run: &StoredRun, position: usize) -> Tally {
    let (lengths, mut dropped) = lengths(run, position);
    let mut used = 0;
    for cycles in lengths.values() {
        let split = HampelSplit::of(cycles);
        used += cycles.len() - split.dropped();
        dropped.add(DropRule::Late, split.dropped());
    }
    Tally { readings: run.readings_of(position).len(), ..Tally::used(used, dropped) }
}

/// Cycles of the code by its length, and the readings below the bound.
fn lengths(run: &StoredRun, position: usize) -> (BTreeMap<u32, Vec<f64>>, Dropped) {
    let least_block = least_block_cycles(&run.experiments[position], run.generation);
    let (mut lengths, mut dropped): (BTreeMap<u32, Vec<f64>>, _) = (BTreeMap::new(), Dropped::default());
    for reading in run.readings_of(position) {
        if is_below_bound(reading, least_block) {
            dropped.add(DropRule::BelowBound, 1);
        } else {
            lengths.entry(reading.n).or_default().push(reading.elapsed() as f64);
        }
    }
    (lengths, dropped)
}

/// Cycles of a block in code of that length, without the cost of the readings.
fn cost(n: u32, cycles: &[f64], readings: f64) -> Option<Measured<Cycles>> {
    let split = HampelSplit::of(cycles);
    let kept: Vec<f64> = cycles.iter().zip(&split.keep).filter(|(_, keep)| **keep).map(|(cycles, _)| *cycles).collect();
    let (low, high) = (kept.iter().copied().fold(f64::INFINITY, f64::min), kept.iter().copied().fold(0.0, f64::max));
    let cycles = Measured { value: median(&kept)?, low, high };
    Some(cycles.map(|cycles| Cycles((cycles - readings) / f64::from(n))))
}
