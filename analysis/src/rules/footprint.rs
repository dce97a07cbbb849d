//! The instruction cache: the cost of a block in a growing number of copies.

use std::collections::BTreeMap;

use gcn_model::quantity::Cycles;

use super::penalty::PenaltyRow;
use crate::run::StoredRun;
use crate::settle::{DropRule, Dropped, Tally, is_below_bound, least_block_cycles};
use crate::statistics::{HampelSplit, median};
use crate::tables::{Measured, Verdict};

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
