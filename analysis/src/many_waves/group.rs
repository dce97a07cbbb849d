//! The waves that shared one compute unit: which groups of them tell the throughput, and their makespan.
// Long: the groups of waves, and the rules that leave readings out.

use std::collections::BTreeMap;

use gcn_model::isa::DependencyTracking;
use gcn_model::quantity::Cycles;

use super::group_tally::GroupTally;
use super::longest_code::LongestCode;
use super::placement::{ComputeUnit, HwIdLayout, Placement};
use super::ramps::Ramps;
use super::serial::{Serial, ServedGroup};
use crate::run::StoredReading;
use crate::settle::{DelayedRate, DropRule, Dropped, Sample, is_below_bound};
use crate::statistics::median;
use crate::tables::ascending;

/// Least share of the makespan in which all waves have to run.
pub(super) const COMMON_SHARE: f64 = 0.5;

/// Largest share of all waves whose readings may be called late; with more of them, the slow waves are no late readings
/// but how the device shares out its units, and all count.
const LATE_SHARE: f64 = 0.1;

/// Largest share of a group's readings that may be late: chance puts two of eight together now and then.
const LATE_SHARE_OF_GROUP: f64 = 0.25;

/// How many times wider than the widest gap between the others the gap before late readings is.
const LATE_GAP: f64 = 4.0;

/// Least such gap, shader cycles: six issue slots, as in the rule for single waves.
const LEAST_GAP: f64 = 24.0;

/// Makespans of the groups of a throughput experiment.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Makespans {
    /// One sample for each group used.
    pub samples: Vec<Sample>,
    /// The usual duration of the waves of each of these groups, from a wave's first reading to its last.
    pub durations: Vec<Sample>,
    /// Readings of each of them.
    pub readings: Vec<usize>,
    /// Readings dropped with their group or wave, by rule.
    pub dropped: Dropped,
    /// Makespans of the groups that were placed as asked, but not served evenly: they bound the throughput from below.
    pub uneven: Vec<Sample>,
    /// By how much longer the makespan's ramps, the time in which not all waves ran, are at the longest code than at the
    /// shortest, shader cycles per block; negative if shorter. The slope cancels ramps that are alike and is uncertain by what
    /// they differ.
    pub ramp_drift: f64,
    /// How far ramps that are alike in length may differ in the work that the waves do in them, shader cycles per block. A share of long ones;
    /// short ones change nothing that is seen, but of code that was lengthened.
    pub ramp_doubt: f64,
    /// Whether they are of code that was lengthened, of which there are few samples.
    pub is_lengthened: bool,
    /// Blocks per cycle that the waves do together if each keeps its own pace: more than that they do not do while all of them
    /// run. `None` where that is unknown.
    pub own_pace: Option<f64>,
    /// How many groups were used.
    pub tally: GroupTally,
}

/// One wave of a group.
struct Wave {
    place: Placement,
    begin: u64,
    end: u64,
}

/// Waves of a launch, length and pass on a compute unit.
struct Group {
    n: u32,
    waves: Vec<Wave>,
    /// Where the waves were that took less than they need to issue their code.
    impossible: Vec<Placement>,
    moved: bool,
}

/// Groups the waves by launch, length, pass and the compute unit where they ran, and takes each group's makespan: its
/// last reading minus its first. `shares_unit` tells whether waves wait for each other's unit. `least_block` is the minimum of a wave for a block,
/// shader cycles; `late` is how often the run's readings come late.
pub(super) fn makespans(
    code: &LongestCode<'_>,
    layout: HwIdLayout,
    (waves_per_simd, shares_unit): (u32, bool),
    least_block: f64,
    late: DelayedRate,
) -> Makespans {
    let (mut tally, mut dropped) = (GroupTally::default(), Dropped::default());
    let all = groups(&code.readings, layout, least_block, &mut dropped);
    let usable = usable(all.into_values(), waves_per_simd, layout, &mut tally, &mut dropped);
    let mut uneven = Vec::new();
    let may_be_serial = layout.generation.waves.dependency_tracking == DependencyTracking::Scoreboard;
    if let Some(serial) = may_be_serial.then(|| served_serially(&usable, layout.simds() as usize)).flatten() {
        return Makespans { is_lengthened: code.is_lengthened(), ..serial_makespans(&usable, serial, tally, dropped) };
    }
    let drop_late = late_readings_are_noise(&usable, late);
    let (mut samples, mut readings_of) = (Vec::new(), Vec::new());
    let mut ramps = Ramps::new(code.is_lengthened(), shares_unit);
    let mut durations: BTreeMap<u32, Vec<Vec<f64>>> = BTreeMap::new();
    let mut usual = Vec::new();
    for group in &usable {
        let keep = if drop_late { group.on_time() } else { vec![true; group.waves.len()] };
        let kept: Vec<&Wave> = group.waves.iter().zip(&keep).filter(|&(_, &keep)| keep).map(|(wave, _)| wave).collect();
        let Some((sample, common)) = makespan(group.n, &kept) else { continue };
        if common <= 0.0 {
            tally.not_concurrent += 1;
            dropped.add(DropRule::NotConcurrent, group.waves.len());
        } else if common < COMMON_SHARE * sample.cycles.0 {
            tally.uneven += 1;
            dropped.add(DropRule::Uneven, group.waves.len());
            uneven.push(sample);
        } else {
            let late = group.waves.len() - kept.len();
            tally.used += 1;
            tally.late_waves += late;
            tally.impossible_waves += group.impossible.len();
            dropped.add(DropRule::LateWave, late);
            if late == 0 && group.impossible.is_empty() {
                durations.entry(group.n).or_default().push(group.durations());
            }
            let of_waves: Vec<f64> = kept.iter().map(|wave| distance(wave.begin, wave.end)).collect();
            ramps.add(group.n, sample.cycles.0, common, &of_waves);
            usual.extend(median(&of_waves).map(|cycles| Sample { n: group.n, cycles: Cycles(cycles) }));
            samples.push(sample);
            readings_of.push(kept.len());
        }
    }
    Makespans {
        samples,
        durations: usual,
        readings: readings_of,
        dropped,
        uneven,
        ramp_drift: ramps.drift(),
        ramp_doubt: ramps.doubt(),
        is_lengthened: code.is_lengthened(),
        own_pace: own_pace(&durations),
        tally,
    }
}

/// The groups that ran where they were asked to, and as long as they need; the others are counted.
fn usable(
    groups: impl Iterator<Item = Group>,
    waves_per_simd: u32,
    layout: HwIdLayout,
    tally: &mut GroupTally,
    dropped: &mut Dropped,
) -> Vec<Group> {
    let mut usable: Vec<Group> = Vec::new();
    for group in groups {
        if group.moved {
            tally.moved += 1;
            dropped.add(DropRule::Moved, group.waves.len());
        } else if !group.is_placed(waves_per_simd, layout) {
            tally.misplaced += 1;
            tally.full += usize::from(group.is_full(waves_per_simd, layout));
            dropped.add(DropRule::Misplaced, group.waves.len());
        } else if group.impossible.len() > most_late(group.waves.len() + group.impossible.len()) {
            tally.below_bound += 1;
            dropped.add(DropRule::BelowBound, group.waves.len());
        } else {
            usable.push(group);
        }
    }
    usable
}

/// Loss of the groups if most of them had few waves running at a time, as a unit has that serves the oldest wave first.
fn served_serially(groups: &[Group], simds: usize) -> Option<Serial> {
    let is_serial = |group: &&Group| {
        let together = makespan(group.n, &group.waves.iter().collect::<Vec<_>>());
        together.is_some_and(|(sample, common)| common < COMMON_SHARE * sample.cycles.0)
    };
    let serial = groups.iter().filter(is_serial).count();
    let served = || groups.iter().filter_map(Group::served).collect::<Vec<_>>();
    (serial > 0 && 2 * serial >= groups.len()).then(|| Serial::of(&served(), simds)).flatten()
}

/// The makespans of such groups: all of them count, and the lost cycles are their ramps.
fn serial_makespans(groups: &[Group], serial: Serial, mut tally: GroupTally, dropped: Dropped) -> Makespans {
    let mut durations: BTreeMap<u32, Vec<Vec<f64>>> = BTreeMap::new();
    let mut samples = Vec::new();
    for group in groups {
        samples.extend(makespan(group.n, &group.waves.iter().collect::<Vec<_>>()).map(|(sample, _)| sample));
        if group.impossible.is_empty() {
            durations.entry(group.n).or_default().push(group.durations());
        }
        tally.impossible_waves += group.impossible.len();
    }
    (tally.used, tally.serial) = (samples.len(), samples.len());
    Makespans {
        readings: groups.iter().map(|group| group.waves.len()).collect(),
        samples,
        dropped,
        ramp_drift: serial.lost,
        ramp_doubt: serial.doubt,
        own_pace: own_pace(&durations),
        tally,
        ..Makespans::default()
    }
}

/// Blocks per cycle of all waves, each at the pace of its own duration: fastest with fastest, over the groups' medians, from
/// the shortest to the longest code, so that the cost of the readings cancels.
///
/// A wave has the unit to itself, or shares it with fewer, before the others begin and after they end. Its pace over the whole
/// is therefore not below its pace while all ran, and the sum bounds what all of them did then.
fn own_pace(durations: &BTreeMap<u32, Vec<Vec<f64>>>) -> Option<f64> {
    let ((short, at_short), (long, at_long)) = (durations.first_key_value()?, durations.last_key_value()?);
    if long <= short {
        return None;
    }
    let ranked = |groups: &[Vec<f64>]| -> Option<Vec<f64>> {
        let mut sorted = groups.to_vec();
        sorted.iter_mut().for_each(|durations| durations.sort_by(f64::total_cmp));
        let waves = sorted.first()?.len();
        let of_rank = |rank: usize| median(&sorted.iter().map(|durations| durations[rank]).collect::<Vec<_>>());
        (0..waves).map(of_rank).collect()
    };
    let (at_short, at_long) = (ranked(at_short)?, ranked(at_long)?);
    let blocks = f64::from(long - short);
    let paces = at_short.iter().zip(&at_long).map(|(short, long)| (long > short).then(|| blocks / (long - short)));
    paces.sum()
}

/// The groups by launch, length, pass and compute unit. Readings that are in no group, and impossible ones, are dropped.
fn groups(
    readings: &[StoredReading],
    layout: HwIdLayout,
    least_block: f64,
    dropped: &mut Dropped,
) -> BTreeMap<(u32, u32, u32, ComputeUnit), Group> {
    let mut groups: BTreeMap<(u32, u32, u32, ComputeUnit), Group> = BTreeMap::new();
    for reading in readings {
        let (place, place_end) = (layout.decode(reading.hw_id), layout.decode(reading.hw_id_end));
        let is_impossible = is_below_bound(reading, least_block);
        if is_impossible {
            dropped.add(DropRule::BelowBound, 1);
        } else if place != place_end {
            dropped.add(DropRule::Moved, 1);
        }
        for unit in [place.compute_unit, place_end.compute_unit] {
            let key = (reading.launch, reading.n, reading.pass, unit);
            let group = groups.entry(key).or_insert_with(|| Group {
                n: reading.n,
                waves: Vec::new(),
                impossible: Vec::new(),
                moved: false,
            });
            if place != place_end {
                // It ran on both for an unknown time.
                group.moved = true;
                continue;
            }
            if is_impossible {
                group.impossible.push(place);
            } else {
                group.waves.push(Wave { place, begin: reading.begin, end: reading.end });
            }
            break;
        }
    }
    groups
}

/// So many readings of a group may be late.
fn most_late(waves: usize) -> usize {
    (LATE_SHARE_OF_GROUP * waves as f64).ceil() as usize
}

impl Group {
    /// Whether each SIMD has the asked number of waves, each in a slot of its own.
    fn is_placed(&self, waves_per_simd: u32, layout: HwIdLayout) -> bool {
        let mut counts = vec![0; layout.simds() as usize];
        let places = self.waves.iter().map(|wave| wave.place).chain(self.impossible.iter().copied());
        let slots: Vec<Placement> = ascending(places);
        for place in &slots {
            // A place that the generation does not have is not where the wave was asked to be.
            let Some(count) = counts.get_mut(usize::from(place.simd)) else { return false };
            *count += 1;
        }
        slots.len() == self.waves.len() + self.impossible.len() && counts.iter().all(|&count| count == waves_per_simd)
    }

    /// Whether the waves that began before any ended are as many on each SIMD, fewer than asked, and began together.
    fn is_full(&self, waves_per_simd: u32, layout: HwIdLayout) -> bool {
        let Some(first) = self.waves.iter().map(|wave| wave.begin).min() else { return false };
        let Some(ended) = self.waves.iter().map(|wave| distance(first, wave.end)).min_by(f64::total_cmp) else {
            return false;
        };
        let early = || self.waves.iter().filter(|wave| distance(first, wave.begin) < ended);
        let mut counts = vec![0; layout.simds() as usize];
        for wave in early() {
            let Some(count) = counts.get_mut(usize::from(wave.place.simd)) else { return false };
            *count += 1;
        }
        let last = early().map(|wave| distance(first, wave.begin)).fold(0.0, f64::max);
        let each = counts.first().copied().unwrap_or(0);
        (1..waves_per_simd).contains(&each) && counts.iter().all(|&count| count == each) && last < ended / 2.0
    }

    /// The times of its waves, from the first reading.
    fn served(&self) -> Option<ServedGroup> {
        let first = self.waves.iter().map(|wave| wave.begin).min()?;
        let times =
            |wave: &Wave| (usize::from(wave.place.simd), distance(first, wave.begin), distance(first, wave.end));
        Some(ServedGroup { n: self.n, waves: self.waves.iter().map(times).collect() })
    }

    /// Durations of the waves, shader cycles.
    fn durations(&self) -> Vec<f64> {
        self.waves.iter().map(|wave| distance(wave.begin, wave.end)).collect()
    }

    /// The waves with readings that fit the group's: none is far behind all the others.
    ///
    /// The readings of waves that share a unit lie close together at both ends, though not evenly: who ends early
    /// leaves the others more turns. A late reading stands apart from all of that by a gap.
    fn on_time(&self) -> Vec<bool> {
        let Some(first) = self.waves.iter().map(|wave| wave.begin).min() else { return Vec::new() };
        let begins: Vec<f64> = self.waves.iter().map(|wave| distance(first, wave.begin)).collect();
        let ends: Vec<f64> = self.waves.iter().map(|wave| distance(first, wave.end)).collect();
        let (last_begin, last_end) = (last_on_time(&begins), last_on_time(&ends));
        begins.iter().zip(&ends).map(|(begin, end)| *begin <= last_begin && *end <= last_end).collect()
    }
}

/// The last of the readings before a gap far wider than those in their middle, and than that middle itself; at most
/// [`LATE_SHARE_OF_GROUP`] of them can be after it.
///
/// The first ones say nothing of that: waves that are served first may well end long before the others.
fn last_on_time(readings: &[f64]) -> f64 {
    let mut sorted = readings.to_vec();
    sorted.sort_by(f64::total_cmp);
    let most = most_late(sorted.len());
    let early = sorted.len().saturating_sub(most);
    let middle = sorted.get(most.min(early)..early).unwrap_or_default();
    let usual = middle.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    let width = middle.first().zip(middle.last()).map_or(0.0, |(first, last)| last - first);
    let gap = (LATE_GAP * usual).max(width).max(LEAST_GAP);
    let late = (early.max(1)..sorted.len()).find(|&late| sorted[late] - sorted[late - 1] > gap);
    late.map_or(f64::INFINITY, |late| sorted[late - 1])
}

/// Whether readings after a gap are late readings, not waves that the device serves less.
///
/// A late reading is rare, and as late after short code as after long code. A wave that gets fewer turns falls back
/// in proportion to the code's length, and dropping it would make the unit look faster than it is.
fn late_readings_are_noise(groups: &[Group], rate: DelayedRate) -> bool {
    let waves: usize = groups.iter().map(|group| group.waves.len()).sum();
    let late: usize = groups.iter().map(|group| group.on_time().iter().filter(|&&keep| !keep).count()).sum();
    // The rule above may drop a single wave of a small group.
    if late as f64 > (LATE_SHARE * waves as f64).max(groups.len() as f64 / 2.0).min(rate.most_late(waves)) {
        return false;
    }
    let mut excesses: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for group in groups {
        let (durations, keep) = (group.durations(), group.on_time());
        let Some(usual) = median(&durations) else { continue };
        let late = durations.iter().zip(&keep).filter(|&(duration, keep)| !keep && *duration > usual);
        excesses.entry(group.n).or_default().extend(late.map(|(duration, _)| duration - usual));
    }
    let (Some((&short, at_short)), Some((&long, at_long))) = (excesses.first_key_value(), excesses.last_key_value())
    else {
        return true;
    };
    match (median(at_short), median(at_long)) {
        (Some(at_short), Some(at_long)) if 0 < short && short < long => {
            let ratio = f64::from(long) / f64::from(short);
            // Halfway between "the same" and "in proportion".
            at_long / at_short <= f64::midpoint(1.0, ratio)
        }
        // A wave that falls back does so at every length.
        _ => true,
    }
}

/// The makespan, and the time for which all waves ran, shader cycles (negative if they never did).
fn makespan(n: u32, waves: &[&Wave]) -> Option<(Sample, f64)> {
    let first = waves.iter().map(|wave| wave.begin).min()?;
    let last = waves.iter().map(|wave| wave.end).max()?;
    let all_began = waves.iter().map(|wave| wave.begin).max()?;
    let one_ended = waves.iter().map(|wave| wave.end).min()?;
    Some((Sample { n, cycles: Cycles(distance(first, last)) }, distance(all_began, one_ended)))
}

/// Shader cycles from one reading to another, negative if the other is earlier.
fn distance(from: u64, to: u64) -> f64 {
    to.wrapping_sub(from).cast_signed() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_that_end_early_hide_no_late_reading() {
        // The ends of ten waves on each SIMD, as the simulator had them: two are done long before the others.
        let mut ends = vec![0.0, 6.0, 840.0, 900.0];
        ends.extend((0..36).map(|wave| 1320.0 + 4.0 * f64::from(wave)));
        assert_eq!(last_on_time(&ends), f64::INFINITY);
        ends[5] += 2600.0;
        assert_eq!(last_on_time(&ends), 1460.0);
    }

    #[test]
    fn the_last_of_a_dense_group_is_not_late() {
        let mut ends: Vec<f64> = (0..39).map(|wave| 10.0 * f64::from(wave)).collect();
        ends.push(380.0 + 160.0);
        assert_eq!(last_on_time(&ends), f64::INFINITY);
        ends[39] += 100.0;
        assert_eq!(last_on_time(&ends), 380.0);
    }

    #[test]
    fn waves_that_end_in_sequence_are_not_late() {
        let ends: Vec<f64> = (0..40).map(|wave| 700.0 * f64::from(wave)).collect();
        assert_eq!(last_on_time(&ends), f64::INFINITY);
        assert_eq!(last_on_time(&[]), f64::INFINITY);
        assert_eq!(last_on_time(&[5.0]), f64::INFINITY);
    }
}
