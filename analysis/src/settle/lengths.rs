//! Samples, differences of two readings; those of an experiment by length, and the rules' verdict on each of them.

use std::collections::BTreeMap;

use gcn_model::quantity::Cycles;

use super::tally::{DropRule, Dropped};
use crate::run::StoredReading;
use crate::statistics::{intercept, median};

/// Shader cycles that some length of code took once: a difference of two S_MEMTIME readings, or, on many waves, of
/// the last and the first reading of all waves of a compute unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Blocks in the timed code.
    pub n: u32,
    /// Cycles between the readings, the reading's own cost included.
    pub cycles: Cycles,
}

impl From<&StoredReading> for Sample {
    fn from(reading: &StoredReading) -> Self {
        Self { n: reading.n, cycles: Cycles(reading.elapsed() as f64) }
    }
}

/// A sample and the rule that dropped it, if one did.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sifted {
    /// Shader cycles.
    pub(crate) cycles: f64,
    pub(crate) fate: Option<DropRule>,
    /// Its place among all samples.
    place: usize,
}

/// Samples by length.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lengths(BTreeMap<u32, Vec<Sifted>>);

impl Lengths {
    /// Groups samples, none of them dropped.
    pub(crate) fn new(samples: &[Sample]) -> Self {
        let mut lengths: BTreeMap<u32, Vec<Sifted>> = BTreeMap::new();
        for (place, sample) in samples.iter().enumerate() {
            lengths.entry(sample.n).or_default().push(Sifted { cycles: sample.cycles.0, fate: None, place });
        }
        Self(lengths)
    }

    /// Drops the samples that a rule condemns; those dropped by an earlier one keep its rule.
    pub(crate) fn drop_if(&mut self, rule: DropRule, condemned: impl Fn(u32, f64) -> bool) {
        for (&n, samples) in &mut self.0 {
            for sample in samples.iter_mut().filter(|sample| sample.fate.is_none() && condemned(n, sample.cycles)) {
                sample.fate = Some(rule);
            }
        }
    }

    /// The kept samples of each length that has any, shader cycles.
    pub(crate) fn kept(&self) -> BTreeMap<u32, Vec<f64>> {
        let kept = |samples: &Vec<Sifted>| -> Vec<f64> {
            samples.iter().filter(|sample| sample.fate.is_none()).map(|sample| sample.cycles).collect()
        };
        self.0.iter().map(|(&n, samples)| (n, kept(samples))).filter(|(_, kept)| !kept.is_empty()).collect()
    }

    /// Samples of each length, and those dropped.
    pub(crate) fn dropped(&self) -> impl Iterator<Item = (usize, Dropped)> {
        self.0.values().map(|samples| (samples.len(), Dropped::of(samples.iter().filter_map(|sample| sample.fate))))
    }

    /// The fate of each sample, in the order in which they were given.
    pub(crate) fn fates(&self) -> Vec<Option<DropRule>> {
        let mut fates: Vec<(usize, Option<DropRule>)> =
            self.0.values().flatten().map(|sample| (sample.place, sample.fate)).collect();
        fates.sort_unstable_by_key(|(place, _)| *place);
        fates.into_iter().map(|(_, fate)| fate).collect()
    }
}

/// What code of no length takes: where the line through the medians of the lengths starts; nothing below zero, and not more than the
/// least median. Without two lengths it is not known, and 0.
pub(crate) fn reading_cost(centres: &BTreeMap<u32, f64>) -> f64 {
    let points: Vec<(f64, f64)> = centres.iter().map(|(&n, &centre)| (f64::from(n), centre)).collect();
    let least = centres.values().copied().fold(f64::INFINITY, f64::min);
    intercept(&points).map_or(0.0, |cost| cost.min(least).max(0.0))
}

/// The median of each length.
pub(crate) fn medians(kept: &BTreeMap<u32, Vec<f64>>) -> BTreeMap<u32, f64> {
    kept.iter().filter_map(|(&n, values)| Some((n, median(values)?))).collect()
}
