//! The throughput of an instruction, from all numbers of waves together.
//!
//! Waves share a unit: w of them do as much as w times one of them, until the unit can do no more. So with more waves the throughput
//! never falls, a wave never does more than alone, and from some number of waves on it is the unit's. Rows that fit these rules decide
//! together; a single row that is spoiled is outvoted. Two rows that agree are the unit's rate, however many others are above them. So is
//! a row of several waves that do no more together than one of them at its own pace, and a row that does all that units can.

use gcn_model::quantity::{Cycles, InstructionsPerCycle};

use super::settled::{Plateau, Settled};
use super::throughput::ThroughputRow;
use crate::settle::{SAME_THROUGHPUT, Status, THROUGHPUT_RESOLUTION, VAGUE_THROUGHPUT};
use crate::tables::Measured;

/// What no number of waves can exceed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Cycles of a wave that is alone, if they are known.
    pub(crate) cycles: Option<Measured<Cycles>>,
    /// SIMDs of a compute unit.
    pub(crate) simds: u32,
    /// Units that execute the instruction, of which each takes one in `least` cycles; absent where they may take more.
    pub(crate) units: Option<u32>,
    /// The cycles that no instruction takes less than.
    pub(crate) least: Cycles,
}

impl Limits {
    /// Instructions per cycle and compute unit of this many waves on each SIMD, at most.
    fn of_waves(&self, waves: u32) -> f64 {
        let alone = self.cycles.map_or(self.least.0, |cycles| cycles.low.0.max(self.least.0));
        (f64::from(self.simds * waves) / alone).min(self.of_units().unwrap_or(f64::INFINITY))
    }

    /// Instructions per cycle and compute unit of all units, at most.
    fn of_units(&self) -> Option<f64> {
        self.units.map(|units| f64::from(units) / self.least.0)
    }

    /// Whether a row of several waves does as much as one wave on each SIMD at its own pace: then they wait for a unit.
    fn is_pace_of_one(&self, row: &Settled) -> bool {
        let pace = self.cycles.map(|cycles| f64::from(self.simds) / cycles.value.0);
        row.waves > 1 && row.is_close() && pace.is_some_and(|pace| row.holds(pace, SAME_THROUGHPUT * row.value))
    }
}

/// The combined statement of an instruction's rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Capacity {
    /// Instructions per cycle and compute unit; for a lower bound, the interval reaches up to the waves' own limit.
    pub(crate) throughput: Measured<InstructionsPerCycle>,
    /// The fewest waves on a SIMD that reach it.
    pub(crate) waves_per_simd: u32,
    /// Whether numbers of waves that did not settle might reach more.
    pub(crate) undecided: Option<String>,
    /// Whether more waves than were tried might reach more: no two numbers of waves reached the same.
    pub(crate) is_least: bool,
}

impl Capacity {
    /// The combined rows of an instruction in a form; `None` if none of them settled.
    pub(crate) fn of(rows: &[&ThroughputRow], limits: &Limits) -> Option<Self> {
        let bound = |waves: u32| limits.of_waves(waves);
        let settled: Vec<Settled> = rows.iter().filter_map(|row| Settled::of(row, bound(row.waves_per_simd))).collect();
        let is_tried =
            |row: &&&ThroughputRow| !row.does_not_fit && !matches!(row.status, Status::Unsupported | Status::Skipped);
        let tried = rows.iter().filter(is_tried);
        let most = tried.map(|row| row.waves_per_simd).max()?;
        let plateau = Plateau::of(&settled);
        let (above, candidates): (Vec<Settled>, Vec<Settled>) =
            settled.iter().partition(|row| plateau.is_some_and(|plateau| plateau.is_exceeded_by(row)));
        let same = candidates.iter().map(|row| Same::of(*row, &settled)).min_by(Same::compare)?;
        let fewest = same.rows.iter().map(|row| row.waves).min()?;
        let reaches_most = same.rows.iter().any(|row| row.waves == most && !row.is_vague());
        let reaches_units = limits.of_units().is_some_and(|most| same.reaches(most));
        let is_flat = same.is_flat() || limits.is_pace_of_one(&same.centre) || reaches_units;
        let of_bound = bound(fewest);
        // Nothing but the row itself says so: neither another number of waves nor what each wave needs alone.
        let is_confirmed = is_flat || same.centre.is_at(of_bound);
        let mut throughput = same.together(if is_confirmed { 0.0 } else { THROUGHPUT_RESOLUTION }, bound(most));
        let width = (throughput.high.0 - throughput.low.0) / 2.0;
        let is_sharp = same.centre.is_sharp();
        // No wave does more than alone, and the row's interval holds all waves at that pace: this limits the interval.
        let bounds = [1.0 - THROUGHPUT_RESOLUTION, 1.0 + THROUGHPUT_RESOLUTION].map(|share| share * of_bound);
        let holds_bound = same.centre.high >= bounds[0] && same.centre.low <= bounds[1];
        // Waves at their own pace show no unit, nor does a lone wave that loses some in its loop: how much it does, rows of more waves tell.
        let is_multiple = |row: &Settled| {
            let of_each = row.value * f64::from(fewest) / f64::from(row.waves);
            row.waves < fewest && same.centre.holds(of_each, THROUGHPUT_RESOLUTION * same.centre.value)
        };
        let shows_unit = reaches_units || same.rows.iter().any(|row| row.is_sharp() && limits.is_pace_of_one(row));
        let of_more = same.most_of_more(fewest).min(bound(most));
        let is_more = of_more > throughput.high.0 * (1.0 + THROUGHPUT_RESOLUTION);
        let is_own_pace = fewest == 1 || holds_bound || settled.iter().any(is_multiple);
        if is_more && !shows_unit && is_own_pace {
            throughput.high.0 = of_more;
        }
        let why = if !reaches_most && !is_flat {
            Some(format!("on {most} waves it did not settle, and no two numbers of waves agree"))
        } else if !is_confirmed && !is_sharp && !holds_bound {
            Some(format!("nothing confirms the throughput of {fewest} waves"))
        } else if above.len() > 1 || width > VAGUE_THROUGHPUT * throughput.value.0 {
            Some("the numbers of waves contradict each other".to_owned())
        } else {
            None
        };
        Some(match why {
            None => Self { throughput, waves_per_simd: fewest, undecided: None, is_least: !is_flat },
            Some(why) => Self::at_least(&candidates, bound(most), &why)?,
        })
    }

    /// The largest throughput that is sure, where more is possible.
    fn at_least(settled: &[Settled], bound: f64, why: &str) -> Option<Self> {
        // Two rows say it: one alone may be spoiled, unless its readings are all alike.
        let mut lows: Vec<&Settled> = settled.iter().collect();
        lows.sort_by(|a, b| b.low.total_cmp(&a.low));
        let sure = lows.get(1).or(lows.first().filter(|row| row.is_sharp()))?;
        let high = bound.max(sure.high);
        let waves = settled.iter().filter(|row| row.low >= sure.low).map(|row| row.waves).min();
        Some(Self {
            throughput: Measured { value: sure.value, low: sure.low, high }.map(InstructionsPerCycle),
            waves_per_simd: waves.unwrap_or(sure.waves),
            undecided: Some(format!("at least {:.4}: {why}", sure.low)),
            is_least: false,
        })
    }

    /// The same for instructions that take `charge` longer back to back than between others, as the front end has it: waves that do no
    /// more than that leaves them do not show what the unit can do. It is what they do without the charge, as far as more waves allow.
    pub(crate) fn with_charge(mut self, charge: f64, limits: &Limits, rows: &[&ThroughputRow]) -> Self {
        let Some(cycles) = limits.cycles else { return self };
        let charged = f64::from(limits.simds * self.waves_per_simd) / (cycles.value.0 + charge);
        if (self.throughput.value.0 - charged).abs() <= SAME_THROUGHPUT * charged {
            let more = rows.iter().filter(|row| row.waves_per_simd > self.waves_per_simd);
            let of_more = more.filter_map(|row| row.throughput).map(|found| found.high.0).reduce(f64::max);
            let without = limits.of_waves(self.waves_per_simd).min(of_more.unwrap_or(f64::INFINITY));
            self.throughput.high = InstructionsPerCycle(self.throughput.high.0.max(without));
        }
        self
    }

    /// Whether more launches can make it narrower than published figures are resolved.
    pub(crate) fn is_open(&self) -> bool {
        let Measured { value, low, high } = self.throughput;
        self.undecided.is_some() || (high.0 - low.0) / 2.0 > THROUGHPUT_RESOLUTION * value.0
    }
}

/// Rows that say the same as one of them, and how many contradict that.
struct Same {
    centre: Settled,
    rows: Vec<Settled>,
    contradicting: Vec<Settled>,
}

impl Same {
    fn of(centre: Settled, all: &[Settled]) -> Self {
        let near = SAME_THROUGHPUT * centre.value;
        let is_same = |row: &Settled| row.holds(centre.value, near);
        let (rows, others): (Vec<Settled>, Vec<Settled>) = all.iter().partition(|row| is_same(row));
        let fewest = rows.iter().map(|row| row.waves).min().unwrap_or(centre.waves);
        // Fewer waves do less, each of them not less than where there are more of them.
        let is_below = |row: &Settled| {
            let least = centre.value * f64::from(row.waves) / f64::from(fewest);
            row.waves < fewest && row.low < centre.value && row.high >= least * (1.0 - THROUGHPUT_RESOLUTION)
        };
        let contradicting = others.into_iter().filter(|row| !is_below(row)).collect();
        Self { centre, rows, contradicting }
    }

    /// Whether several rows say the same: two of them closely, or three that are hardly apart.
    fn is_flat(&self) -> bool {
        let is_near = |row: &&Settled| !row.is_vague() && row.is_at(self.centre.value);
        self.rows.iter().filter(|row| row.is_close()).count() > 1 || self.rows.iter().filter(is_near).count() > 2
    }

    /// The most that all rows of more than some waves allow; 0 without such a row.
    fn most_of_more(&self, waves: u32) -> f64 {
        self.rows.iter().filter(|row| row.waves > waves).map(|row| row.high).reduce(f64::min).unwrap_or(0.0)
    }

    /// Whether it is closely that many instructions per cycle.
    fn reaches(&self, most: f64) -> bool {
        self.centre.width() / 2.0 <= THROUGHPUT_RESOLUTION * most && self.centre.is_at(most)
    }

    /// The better of two: fewer rows contradict it, more say the same, and they say so more closely.
    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        let apart = |same: &Self| {
            let away = |row: &Settled| (row.value - same.centre.value).abs() + row.width() / 4.0;
            same.rows.iter().map(away).sum::<f64>()
        };
        let by_votes = self.contradicting.len().cmp(&other.contradicting.len());
        let by_rows = by_votes.then(other.rows.len().cmp(&self.rows.len()));
        let by_distance = by_rows.then(apart(self).total_cmp(&apart(other)));
        by_distance
            .then(self.centre.width().total_cmp(&other.centre.width()))
            .then(other.centre.waves.cmp(&self.centre.waves))
    }

    /// The interval of the closest row, widened to touch those of the others; each end `doubt` further out, and none above the pace of
    /// the waves could do at most.
    fn together(&self, doubt: f64, bound: f64) -> Measured<InstructionsPerCycle> {
        let value = self.centre.value;
        let closest = self.rows.iter().min_by(|a, b| a.width().total_cmp(&b.width())).unwrap_or(&self.centre);
        let all = || self.rows.iter().chain(&self.contradicting);
        let low = all().map(|row| row.high).fold(closest.low.min(value), f64::min) - doubt * value;
        let high = all().map(|row| row.low).fold(closest.high.max(value), f64::max) + doubt * value;
        Measured { value, low: low.max(0.0), high: high.min(bound).max(value) }.map(InstructionsPerCycle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { cycles: None, simds: 4, units: None, least: Cycles(4.0) };

    fn of(rows: &[(u32, Option<(f64, f64)>)], cycles: f64) -> Capacity {
        with(rows, &Limits { cycles: Some(Measured::exactly(Cycles(cycles))), ..LIMITS }).expect("a row that settled")
    }

    fn with(rows: &[(u32, Option<(f64, f64)>)], limits: &Limits) -> Option<Capacity> {
        Capacity::of(&ThroughputRow::examples(rows).iter().collect::<Vec<_>>(), limits)
    }

    #[test]
    fn a_row_that_contradicts_the_others_is_outvoted() {
        let rows = [(1, Some((1.0, 0.01))), (2, Some((1.0, 0.01))), (4, Some((3.4, 0.01))), (8, Some((1.0, 0.01)))];
        let found = of(&rows, 4.0);
        assert_eq!((found.throughput.value.0, found.waves_per_simd), (1.0, 1));
        assert_eq!(found.throughput.numbers()[1..], [0.99, 8.0], "so far from them, it leaves no more than a bound");
        assert!(found.undecided.is_some_and(|why| why.contains("contradict each other")));
        let near = [(1, Some((1.0, 0.0))), (2, Some((1.0, 0.0))), (4, Some((1.0008, 0.0))), (8, Some((1.0, 0.0)))];
        let found = of(&near, 4.0);
        assert_eq!(found.throughput.numbers(), [1.0, 1.0, 1.0008]);
        assert_eq!(found.undecided, None);
    }

    #[test]
    fn waves_that_the_front_end_charges_bound_the_unit() {
        let rows = [(1, Some((4.0 / 24.5, 0.0))), (2, Some((0.163, 0.001)))];
        let limits = Limits { cycles: Some(Measured::exactly(Cycles(24.0))), ..LIMITS };
        let found = of(&rows, 24.0);
        assert!(found.throughput.high.0 < 0.1634, "{found:?}");
        let with_charge = |second: f64, width: f64| {
            let rows = ThroughputRow::examples(&[(1, Some((4.0 / 24.5, 0.0))), (2, Some((second, width)))]);
            found.clone().with_charge(0.5, &limits, &[&rows[0], &rows[1]]).throughput.high.0
        };
        assert_eq!(
            with_charge(0.163, 0.01),
            4.0 / 24.0,
            "as far as the second row allows, and no more than the waves can"
        );
        assert_eq!(with_charge(4.0 / 24.5, 0.0), 4.0 / 24.5, "two waves do as much: the unit does no more");
    }

    #[test]
    fn fewer_waves_that_do_less_contradict_nothing() {
        let rows = [(1, Some((0.25, 0.0))), (2, Some((0.5, 0.0))), (4, Some((1.0, 0.0))), (8, Some((1.0, 0.0)))];
        let found = of(&rows, 16.0);
        assert_eq!((found.throughput.numbers(), found.waves_per_simd, found.is_least), ([1.0; 3], 4, false));
    }

    #[test]
    fn wide_rows_of_more_waves_do_not_end_what_waves_do_at_their_own_pace() {
        let own = |waves: u32| (waves, Some((f64::from(waves) / 3.0, 0.0)));
        let found = of(&[own(1), own(2), own(4), (8, Some((1.6, 0.3))), (16, Some((1.65, 0.34)))], 12.0);
        let [value, low, high] = found.throughput.numbers();
        assert!(
            ((value, low), found.waves_per_simd) == ((4.0 / 3.0, 4.0 / 3.0), 4) && (high - 1.9).abs() < 1e-9,
            "{found:?}"
        );
        // One wave alone loses a thirtieth in its loop.
        let found = of(&[(1, Some((0.0604, 0.0))), (2, Some((0.061, 0.003))), (4, Some((0.062, 0.003)))], 64.0);
        assert!((found.throughput.value.0, found.throughput.high.0 >= 0.0625) == (0.0604, true), "{found:?}");
        let found = of(&[own(1), own(2), own(4), (8, Some((1.34, 0.01)))], 12.0);
        assert!(found.throughput.high.0 < 1.36, "a close one does: {found:?}");
    }

    #[test]
    fn a_bound_is_stated_if_the_deciding_number_of_waves_is_unstable() {
        let found = of(&[(1, Some((0.5, 0.01))), (2, Some((0.9, 0.01))), (4, None)], 8.0);
        assert!(found.undecided.as_ref().is_some_and(|why| why.starts_with("at least 0.49")), "{found:?}");
        assert_eq!(found.throughput.high.0, 2.0, "four waves of 8 cycles on each of four SIMDs");
        // Two numbers of waves that say the same decide without the third.
        assert_eq!(of(&[(1, Some((0.5, 0.0))), (2, Some((0.5, 0.0))), (4, None)], 8.0).undecided, None);
    }

    #[test]
    fn a_single_row_in_noise_is_not_even_a_bound() {
        assert_eq!(with(&[(2, Some((1.9, 0.1))), (4, None)], &LIMITS), None);
        assert_eq!(with(&[(1, Some((0.3, 0.02)))], &LIMITS), None);
    }

    #[test]
    fn a_single_row_is_doubted_unless_the_cycles_confirm_it() {
        assert_eq!(of(&[(1, Some((0.5, 0.0)))], 8.0).throughput.numbers(), [0.5; 3]);
        let [value, low, high] = of(&[(1, Some((0.4, 0.0)))], 8.0).throughput.numbers();
        assert!(value == 0.4 && (low - 0.392).abs() < 1e-9 && (high - 0.408).abs() < 1e-9, "{low} to {high}");
    }

    #[test]
    fn no_row_is_above_what_its_waves_can_issue() {
        let found = of(&[(1, Some((0.5, 0.0))), (2, Some((1.7, 0.1))), (4, Some((0.5, 0.0)))], 8.0);
        assert_eq!(found.throughput.numbers(), [0.5; 3]);
    }

    #[test]
    fn waves_that_do_all_that_units_can_decide() {
        let rows = [(1, Some((0.8421, 0.0))), (2, Some((1.0, 0.0))), (4, None)];
        let of = |units| with(&rows, &Limits { units, ..LIMITS }).unwrap();
        assert_eq!((of(Some(4)).undecided, of(Some(4)).throughput.numbers()), (None, [1.0, 1.0, 1.0]));
        assert!(of(None).undecided.is_some(), "more waves may do more");
    }

    #[test]
    fn waves_that_do_no_more_than_one_at_its_own_pace_decide() {
        // One wave alone loses a fifth in its loop.
        let rows = [(1, Some((0.4, 0.0005))), (2, Some((0.5, 0.026))), (4, None)];
        assert_eq!((of(&rows, 8.0).undecided, of(&rows, 8.0).throughput.value.0), (None, 0.5));
        assert!(of(&rows, 4.0).undecided.is_some(), "each could do twice as much");
        assert!(of(&[(1, Some((0.5, 0.0))), (2, None)], 8.0).undecided.is_some(), "a lone wave always does");
    }

    #[test]
    fn three_rows_decide_though_each_is_wide() {
        let rows = [(1, Some((0.25, 0.03))), (2, Some((0.25, 0.03))), (4, Some((0.2505, 0.03)))];
        assert_eq!(of(&rows, 4.0).undecided, None);
        assert!(of(&rows[..2], 4.0).undecided.is_some());
        // One that is exact is as good as the wide ones beside it.
        let exact = [(1, Some((0.25, 0.0))), (2, Some((0.25, 0.03)))];
        let found = of(&exact, 4.0);
        assert_eq!((found.undecided, found.throughput.value.0, found.waves_per_simd), (None, 0.25, 1));
    }

    #[test]
    fn one_row_above_two_that_agree_is_outvoted() {
        let rows =
            [(1, Some((0.99, 0.01))), (2, Some((1.0022, 0.01))), (4, Some((1.0001, 0.01))), (8, Some((1.04, 0.06)))];
        let found = of(&[&rows[..], &[(10, Some((1.0677, 0.0182)))]].concat(), 4.0);
        assert!((found.throughput.value.0 - 1.0).abs() < 0.01 && found.undecided.is_none(), "{found:?}");
    }

    #[test]
    fn rows_above_two_that_agree_leave_a_bound() {
        let rows =
            [(1, 1.0), (2, 1.0), (4, 1.2864), (8, 1.3885), (10, 1.3943)].map(|(waves, at)| (waves, Some((at, 0.002))));
        let found = of(&rows, 4.0);
        assert!(found.undecided.as_ref().is_some_and(|why| why.starts_with("at least 0.99")), "{found:?}");
    }

    #[test]
    fn a_bound_ends_where_the_units_do() {
        let rows = [(1, Some((0.57, 0.0))), (2, None), (8, Some((0.6, 0.3)))];
        let highest = |units| {
            let found = with(&rows, &Limits { units, ..LIMITS }).unwrap();
            assert!(found.undecided.is_some(), "{found:?}");
            found.throughput.high.0
        };
        assert_eq!((highest(None), highest(Some(4))), (8.0, 1.0));
    }

    #[test]
    fn a_vague_row_of_the_most_waves_confirms_nothing() {
        let found = of(&[(1, Some((0.57, 0.016))), (2, None), (4, None), (8, Some((0.6, 0.3)))], 4.0);
        assert!(found.undecided.is_some(), "{found:?}");
    }
}
