//! How noisy a run is: the rate of late readings, which a single experiment with few samples cannot tell.

use super::lengths::{Lengths, Sample};
use crate::statistics::{HampelSplit, divisor};

/// Largest share of the samples that may be late: beyond it the median itself is no longer that of the others.
const MOST_LATE: f64 = 0.45;

/// How many times as often a sample is too long than too short, at most, where the causes are the usual ones: second readings come late as
/// often as first ones, and what delays the wave itself (it is put aside, its code is evicted from the cache) adds to the long ones only.
const LONG_TO_SHORT: f64 = 2.5;

/// Standard errors that a count may exceed its expectation by: one in a thousand does by chance.
const ERRORS: f64 = 3.1;

/// Share of the samples that must differ from others of their length, and not be late: without a scatter, a common divisor is the code's.
const TELLING: f64 = 0.05;

/// Late ones that some samples without any may hide, one time in twenty: the rule of three.
const UNSEEN: f64 = 3.0;

/// The two-component noise of a run: a tight core, and readings that come late at a rate; and the steps of its counter.
///
/// A late first reading makes a sample too short, and nothing else does. The rate at which that happens is therefore a rate of noise, and
/// the samples that are too long for the same reason are known with it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DelayedRate {
    /// Share of the samples that are too short.
    pub short: f64,
    /// Share of the samples that are too short or too long.
    pub any: f64,
    /// Shader cycles in which the counter moves: all samples are multiples of it, and those of a length differ; 0 where nothing says so.
    pub step: f64,
    /// Samples that say so.
    pub samples: usize,
}

/// Samples beyond the noise of their length, counted over the experiments of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LateCount {
    short: usize,
    any: usize,
    of: usize,
    /// The greatest common divisor of all samples, shader cycles.
    step: u64,
    /// Samples that are not late and not the median of their length.
    scattered: usize,
}

impl LateCount {
    /// Counts the samples of an experiment.
    pub(crate) fn add(&mut self, samples: &[Sample]) {
        let (mut short, mut long) = (0, 0);
        for values in Lengths::new(samples).kept().values() {
            let split = HampelSplit::of(values);
            let late = values.iter().zip(&split.keep).filter(|&(_, &keep)| !keep);
            late.for_each(|(value, _)| *(if *value < split.median { &mut short } else { &mut long }) += 1);
            self.of += values.len();
            self.step = values.iter().fold(self.step, |step, value| divisor(step, *value as u64));
            let on_time = values.iter().zip(&split.keep).filter(|&(_, &keep)| keep);
            self.scattered += on_time.filter(|(value, _)| **value != split.median).count();
        }
        // Two modes have a side: equal shares on both sides are noise.
        self.short += short.min(long);
        self.any += short + long;
    }

    /// The rate that these are.
    pub(crate) fn rate(self) -> DelayedRate {
        let share = |count: usize| count as f64 / self.of.max(1) as f64;
        let step = if share(self.scattered) < TELLING { 0.0 } else { self.step as f64 };
        DelayedRate { short: share(self.short), any: share(self.any), step, samples: self.of }
    }
}

impl DelayedRate {
    /// So many of some samples may be too short and still be late.
    pub(crate) fn most_short(self, of: usize) -> f64 {
        most(self.short, of)
    }

    /// So many of some samples may be too long and still be late.
    pub(crate) fn most_long(self, of: usize) -> f64 {
        most(self.times_short(LONG_TO_SHORT), of)
    }

    /// So many of some waves, of which each is read as often as a sample, may have a late reading.
    pub(crate) fn most_late(self, of: usize) -> f64 {
        most((self.times_short(1.0 + LONG_TO_SHORT) + UNSEEN / self.samples as f64).min(1.0), of)
    }

    /// So many times the share that is too short, as far as the run has so many late ones.
    fn times_short(self, times: f64) -> f64 {
        (times * self.short).min(self.any.max(self.short))
    }

    /// The share of some samples that may be dropped, if that share is allowed in any case.
    pub(crate) fn most_dropped(self, allowed: f64, of: usize) -> f64 {
        (most(self.any, of) / of.max(1) as f64).clamp(allowed, allowed.max(MOST_LATE))
    }
}

/// The most of some samples that a rate explains.
fn most(rate: f64, of: usize) -> f64 {
    let of = of as f64;
    rate * of + ERRORS * (rate * (1.0 - rate).max(0.0) * of).sqrt()
}

#[cfg(test)]
mod tests {
    use gcn_model::quantity::Cycles;

    use super::*;

    fn samples(values: &[(f64, usize)]) -> Vec<Sample> {
        let values = values.iter().flat_map(|&(value, count)| std::iter::repeat_n(value, count));
        values.map(|value| Sample { n: 8, cycles: Cycles(value) }).collect()
    }

    #[test]
    fn a_second_mode_is_no_noise_and_late_readings_on_both_sides_are() {
        let mut count = LateCount::default();
        count.add(&samples(&[(400.0, 60), (800.0, 40)]));
        assert_eq!(count.rate().most_long(20), 0.0);
        let mut count = LateCount::default();
        count.add(&samples(&[(400.0, 75), (4400.0, 15), (300.0, 10)]));
        let rate = count.rate();
        assert!((rate.short - 0.1).abs() < 1e-9 && (rate.any - 0.25).abs() < 1e-9, "{rate:?}");
        assert!((10.0..13.0).contains(&rate.most_long(20)) && (5.0..8.0).contains(&rate.most_short(20)), "{rate:?}");
    }

    #[test]
    fn late_waves_are_as_rare_as_late_samples() {
        assert_eq!(DelayedRate::default().most_late(256), 256.0, "no sample says anything");
        let quiet = DelayedRate { samples: 30_000, ..DelayedRate::default() };
        assert!(quiet.most_late(256) < 1.0);
        let noisy = DelayedRate { short: 0.005, any: 0.02, ..quiet };
        assert!((9.0..14.0).contains(&noisy.most_late(256)), "{}", noisy.most_late(256));
    }

    #[test]
    fn more_may_be_dropped_where_the_run_is_noisy_but_never_half() {
        assert_eq!(DelayedRate::default().most_dropped(0.2, 60), 0.2);
        let noisy = DelayedRate { short: 0.1, any: 0.25, ..DelayedRate::default() };
        assert!((0.4..0.45).contains(&noisy.most_dropped(0.2, 60)));
        assert_eq!(noisy.most_dropped(0.2, 10), MOST_LATE);
    }
}
