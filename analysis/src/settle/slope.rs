//! The slope: cycles of a further block, from samples of several lengths.

use std::collections::BTreeMap;

use gcn_model::record::ExperimentRecord;

use super::bound::impossible;
use super::delayed::DelayedRate;
use super::lengths::{Lengths, Sample, medians, reading_cost};
use super::status::Unsettled;
use super::tally::{DropRule, Dropped};
use crate::statistics::{Clusters, Estimate, HampelSplit, LEAST_BOUND, Line, is_double, is_half, median};

/// Standard errors that a 95 % interval holds at least, of any number of samples.
const ERRORS_OF_AN_INTERVAL: f64 = 1.95;

/// So many samples at half of the others' time put all others into question: they may be the doubled ones. As few as make a group of two modes.
const HALVES: usize = 3;

/// Share of all samples that may be dropped, however quiet the run is.
const DROPPED_SHARE: f64 = 0.2;

/// Likewise of a length's samples.
const DROPPED_SHARE_OF_LENGTH: f64 = 1.0 / 3.0;

/// Rules that decide which samples count and whether a slope has settled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlopeRules {
    /// Least shader cycles of a block: four for each instruction in it; 0 where nothing is known. A sample below that is impossible.
    pub least_block: f64,
    /// How often readings come late in the run: this much more may be dropped, and this much is neither a second mode nor a doubling.
    pub late: DelayedRate,
    /// Residual of a length's median that is never called a bend, shader cycles.
    pub bend: f64,
    /// Least shader cycles between two instructions of a wave: the issue slot of the generation.
    pub least_issue: f64,
}

impl Default for SlopeRules {
    /// One issue slot (4 cycles) is no bend; no physical bound.
    fn default() -> Self {
        Self { least_block: 0.0, late: DelayedRate::default(), bend: 4.0, least_issue: 4.0 }
    }
}

/// A slope that settled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    /// Shader cycles per block.
    pub estimate: Estimate,
    /// What code of no length would take: the cost of the readings, shader cycles.
    pub intercept: Estimate,
    /// Samples that the line goes through.
    pub kept: usize,
    /// Samples dropped, by rule.
    pub dropped: Dropped,
}

impl Slope {
    /// Cycles of a block, of blocks that an experiment ran several times.
    pub(crate) fn per_block(&self, record: &ExperimentRecord) -> Estimate {
        self.estimate.scaled(1.0 / f64::from(record.repeats))
    }
}

/// The rules' result for samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Settlement {
    /// The rule that dropped each sample, if one did, in the order of the samples.
    pub fates: Vec<Option<DropRule>>,
    /// The slope, or why it is missing.
    pub slope: Result<Slope, Unsettled>,
}

impl SlopeRules {
    /// The slope through the samples, by the rules in `docs/method.md`.
    ///
    /// # Errors
    /// Why there is no slope, or none that one number describes.
    pub fn slope(&self, samples: &[Sample]) -> Result<Slope, Unsettled> {
        self.settle(samples).slope
    }

    /// The slope through the samples, and what became of each of them.
    pub fn settle(&self, samples: &[Sample]) -> Settlement {
        let mut lengths = Lengths::new(samples);
        let slope = self.sift(&mut lengths).and_then(|dropped| self.fit(&lengths, dropped));
        Settlement { fates: lengths.fates(), slope }
    }

    /// Applies the rules to single samples, in their order; returns the dropped ones.
    fn sift(&self, lengths: &mut Lengths) -> Result<Dropped, Unsettled> {
        let all = splits(&lengths.kept());
        lengths.drop_if(DropRule::BelowBound, |n, cycles| {
            let (least, split) = (self.least_block * f64::from(n), &all[&n]);
            // Where the bound cuts through the noise of readings that come late by more than they cost, samples below it belong to the
            // others: without that side alone their mean would be too large.
            cycles < least && (split.median + split.bound < least || split.median - cycles > split.bound)
        });
        let kept = lengths.kept();
        self.check_modes(&kept)?;

        let (centres, splits) = (medians(&kept), splits(&kept));
        let cost = reading_cost(&centres);
        let halves = kept.iter().flat_map(|(n, values)| values.iter().map(move |value| (n, *value)));
        let halves = halves.filter(|(n, value)| is_half(*value, centres[n], cost, splits[n].bound)).count();
        let of = kept.values().map(Vec::len).sum();
        if halves >= HALVES && halves as f64 > self.late.most_short(of) {
            return Err(Unsettled::Halved { halves, of });
        }
        lengths.drop_if(DropRule::Doubled, |n, value| is_double(value, centres[&n], cost, splits[&n].bound));
        lengths.drop_if(DropRule::Late, |n, value| (value - splits[&n].median).abs() > splits[&n].bound);
        self.check_dropped(lengths)
    }

    /// Before outliers go: a lesser mode would be dropped as such.
    fn check_modes(&self, kept: &BTreeMap<u32, Vec<f64>>) -> Result<(), Unsettled> {
        let modes: BTreeMap<u32, Clusters> =
            kept.iter().filter_map(|(&n, values)| Some((n, Clusters::of(values)?))).collect();
        // A counter in steps reads one of two neighbours.
        let is_step = |found: &Clusters| found.high - found.low <= self.late.step;
        let modes = modes.into_iter().filter(|(_, found)| !self.are_late(found) && !is_step(found));
        let modes: BTreeMap<u32, Clusters> = modes.collect();
        let Some((&n, &clusters)) = modes.first_key_value() else { return Ok(()) };
        let mut centres = medians(kept);
        // A doubled sample is doubled relative to the lower group.
        centres.extend(modes.iter().map(|(&n, clusters)| (n, clusters.low)));
        let cost = reading_cost(&centres);
        let is_doubled = is_double(clusters.high, clusters.low, cost, LEAST_BOUND);
        Err(if is_doubled { Unsettled::Doubled { n, clusters } } else { Unsettled::Bimodal { n, clusters } })
    }

    /// Whether the lesser group is no larger than late readings make it.
    fn are_late(&self, found: &Clusters) -> bool {
        let of = found.low_count + found.high_count;
        let (lesser, most) = if found.low_count < found.high_count {
            (found.low_count, self.late.most_short(of))
        } else {
            (found.high_count, self.late.most_long(of))
        };
        lesser as f64 <= most
    }

    /// The dropped samples, if this many are allowed.
    fn check_dropped(&self, lengths: &Lengths) -> Result<Dropped, Unsettled> {
        let (mut all, mut of_all) = (Dropped::default(), 0);
        for (of, dropped) in lengths.dropped() {
            if dropped.total() > 2 {
                allow(dropped, of, self.late.most_dropped(DROPPED_SHARE_OF_LENGTH, of))?;
            }
            all += dropped;
            of_all += of;
        }
        // One late reading is no reason to give up, however few samples were asked for.
        if all.total() > 1 {
            allow(all, of_all, self.late.most_dropped(DROPPED_SHARE, of_all))?;
        }
        Ok(all)
    }

    /// The line through the kept samples.
    fn fit(&self, lengths: &Lengths, dropped: Dropped) -> Result<Slope, Unsettled> {
        let kept = lengths.kept();
        if kept.is_empty() && dropped.total() == 0 {
            return Err(Unsettled::NoReadings);
        }
        let points: Vec<(f64, f64)> =
            kept.iter().flat_map(|(&n, values)| values.iter().map(move |&y| (f64::from(n), y))).collect();
        let line = Line::fit(&points)?;
        if line.slope.high() < 0.0 {
            return Err(Unsettled::Backwards { low: line.slope.low(), high: line.slope.high() });
        }
        if self.least_block > 0.0 {
            let of_one = line.slope.scaled(self.least_issue / self.least_block);
            impossible(&of_one, gcn_model::quantity::Cycles(self.least_issue))
                .map_or(Ok(()), |why| Err(Unsettled::BelowBound(why)))?;
        }
        self.check_bend(&kept, &line)?;
        // The more were dropped, the more of those that were kept may be late by too little to be seen.
        let share = dropped.total() as f64 / (points.len() + dropped.total()) as f64;
        let doubt = 1.0 + 3.0 * (share - DROPPED_SHARE).max(0.0);
        let widened = |estimate: Estimate| Estimate { standard_error: doubt * estimate.standard_error, ..estimate };
        let (estimate, intercept) = (self.with_steps(&kept, widened(line.slope)), widened(line.intercept));
        Ok(Slope { estimate, intercept, kept: points.len(), dropped })
    }

    /// The same, with the error of a counter that moves in steps: each length's samples are off alike, by up to a step (the second reading lags
    /// and the first does not, or the other way round), and no number of samples makes that smaller. Steps of an issue slot shift nothing, since all
    /// that waves do takes whole slots.
    fn with_steps(&self, kept: &BTreeMap<u32, Vec<f64>>, slope: Estimate) -> Estimate {
        if self.late.step <= self.least_issue {
            return slope;
        }
        let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
            kept.iter().map(|(&n, samples)| samples.len() as f64 * value(f64::from(n))).sum()
        };
        let mean = sum(&|n| n) / sum(&|_| 1.0);
        let (distances, squares) = (sum(&|n| (n - mean).abs()), sum(&|n| (n - mean).powi(2)));
        // All shorter lengths are off one way, all longer ones the other way.
        let most = if squares > 0.0 { self.late.step * distances / squares } else { 0.0 };
        Estimate { standard_error: slope.standard_error.hypot(most / ERRORS_OF_AN_INTERVAL), ..slope }
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
            // A counter in steps bends no line by more than a step.
            let allowed = self.bend.max(self.late.step) + 4.0 * 1.2533 * noise / (values.len() as f64).sqrt();
            let beyond = residual.abs() - allowed;
            if beyond > 0.0 && worst.is_none_or(|(_, r, a)| beyond > r.abs() - a) {
                worst = Some((n, residual, allowed));
            }
        }
        worst.map_or(Ok(()), |(n, residual, allowed)| Err(Unsettled::NotLinear { n, residual, allowed }))
    }
}

/// The noise of each length.
fn splits(kept: &BTreeMap<u32, Vec<f64>>) -> BTreeMap<u32, HampelSplit> {
    kept.iter().map(|(&n, values)| (n, HampelSplit::of(values))).collect()
}

/// Whether a share of the samples may be dropped.
fn allow(dropped: Dropped, of: usize, share: f64) -> Result<(), Unsettled> {
    if dropped.total() as f64 <= share * of as f64 {
        return Ok(());
    }
    Err(Unsettled::TooManyDropped { dropped, of, allowed: 100.0 * share })
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
