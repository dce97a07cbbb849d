//! Waves that a unit serves in sequence: how much of their makespan is lost to the unit.
//!
//! RDNA serves the oldest wave first (traces of gfx1151 and gfx1200); no figure of GCN or CDNA shows that. It runs as fast as alone, the next one takes what it leaves, and few waves run at the end. The makespan is
//! still that of all their work, as far as the waves that run can keep the unit busy.

use super::ramps::WORK;
use crate::settle::THROUGHPUT_RESOLUTION;
use crate::statistics::median;

/// Waves that shared a compute unit.
pub(super) struct ServedGroup {
    pub n: u32,
    /// SIMD, begin and end of each wave, shader cycles from the first reading.
    pub waves: Vec<(usize, f64, f64)>,
}

/// Largest share of a makespan that may be lost, or go by until all waves are launched: with more, the number says little of the unit.
const LOST_SHARE: f64 = 0.5;

/// The part of such groups' makespans that grows with the code.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Serial {
    /// Shader cycles per block in which the waves that ran could not keep the unit busy.
    pub lost: f64,
    /// Shader cycles per block that the unit may have worked for waves that only warm up, before the last one began, and by which it may
    /// have worked more or less between two waves.
    pub doubt: f64,
}

/// How often the share of a wave is worked out again; it settles after a few times.
const ROUNDS: usize = 20;

impl Serial {
    /// The cycles per block, from the shortest code to the longest; `None` where that is unknown, or where more than half is lost.
    pub(super) fn of(groups: &[ServedGroup], simds: usize) -> Option<Self> {
        let (short, long) = (groups.iter().map(|group| group.n).min()?, groups.iter().map(|group| group.n).max()?);
        let of = |n, value: &dyn Fn(&ServedGroup) -> f64| {
            median(&groups.iter().filter(|group| group.n == n).map(value).collect::<Vec<_>>())
        };
        let per_block = |value: &dyn Fn(&ServedGroup) -> f64| {
            (long > short).then(|| Some((of(long, value)? - of(short, value)?) / f64::from(long - short))).flatten()
        };
        let makespan = per_block(&ServedGroup::makespan)?;
        let fastest = per_block(&ServedGroup::fastest)?;
        let waves_per_simd = groups.iter().map(|group| group.waves.len()).max()? as f64 / simds as f64;
        // Of what a SIMD does of the unit's work, a wave at the fastest wave's pace does this share; the unit works in what is not
        // lost.
        let lost_by = |lost: f64| {
            let share = (makespan - lost) / fastest / waves_per_simd;
            per_block(&|group| group.lost(share, simds)).map(|lost| lost.min(makespan))
        };
        let lost = (0..ROUNDS).try_fold(0.0, |lost, _| lost_by(lost))?;
        // More lost after short code: launches came late there, and the slope is too small.
        let is_grown = lost >= -THROUGHPUT_RESOLUTION * makespan;
        let [begin, later] = [of(short, &ServedGroup::last_begin)?, of(long, &ServedGroup::last_begin)?];
        // Waves that wait for others begin in proportion to the code; those that are launched late do not.
        let is_launched_late = begin > LOST_SHARE * of(short, &ServedGroup::makespan)?
            && later < f64::midpoint(1.0, f64::from(long) / f64::from(short)) * begin;
        // A share of what the unit did before the last wave began, it did for waves that only warmed up.
        let late = WORK * later;
        // The next wave has done some of its code in the gaps of the one before, and finds it fetched or not: at each length another
        // part of what a wave needs besides its blocks.
        let besides = (of(short, &ServedGroup::fastest)? - f64::from(short) * fastest).max(0.0);
        let between = 2.0 * WORK * besides * (waves_per_simd - 1.0);
        let doubt = (late + between) / f64::from(long - short);
        (makespan > 0.0 && fastest > 0.0 && is_grown && !is_launched_late && lost <= LOST_SHARE * makespan)
            .then_some(Self { lost: lost.max(0.0), doubt })
    }
}

impl ServedGroup {
    /// From the first reading to the last, shader cycles.
    fn makespan(&self) -> f64 {
        self.waves.iter().map(|(_, _, end)| *end).fold(0.0, f64::max)
    }

    /// The last wave's begin, from the first reading, shader cycles.
    fn last_begin(&self) -> f64 {
        self.waves.iter().map(|(_, begin, _)| *begin).fold(0.0, f64::max)
    }

    /// The time of the fastest wave.
    fn fastest(&self) -> f64 {
        self.waves.iter().map(|(_, begin, end)| end - begin).fold(f64::INFINITY, f64::min)
    }

    /// The cycles of the makespan that are lost if a wave does a share of what its SIMD can do.
    fn lost(&self, share: f64, simds: usize) -> f64 {
        let events = self.waves.iter().flat_map(|(simd, begin, end)| [(*begin, *simd, 1.0), (*end, *simd, -1.0)]);
        let mut events: Vec<(f64, usize, f64)> = events.collect();
        events.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (mut running, mut before, mut lost) = (vec![0.0; simds], 0.0, 0.0);
        for (at, simd, change) in events {
            let busy = running.iter().map(|waves: &f64| (waves * share).min(1.0)).sum::<f64>() / simds as f64;
            lost += (at - before) * (1.0 - busy);
            before = at;
            running[simd.min(simds - 1)] += change;
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of two SIMDs whose waves of n blocks have these begins and ends per block.
    fn groups(waves: &[(f64, f64)]) -> Vec<ServedGroup> {
        let of = |n: u32| {
            let times = |&(begin, end): &(f64, f64)| (begin * f64::from(n), end * f64::from(n));
            let on = |simd| waves.iter().map(times).map(move |(begin, end)| (simd, begin, end));
            ServedGroup { n, waves: on(0).chain(on(1)).collect() }
        };
        vec![of(10), of(20)]
    }

    #[test]
    fn nothing_is_lost_where_one_wave_keeps_the_unit_busy() {
        let one_after_the_other = groups(&[(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]);
        assert_eq!(Serial::of(&one_after_the_other, 2), Some(Serial { lost: 0.0, doubt: 0.5 }));
        let begun_together = groups(&[(0.0, 1.0), (0.0, 2.0), (0.0, 3.0)]);
        assert_eq!(Serial::of(&begun_together, 2), Some(Serial { lost: 0.0, doubt: 0.0 }));
    }

    #[test]
    fn cycles_are_lost_where_the_last_wave_leaves_the_unit_half_idle() {
        // Two waves fill the unit in four cycles a block; the third one has it alone, and needs as long.
        let groups = groups(&[(0.0, 4.0), (0.0, 4.0), (4.0, 8.0)]);
        let lost = Serial::of(&groups, 2).unwrap().lost;
        assert!((lost - 2.0).abs() < 0.01, "{lost}");
    }

    #[test]
    fn a_pair_that_is_left_for_the_end_leaves_two_thirds_idle() {
        // S_GETREG_B32 of RDNA: a wave issues it every six cycles, and the unit every cycle.
        let waves: Vec<_> = [(0.0, 24.0); 6].into_iter().chain([(6.0, 48.0); 2]).collect();
        let lost = Serial::of(&groups(&waves), 2).unwrap().lost;
        assert!((lost - 16.0).abs() < 0.1, "{lost}");
    }

    #[test]
    fn waves_that_take_over_may_do_more_or_less_of_their_overhead() {
        let of = |n: u32, overhead: f64| {
            let end = |wave: u32| 4.0 * f64::from(n * wave) + overhead;
            ServedGroup { n, waves: (1..=4).map(|wave| (0, 0.0, end(wave))).collect() }
        };
        let groups = [of(32, 75.0), of(64, 75.0)];
        let doubt = Serial::of(&groups, 1).unwrap().doubt;
        assert_eq!(doubt, 2.0 * WORK * 75.0 * 3.0 / 32.0);
    }

    #[test]
    fn waves_that_are_launched_late_say_nothing() {
        let of = |n: u32| ServedGroup {
            n,
            waves: (0..4)
                .map(|wave| (0, 512.0 * f64::from(wave), 512.0 * f64::from(wave) + 40.0 * f64::from(n)))
                .collect(),
        };
        assert_eq!(Serial::of(&[of(32), of(64)], 1), None);
    }

    #[test]
    fn most_of_the_time_is_not_lost() {
        assert_eq!(Serial::of(&groups(&[(0.0, 1.0), (9.0, 10.0)]), 2), None, "nothing ran in between");
    }
}
