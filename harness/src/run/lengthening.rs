//! How much longer the loops of an experiment run when it is measured again.
//!
//! Where a card launches waves slowly, short code ends before all waves run. Where readings come late, they are a large part of its time. Longer
//! code outlasts both, but a narrow counter must not wrap in it.

use std::collections::BTreeMap;

use gcn_analysis::run::StoredReading;
use gcn_model::record::ExperimentKind;

use crate::experiment::Experiment;
use crate::kernel::KernelPlan;

/// The most times longer.
const MOST: u32 = 64;
/// The least, so that the lengths are told apart from those of shorter code.
const LEAST: f64 = 8.0;
/// Waves that begin further apart than this share of what the longest code takes run together too short a time in code of half that length.
const APART: f64 = 0.1;
/// A wave may take this share of the counter's turn: waves that wait for others take longer than most.
const SHARE_OF_TURN: f64 = 0.25;

/// How many times longer the loops of an experiment can be asked to run.
pub(super) fn at_most(experiment: &Experiment) -> u32 {
    if experiment.record.kind == ExperimentKind::Throughput { MOST } else { 1 }
}

/// How many times longer the loops of an experiment are to run, by the readings that it has and by whether the analysis finds its code too short;
/// 1 if nothing is gained by that.
pub(super) fn lengthening(
    experiment: &Experiment,
    kernels: &[KernelPlan],
    readings: &[StoredReading],
    is_short: bool,
    counter_bits: u32,
) -> u32 {
    if at_most(experiment) == 1 {
        return 1;
    }
    let sections = experiment.launches.iter().flat_map(|launch| &kernels[launch.kernel].sections);
    let blocks = sections.map(|section| section.n).max().unwrap_or(0);
    let usual = blocks_of(readings, blocks);
    let (Some(apart), Some(duration)) = (middle(usual.iter().map(spread)), middle(usual.iter().map(duration))) else {
        return 1;
    };
    let is_apart = apart >= APART * duration;
    if !is_apart && !is_short {
        return 1;
    }
    let most = longest(SHARE_OF_TURN * f64::from(counter_bits).exp2() / duration.max(1.0));
    if is_apart { most } else { most.min(LEAST as u32) }
}

/// The waves' readings of each launch of the code as it was planned, with this many blocks.
fn blocks_of(readings: &[StoredReading], blocks: u32) -> Vec<Vec<&StoredReading>> {
    let mut launches: BTreeMap<u32, Vec<&StoredReading>> = BTreeMap::new();
    for reading in readings.iter().filter(|reading| reading.n == blocks) {
        launches.entry(reading.launch).or_default().push(reading);
    }
    launches.into_values().collect()
}

/// From the first wave's begin to the last one's, shader cycles. Where the last one began after another ended, to that of most waves: no length of
/// the code brings waves together that do not fit.
fn spread(waves: &Vec<&StoredReading>) -> f64 {
    let mut begins: Vec<u64> = waves.iter().map(|reading| reading.begin).collect();
    begins.sort_unstable();
    let last = begins[begins.len() - 1];
    let ran_together = waves.iter().all(|reading| last < reading.end);
    let begin = if ran_together { last } else { begins[3 * (begins.len() - 1) / 4] };
    (begin - begins[0]) as f64
}

/// The time of a usual wave, shader cycles.
fn duration(waves: &Vec<&StoredReading>) -> f64 {
    middle(waves.iter().map(|reading| reading.elapsed() as f64)).unwrap_or_default()
}

fn middle(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// The power of two that is at most this and [`MOST`]; 1 below [`LEAST`].
fn longest(times: f64) -> u32 {
    if times < LEAST { 1 } else { 1 << (times.log2() as u32).min(MOST.ilog2()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_as_long_as_the_counter_allows() {
        assert_eq!([0.0, 7.9, 8.0, 15.9, 16.0, 1e9, f64::INFINITY].map(longest), [1, 1, 8, 8, 16, 64, 64]);
    }

    #[test]
    fn waves_that_begin_late_are_far_apart() {
        let wave = |begin: u64| StoredReading {
            experiment: 0,
            launch: 0,
            n: 64,
            pass: 0,
            wave: 0,
            begin,
            end: begin + 100,
            hw_id: 0,
            hw_id_end: 0,
            realtime_begin: None,
            realtime_end: None,
        };
        let apart = |begins: [u64; 5]| {
            let waves = begins.map(wave);
            let waves: Vec<&StoredReading> = waves.iter().collect();
            (spread(&waves), duration(&waves))
        };
        assert_eq!(apart([0, 1, 2, 3, 60]), (60.0, 100.0), "one wave begins late");
        assert_eq!(apart([0, 30, 60, 90, 5000]), (90.0, 100.0), "one wave has no place");
    }
}
