//! Ramps: the time of a makespan in which not all waves ran.

use std::collections::BTreeMap;

use crate::statistics::median;

/// Ramps of more than this share of the makespan are long.
const LONG: f64 = 0.3;

/// By how much of full strength the waves' work in ramps may differ between the lengths of code.
pub(super) const WORK: f64 = 0.125;

/// A ramp of a group.
#[derive(Debug, Clone, Copy)]
struct Ramp {
    /// Shader cycles.
    cycles: f64,
    /// Of the group, shader cycles.
    makespan: f64,
    /// Its share of the makespan.
    share: f64,
    /// How far the durations of the group's waves are apart, shader cycles; 0 in usual code, which does not ask for it.
    apart: f64,
}

/// The ramps of all groups.
#[derive(Debug)]
pub(super) struct Ramps {
    by_blocks: BTreeMap<u32, Vec<Ramp>>,
    is_lengthened: bool,
    hides_loops: bool,
}

impl Ramps {
    /// Those of code that was measured again at greater length, or of usual code, in which waves share a unit or not.
    pub(super) fn new(is_lengthened: bool, hides_loops: bool) -> Self {
        Self { by_blocks: BTreeMap::new(), is_lengthened, hides_loops }
    }

    /// Adds a group of `blocks` blocks whose waves all ran for `common` cycles of its makespan, with each wave's duration.
    pub(super) fn add(&mut self, blocks: u32, makespan: f64, common: f64, durations: &[f64]) {
        let apart = if self.is_lengthened { middle_half(durations) } else { 0.0 };
        let ramp = Ramp { cycles: makespan - common, makespan, share: 1.0 - common / makespan, apart };
        self.by_blocks.entry(blocks).or_default().push(ramp);
    }

    /// The blocks between the shortest and the longest code, and the ramps of both.
    fn ends(&self) -> Option<(f64, &[Ramp], &[Ramp])> {
        let ((short, at_short), (long, at_long)) =
            (self.by_blocks.first_key_value()?, self.by_blocks.last_key_value()?);
        (long > short).then(|| (f64::from(long - short), at_short.as_slice(), at_long.as_slice()))
    }

    /// By how much longer the ramps are at the longest code than at the shortest, as far as that is more than their noise, cycles per block;
    /// negative if shorter.
    pub(super) fn drift(&self) -> f64 {
        let Some((blocks, at_short, at_long)) = self.ends() else { return 0.0 };
        let (short, long) = (cycles(at_short), cycles(at_long));
        let noise = 2.0 * (squared_error(&short) + squared_error(&long)).sqrt();
        let drift = median(&long).unwrap_or_default() - median(&short).unwrap_or_default();
        drift.signum() * (drift.abs() - noise).max(0.0) / blocks
    }

    /// How far the waves' work in long ramps may differ between the lengths of code, cycles per block.
    ///
    /// Lengthened code has few samples, and waves that begin at any time: the work in any of its ramps may differ. The instructions of
    /// the loop itself are hidden by other waves or not, as these happen to be: by as much as the waves' durations are apart, or as the loops cost
    /// besides the blocks, as if the longer code had none of that.
    pub(super) fn doubt(&self) -> f64 {
        let Some((blocks, at_short, at_long)) = self.ends() else { return 0.0 };
        // The usual share: late readings look like ramps.
        let is_long = usual(|ramp| ramp.share, at_short).is_some_and(|share| share > LONG);
        let work = if is_long || self.is_lengthened {
            WORK * usual(|ramp| ramp.cycles, at_long).unwrap_or_default()
        } else {
            0.0
        };
        let apart = usual(|ramp| ramp.apart, at_short).unwrap_or_default() / blocks;
        let loops = if self.is_lengthened && self.hides_loops { self.loops_per_block().unwrap_or(0.0) } else { 0.0 };
        work / blocks + apart.max(loops)
    }

    /// What the longest code takes besides its blocks and a ramp, for each of its blocks, cycles; 0 if nothing.
    fn loops_per_block(&self) -> Option<f64> {
        let (blocks, at_short, at_long) = self.ends()?;
        let longest = f64::from(*self.by_blocks.last_key_value()?.0);
        let together = |ramps: &[Ramp]| Some(usual(|ramp| ramp.makespan, ramps)? - usual(|ramp| ramp.cycles, ramps)?);
        let (short, long) = (together(at_short)?, together(at_long)?);
        Some((long / longest - (long - short) / blocks).max(0.0))
    }
}

/// The median of a number of each ramp.
fn usual(of: fn(&Ramp) -> f64, ramps: &[Ramp]) -> Option<f64> {
    median(&ramps.iter().map(of).collect::<Vec<_>>())
}

/// The width of the middle half of some values.
fn middle_half(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quarter = sorted.len().saturating_sub(1) / 4;
    sorted.get(sorted.len() * 3 / 4).map_or(0.0, |late| late - sorted[quarter])
}

fn cycles(ramps: &[Ramp]) -> Vec<f64> {
    ramps.iter().map(|ramp| ramp.cycles).collect()
}

/// The squared standard error of the values' mean; 0 of a single one.
fn squared_error(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    if count < 2.0 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0) / count
}
