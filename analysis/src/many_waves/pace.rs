//! The pace of waves that share a compute unit, for runs in which hardly a makespan is free of late readings.
//!
//! Where all waves run side by side and are served alike, another block of code takes each of them as much longer as all of them
//! together, whenever they began: the mean duration of a group's waves has the slope of its makespan. One late reading spoils a
//! makespan; of the durations it spoils one, which is seen beside the others.

use std::collections::BTreeMap;

use gcn_model::quantity::Cycles;

use super::group::{COMMON_SHARE, Group, distance, growth};
use crate::settle::{DropRule, Dropped, Sample, Slope};
use crate::statistics::{HampelRule, Line};

/// Least number of groups of each length: what one says nothing confirms.
const LEAST_GROUPS: usize = 2;

/// Most waves in a group of which some groups, and not hardly any, are spared by what disturbs a whole compute unit.
const FEW_WAVES: usize = 4;

/// Least share of the groups of a length that are the undisturbed ones.
const UNDISTURBED_SHARE: f64 = 1.0 / 3.0;

/// Least gap between groups that were disturbed otherwise, shader cycles: four issue slots, as between two modes of single waves.
const GAP: f64 = 16.0;

/// What the groups of one throughput experiment say by the durations of their waves.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Paces {
    /// The mean duration of each group's waves, without those that a late reading spoiled.
    pub samples: Vec<Sample>,
    /// By how much the waves' durations are further apart at the longest code than at the shortest, shader cycles per block: where the
    /// unit does not serve them alike, its throughput is less than their mean pace.
    pub spread_drift: f64,
    /// Shader cycles per block between the third of the groups of each length that took least: what disturbs a group only adds, and
    /// may add more to longer code.
    pub least: Option<f64>,
    /// Readings behind the samples.
    pub used: usize,
    /// Readings dropped with their wave or group, by rule.
    pub dropped: Dropped,
}

/// A group whose waves ran side by side.
struct Paced {
    n: u32,
    mean: f64,
    spread: f64,
    used: usize,
    late: usize,
}

impl Paces {
    /// The paces of groups that were placed as asked; `dropped` is what was dropped before.
    pub(super) fn of(groups: &[Group], dropped: Dropped) -> Self {
        let mut paces = Self { dropped, ..Self::default() };
        let mut by_length: BTreeMap<u32, Vec<Paced>> = BTreeMap::new();
        for group in groups {
            match Paced::of(group) {
                Ok(paced) => by_length.entry(paced.n).or_default().push(paced),
                Err(rule) => paces.dropped.add(rule, group.waves.len()),
            }
        }
        let mut spreads: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        let mut least = Vec::new();
        for groups in by_length.values_mut() {
            groups.sort_by(|a, b| a.mean.total_cmp(&b.mean));
            let undisturbed = undisturbed(groups);
            let third = &groups[..undisturbed.div_ceil(3)];
            let mean = third.iter().map(|group| group.mean).sum::<f64>() / third.len() as f64;
            least.push((f64::from(third[0].n), mean));
            for (rank, group) in groups.iter().enumerate() {
                paces.dropped.add(DropRule::LateWave, group.late);
                if rank < undisturbed {
                    paces.used += group.used;
                    paces.samples.push(Sample { n: group.n, cycles: Cycles(group.mean) });
                    spreads.entry(group.n).or_default().push(group.spread);
                } else {
                    paces.dropped.add(DropRule::Late, group.used);
                }
            }
        }
        paces.spread_drift = growth(&spreads).max(0.0);
        paces.least = match (least.first(), least.last()) {
            (Some((short, at_short)), Some((long, at_long))) if short < long => {
                Some((at_long - at_short) / (long - short)).filter(|&cycles| cycles > 0.0)
            }
            _ => None,
        };
        paces
    }

    /// The slope through the groups, cycles per block of one wave; `None` where a length has too few of them.
    pub(crate) fn slope(&self) -> Option<Slope> {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        self.samples.iter().for_each(|sample| *counts.entry(sample.n).or_default() += 1);
        if counts.values().any(|&count| count < LEAST_GROUPS) {
            return None;
        }
        let points: Vec<(f64, f64)> =
            self.samples.iter().map(|sample| (f64::from(sample.n), sample.cycles.0)).collect();
        let Line { slope, intercept, .. } = Line::fit(&points).ok()?;
        Some(Slope {
            estimate: slope,
            intercept,
            lengths: counts.len(),
            kept: points.len(),
            dropped: Dropped::default(),
        })
    }
}

impl Paced {
    /// The pace of a group, or why it has none.
    fn of(group: &Group) -> Result<Self, DropRule> {
        let durations = group.durations();
        let split = HampelRule::default().split(&durations);
        let mut kept: Vec<f64> =
            durations.iter().zip(&split.keep).filter(|&(_, &keep)| keep).map(|(duration, _)| *duration).collect();
        if kept.is_empty() || 2 * kept.len() < group.waves.len() + group.impossible.len() {
            return Err(DropRule::Late);
        }
        let Some(first) = group.waves.iter().map(|wave| wave.begin).min() else { return Err(DropRule::Late) };
        let mut begins: Vec<f64> = group.waves.iter().map(|wave| distance(first, wave.begin)).collect();
        let mut ends: Vec<f64> = group.waves.iter().map(|wave| distance(first, wave.end)).collect();
        // Of waves that begin one behind the other, half begin between the quartiles: all have to be there for half of the time.
        let [_, late_begin] = quartiles(&mut begins);
        let [early_end, _] = quartiles(&mut ends);
        if early_end - late_begin < f64::midpoint(COMMON_SHARE, 1.0) * split.median {
            return Err(if early_end < late_begin { DropRule::Apart } else { DropRule::Uneven });
        }
        let [low, high] = quartiles(&mut kept);
        Ok(Self {
            n: group.n,
            mean: kept.iter().sum::<f64>() / kept.len() as f64,
            spread: high - low,
            used: kept.len(),
            late: durations.len() - kept.len(),
        })
    }
}

/// How many of the groups of a length, the shortest first, were not disturbed as a whole.
///
/// What disturbs all waves of a compute unit at once (the instruction cache is emptied) only adds to what they take. Where the groups
/// have few waves, some are spared, and lie together below a gap: as many as lie together anywhere above it, or nothing can be told.
fn undisturbed(sorted: &[Paced]) -> usize {
    let least = LEAST_GROUPS.max((UNDISTURBED_SHARE * sorted.len() as f64).ceil() as usize);
    let together: Vec<usize> = sorted.chunk_by(|a, b| b.mean - a.mean < GAP).map(<[Paced]>::len).collect();
    let has_few = sorted.iter().all(|group| group.used + group.late <= FEW_WAVES);
    match together.first() {
        Some(&lowest) if has_few && lowest >= least && together.iter().all(|&others| others <= lowest) => lowest,
        _ => sorted.len(),
    }
}

/// The lower and the upper quartile of values, of which there is one at least.
fn quartiles(values: &mut [f64]) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let upper = 3 * (values.len() - 1) / 4;
    [values[values.len() - 1 - upper], values[upper]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of two lengths that were so long.
    fn groups(means: &[f64], waves: usize) -> Vec<Paced> {
        means.iter().map(|&mean| Paced { n: 32, mean, spread: 0.0, used: waves, late: 0 }).collect()
    }

    #[test]
    fn the_groups_below_a_gap_are_the_undisturbed_ones() {
        assert_eq!(undisturbed(&groups(&[655.0, 656.0, 659.0, 900.0, 1019.0, 1020.0], 4)), 3);
        assert_eq!(undisturbed(&groups(&[655.0, 1018.0, 1019.0, 1020.0], 4)), 4, "a single one below proves nothing");
        assert_eq!(undisturbed(&groups(&[655.0, 656.0, 1018.0, 1019.0, 1020.0], 4)), 5, "more lie together above");
        assert_eq!(undisturbed(&groups(&[655.0, 656.0, 659.0, 1019.0], 40)), 4, "of so many waves all are disturbed");
    }

    #[test]
    fn quartiles_leave_out_one_of_four() {
        assert_eq!(quartiles(&mut [4000.0, 3.0, 2.0, -2000.0]), [2.0, 3.0]);
        assert_eq!(quartiles(&mut [5.0]), [5.0, 5.0]);
    }
}
