//! Waves that a unit serves one after the other: how much of their makespan is lost to the unit.
//!
//! RDNA serves the oldest wave first. It runs as fast as alone, the next one takes what it leaves, and few waves run at the end. The makespan is
//! still that of all their work, as far as the waves that run can keep the unit busy.

use super::group::{Group, distance};
use crate::statistics::median;

/// Largest share of a makespan that may be lost: with more, the number says little of the unit.
const LOST_SHARE: f64 = 0.5;

/// The part of such groups' makespans that grows with the code.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Serial {
    /// Shader cycles per block in which the waves that ran could not keep the unit busy.
    pub lost: f64,
}

impl Serial {
    /// The cycles per block, from the shortest code to the longest; `None` where that cannot be told, or where more than half is lost.
    pub(super) fn of(groups: &[Group], simds: usize) -> Option<Self> {
        let (short, long) = (groups.iter().map(|group| group.n).min()?, groups.iter().map(|group| group.n).max()?);
        let per_block = |value: &dyn Fn(&Group) -> f64| {
            let of = |n| median(&groups.iter().filter(|group| group.n == n).map(|it| value(it)).collect::<Vec<_>>());
            (long > short).then(|| Some((of(long)? - of(short)?) / f64::from(long - short))).flatten()
        };
        let makespan = per_block(&Group::makespan)?;
        let fastest = per_block(&|group| group.durations().into_iter().fold(f64::INFINITY, f64::min))?;
        let waves_per_simd = groups.iter().map(|group| group.waves.len()).max()? as f64 / simds as f64;
        // Of what a SIMD does of the unit's work, a wave at the fastest wave's pace does this share.
        let share = makespan / fastest / waves_per_simd;
        let lost = per_block(&|group| group.lost(share, simds))?.max(0.0);
        (makespan > 0.0 && fastest > 0.0 && lost <= LOST_SHARE * makespan).then_some(Self { lost })
    }
}

impl Group {
    /// From the first reading to the last, shader cycles.
    fn makespan(&self) -> f64 {
        let Some(first) = self.waves.iter().map(|wave| wave.begin).min() else { return 0.0 };
        self.waves.iter().map(|wave| distance(first, wave.end)).fold(0.0, f64::max)
    }

    /// The cycles of the makespan that are lost if a wave does a share of what its SIMD can do.
    fn lost(&self, share: f64, simds: usize) -> f64 {
        let mut events: Vec<(f64, usize, f64)> = Vec::new();
        let Some(first) = self.waves.iter().map(|wave| wave.begin).min() else { return 0.0 };
        for wave in &self.waves {
            let simd = usize::from(wave.place.simd).min(simds - 1);
            events.push((distance(first, wave.begin), simd, 1.0));
            events.push((distance(first, wave.end), simd, -1.0));
        }
        events.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (mut running, mut before, mut lost) = (vec![0.0; simds], 0.0, 0.0);
        for (at, simd, change) in events {
            let busy = running.iter().map(|waves: &f64| (waves * share).min(1.0)).sum::<f64>() / simds as f64;
            lost += (at - before) * (1.0 - busy);
            before = at;
            running[simd] += change;
        }
        lost
    }
}
