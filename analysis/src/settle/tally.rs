//! What became of the readings of an experiment, or of a run: each is counted once.

use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;

use super::dropped::{DropRule, Dropped};

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
}
