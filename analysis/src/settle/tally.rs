//! What became of the readings of an experiment, or of a run: each is counted once, those that were left out by the rule that dropped them.

use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;

use crate::variants::variants;

variants! {
    /// A rule by which readings are dropped, in the order in which the rules are applied; `docs/method.md` says what each does.
    pub enum DropRule {
        /// Less time than the wave needs to issue what stands between the readings.
        BelowBound = "below_bound",
        /// Exactly twice the time of the others.
        Doubled = "doubled",
        /// Far from the others of the same length (Hampel): one of the two readings came late.
        Late = "late",
        /// Of a group of waves one of which moved while it ran.
        Moved = "moved",
        /// Of a group that has not the asked number of waves on each SIMD.
        Misplaced = "misplaced",
        /// Of a group whose waves never all ran at once.
        NotConcurrent = "not_concurrent",
        /// Of a group whose waves ran together for too small a share of the time.
        Uneven = "uneven",
        /// Of a wave whose reading is far later than those of its group.
        LateWave = "late_waves",
        /// Of code of another length: rounds that measured again had longer code, which counts if it settles.
        Shorter = "shorter",
    }
}

impl DropRule {
    /// The rule in words, after a count.
    pub const fn words(self) -> &'static str {
        match self {
            Self::BelowBound => "below the bound of an issue interval per instruction",
            Self::Doubled => "exactly doubled",
            Self::Late => "late (Hampel)",
            Self::Moved => "of waves that moved",
            Self::Misplaced => "of waves not placed as requested",
            Self::NotConcurrent => "of waves that never all ran at once",
            Self::Uneven => "of waves that ran together too short a time",
            Self::LateWave => "late in their group",
            Self::Shorter => "of code of another length than what counts",
        }
    }
}

/// Readings dropped by each rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dropped([usize; DropRule::ALL.len()]);

impl Dropped {
    /// Readings dropped by a rule.
    pub const fn count(&self, rule: DropRule) -> usize {
        self.0[rule as usize]
    }

    /// Readings dropped by any rule.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }

    /// Counts readings that a rule dropped.
    pub(crate) const fn add(&mut self, rule: DropRule, readings: usize) {
        self.0[rule as usize] += readings;
    }

    /// The count of some fates, none of which is a reading that was kept.
    pub(crate) fn of(fates: impl IntoIterator<Item = DropRule>) -> Self {
        let mut dropped = Self::default();
        fates.into_iter().for_each(|rule| dropped.add(rule, 1));
        dropped
    }
}

impl AddAssign for Dropped {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = DropRule::ALL.map(|rule| (self.count(rule), rule.words()));
        for (index, (count, words)) in counts.into_iter().filter(|(count, _)| *count > 0).enumerate() {
            write!(f, "{}{count} {words}", if index == 0 { "" } else { ", " })?;
        }
        if self.total() == 0 { f.write_str("none") } else { Ok(()) }
    }
}

/// Readings that are stored, and what became of them; `readings` is the sum of all others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Readings that are stored.
    pub readings: usize,
    /// Readings of an estimate.
    pub used: usize,
    /// Readings dropped, by rule.
    pub dropped: Dropped,
    /// Readings of a section of a single instruction, which stays out of the slope and has `distributions.csv`.
    pub alone: usize,
    /// Readings that no rule dropped, of an experiment that has no estimate.
    pub no_estimate: usize,
}

impl Tally {
    /// Of readings none of which could be looked at.
    pub(crate) fn unused(readings: usize) -> Self {
        Self { readings, no_estimate: readings, ..Self::default() }
    }

    /// Of readings that were used but for those that were dropped.
    pub(crate) fn used(used: usize, dropped: Dropped) -> Self {
        Self { readings: used + dropped.total(), used, dropped, ..Self::default() }
    }

    /// Likewise where the kept ones gave no estimate.
    pub(crate) fn without_estimate(self) -> Self {
        Self { used: 0, no_estimate: self.no_estimate + self.used, ..self }
    }

    /// Readings dropped by a rule.
    pub const fn count(&self, rule: DropRule) -> usize {
        self.dropped.count(rule)
    }

    /// Whether each reading was counted once.
    pub fn adds_up(&self) -> bool {
        self.readings == self.used + self.dropped.total() + self.alone + self.no_estimate
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.readings += other.readings;
        self.used += other.used;
        self.dropped += other.dropped;
        self.alone += other.alone;
        self.no_estimate += other.no_estimate;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut all, tally| {
            all += tally;
            all
        })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} stored, {} used", self.readings, self.used)?;
        if self.alone > 0 {
            write!(f, ", {} of one instruction alone", self.alone)?;
        }
        if self.no_estimate > 0 {
            write!(f, ", {} of experiments without an estimate", self.no_estimate)?;
        }
        match self.dropped.total() {
            0 => f.write_str(", none dropped"),
            total => write!(f, ", {total} dropped: {}", self.dropped),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_tally_says_that_nothing_was_dropped() {
        let mut tally = Tally::used(60, Dropped::default());
        assert_eq!(tally.to_string(), "60 stored, 60 used, none dropped");
        tally += Tally::used(57, Dropped::of([DropRule::Late, DropRule::Late, DropRule::Doubled]));
        tally += Tally::unused(4);
        let expected =
            "124 stored, 117 used, 4 of experiments without an estimate, 3 dropped: 1 exactly doubled, 2 late (Hampel)";
        assert_eq!(tally.to_string(), expected);
        assert!(tally.adds_up() && tally.without_estimate().adds_up());
    }

    #[test]
    fn counts_are_listed_by_rule() {
        assert_eq!(Dropped::default().to_string(), "none");
        let mut dropped = Dropped::of([DropRule::Late, DropRule::BelowBound]);
        dropped += Dropped::of([DropRule::Late]);
        assert_eq!(dropped.to_string(), "1 below the bound of an issue interval per instruction, 2 late (Hampel)");
        assert_eq!((dropped.total(), dropped.count(DropRule::Late), dropped.count(DropRule::Moved)), (3, 2, 0));
    }
}
