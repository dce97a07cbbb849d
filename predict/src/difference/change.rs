//! How much longer one thing takes than another.

use serde::Serialize;

use crate::steady::STEADY;

/// What two predictions say of which code takes longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The second one takes longer, whatever the unsure timings are.
    Longer,
    /// The second one takes less long, whatever the unsure timings are.
    Shorter,
    /// Both take equally long, whatever the unsure timings are.
    Same,
    /// Which one takes longer depends on timings that are unsure.
    Undecided,
}

/// How much longer the second of two codes takes, in percent of the first; below zero if it takes less long.
///
/// The ends are those of the simulator with each uncertain timing at the ends of its range, equal in both codes: an error in one is
/// wrong in the other, too.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Change {
    /// With all timings at the likeliest.
    pub percent: f64,
    pub low_percent: f64,
    pub high_percent: f64,
    /// Predictions that differ by as much as halves of a steady run may, 0.2 %, are equal.
    pub verdict: Verdict,
}

impl Change {
    /// From the ratios of the second code's cycles to the first one's: with the likeliest timings, and with others.
    pub(super) fn of(likeliest: f64, others: impl IntoIterator<Item = f64>) -> Self {
        let (mut low, mut high) = (likeliest, likeliest);
        for ratio in others {
            (low, high) = (low.min(ratio), high.max(ratio));
        }
        let verdict = match (low - 1.0, high - 1.0) {
            (low, high) if low >= -STEADY && high <= STEADY => Verdict::Same,
            (low, _) if low > STEADY => Verdict::Longer,
            (_, high) if high < -STEADY => Verdict::Shorter,
            _ => Verdict::Undecided,
        };
        let percent = |ratio: f64| (ratio - 1.0) * 100.0;
        Self { percent: percent(likeliest), low_percent: percent(low), high_percent: percent(high), verdict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_that_depend_on_uncertain_timings_are_undecided() {
        let verdict = |likeliest, others: [f64; 2]| Change::of(likeliest, others).verdict;
        assert_eq!(verdict(1.1, [1.05, 1.2]), Verdict::Longer);
        assert_eq!(verdict(0.9, [0.8, 0.95]), Verdict::Shorter);
        assert_eq!(verdict(1.0, [0.999, 1.001]), Verdict::Same);
        assert_eq!(verdict(1.1, [0.95, 1.2]), Verdict::Undecided);
        assert_eq!(verdict(1.1, [1.0, 1.2]), Verdict::Undecided);
        let change = Change::of(1.5, [1.25, 2.0]);
        assert_eq!((change.percent, change.low_percent, change.high_percent), (50.0, 25.0, 100.0));
    }
}
