//! The slope: cycles of one more block, from samples of several lengths.

use std::collections::BTreeMap;

use crate::sample::Sample;
use crate::statistics::{ClusterRule, Clusters, Estimate, HampelRule, Line, LineError, median};

/// Rules that decide which samples count and whether a slope has settled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlopeRules {
    /// Outliers, per length.
    pub hampel: HampelRule,
    /// Two modes, per length.
    pub clusters: ClusterRule,
    /// Largest share of all samples that may be outliers.
    pub dropped_share: f64,
    /// Largest share of the samples of one length that may be outliers.
    pub dropped_share_of_length: f64,
    /// Residual of a length's median that is never called a bend, shader cycles.
    pub bend: f64,
}

impl Default for SlopeRules {
    /// A fifth may be outliers, a third at one length; one issue slot (4 cycles) is no bend.
    fn default() -> Self {
        Self {
            hampel: HampelRule::default(),
            clusters: ClusterRule::default(),
            dropped_share: 0.2,
            dropped_share_of_length: 1.0 / 3.0,
            bend: 4.0,
        }
    }
}

/// A slope that settled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    /// Shader cycles per block.
    pub estimate: Estimate,
    /// What code of no length would take: the cost of the readings, shader cycles.
    pub intercept: Estimate,
    /// Different lengths.
    pub lengths: usize,
    /// Samples that the line goes through.
    pub kept: usize,
    /// Samples dropped by Hampel's rule.
    pub dropped: usize,
}

/// Why a slope did not settle.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsettled {
    /// Nothing was stored.
    #[error("no readings are stored")]
    NoReadings,
    /// No line can be fitted.
    #[error(transparent)]
    Line(#[from] LineError),
    /// More outliers than the rule allows.
    #[error("{dropped} of {of} samples are outliers (Hampel, k = {k}), more than {allowed:.0} %")]
    TooManyOutliers {
        /// Outliers.
        dropped: usize,
        /// Samples.
        of: usize,
        /// The rule's k.
        k: f64,
        /// The share allowed, percent.
        allowed: f64,
    },
    /// Samples of one length form two groups.
    #[error(
        "bimodal: at n = {n}, {} samples around {:.0} cycles and {} around {:.0}",
        clusters.low_count, clusters.low, clusters.high_count, clusters.high
    )]
    Bimodal {
        /// The length.
        n: u32,
        /// The groups.
        clusters: Clusters,
    },
    /// Longer code seems to take less time: the counter was reset, or the readings are not what they claim to be.
    #[error("longer code takes less time: {low:.2} to {high:.2} cycles for one more block")]
    Backwards {
        /// The slope's interval.
        low: f64,
        /// The slope's interval.
        high: f64,
    },
    /// The lengths do not lie on one line.
    #[error("not linear: at n = {n} the median lies {residual:+.1} cycles off the line, more than {allowed:.1}")]
    NotLinear {
        /// The length with the largest residual.
        n: u32,
        /// Its median's distance from the line, shader cycles.
        residual: f64,
        /// What noise explains, shader cycles.
        allowed: f64,
    },
}

impl SlopeRules {
    /// The slope through the samples, by the rules in `docs/method.md`.
    ///
    /// # Errors
    /// Why there is no slope, or none that one number describes.
    pub fn slope(&self, samples: &[Sample]) -> Result<Slope, Unsettled> {
        if samples.is_empty() {
            return Err(Unsettled::NoReadings);
        }
        let mut lengths: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for sample in samples {
            lengths.entry(sample.n).or_default().push(sample.cycles.0);
        }
        let mut dropped = 0;
        for (&n, values) in &mut lengths {
            // Before outliers go: a lesser mode would be dropped as such.
            if let Some(clusters) = self.clusters.find(values) {
                return Err(Unsettled::Bimodal { n, clusters });
            }
            let split = self.hampel.split(values);
            if split.dropped() > 2 {
                self.check_dropped(split.dropped(), values.len(), self.dropped_share_of_length)?;
            }
            let mut keep = split.keep.iter();
            values.retain(|_| keep.next() == Some(&true));
            dropped += split.dropped();
        }
        // One late reading is no reason to give up, however few samples were asked for.
        if dropped > 1 {
            self.check_dropped(dropped, samples.len(), self.dropped_share)?;
        }
        let points: Vec<(f64, f64)> =
            lengths.iter().flat_map(|(&n, values)| values.iter().map(move |&y| (f64::from(n), y))).collect();
        let line = Line::fit(&points)?;
        if line.slope.high() < 0.0 {
            return Err(Unsettled::Backwards { low: line.slope.low(), high: line.slope.high() });
        }
        self.check_bend(&lengths, &line)?;
        Ok(Slope {
            estimate: line.slope,
            intercept: line.intercept,
            lengths: lengths.len(),
            kept: points.len(),
            dropped,
        })
    }

    /// The share of outliers that is allowed.
    fn check_dropped(&self, dropped: usize, of: usize, share: f64) -> Result<(), Unsettled> {
        if dropped as f64 <= share * of as f64 {
            return Ok(());
        }
        let (k, allowed) = (self.hampel.k, 100.0 * share);
        Err(Unsettled::TooManyOutliers { dropped, of, k, allowed })
    }

    /// Lack of fit: with three lengths or more, each length's median has to lie on the line within its noise.
    fn check_bend(&self, lengths: &BTreeMap<u32, Vec<f64>>, line: &Line) -> Result<(), Unsettled> {
        if lengths.len() < 3 {
            return Ok(());
        }
        // The noise inside the lengths, not around the line: a bend must not excuse itself.
        let noise = pooled_deviation(lengths);
        let mut worst: Option<(u32, f64, f64)> = None;
        for (&n, values) in lengths {
            let Some(median) = median(values) else { continue };
            let residual = median - line.at(f64::from(n));
            // Four standard errors of a median (1.2533 σ/√m): about 6 in 100,000 per length by chance.
            let allowed = self.bend + 4.0 * 1.2533 * noise / (values.len() as f64).sqrt();
            let beyond = residual.abs() - allowed;
            if beyond > 0.0 && worst.is_none_or(|(_, r, a)| beyond > r.abs() - a) {
                worst = Some((n, residual, allowed));
            }
        }
        worst.map_or(Ok(()), |(n, residual, allowed)| Err(Unsettled::NotLinear { n, residual, allowed }))
    }
}

/// Standard deviation inside the lengths, pooled over them; 0 if each has one sample.
fn pooled_deviation(lengths: &BTreeMap<u32, Vec<f64>>) -> f64 {
    let (mut squares, mut degrees) = (0.0, 0.0);
    for values in lengths.values() {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        squares += values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        degrees += values.len() as f64 - 1.0;
    }
    if degrees > 0.0 { (squares / degrees).sqrt() } else { 0.0 }
}
