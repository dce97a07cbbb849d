//! When two measured values differ.

use statrs::distribution::{ContinuousCDF, Normal};

use super::values::ValueUnit;
use crate::settle::{CYCLES_RESOLUTION, THROUGHPUT_RESOLUTION};
use crate::statistics::CONFIDENCE;
use crate::tables::Measured;

/// The rule by which a difference is significant, for a number of comparisons made together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    pub comparisons: usize,
    /// Times that an interval is wider than that of a single comparison.
    pub widening: f64,
}

/// B less A, with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// B less A.
    pub span: Measured,
    /// B divided by A; absent where A is zero or a sign differs.
    pub ratio: Option<f64>,
    /// Whether the rule calls it significant.
    pub significant: bool,
}

impl Rule {
    /// The rule for this many comparisons. All of them together raise a false alarm with a chance of 5 %: each interval is
    /// widened from the two-sided 5 % to 5 %/comparisons (C. E. Bonferroni 1936).
    pub fn of(comparisons: usize) -> Self {
        let quantile = |confidence: f64| Normal::standard().inverse_cdf(f64::midpoint(1.0, confidence));
        let each = 1.0 - (1.0 - CONFIDENCE) / comparisons.max(1) as f64;
        Self { comparisons, widening: quantile(each) / quantile(CONFIDENCE) }
    }

    /// Compares two values, in both directions alike: exchanging them changes only signs.
    ///
    /// The interval of a difference of independent values with intervals is that of G. Y. Zou and A. Donner, "Construction of
    /// confidence limits about effect measures", Statistics in Medicine 27 (2008): for intervals like these, the root of the sum
    /// of the squared half-widths.
    pub fn difference(&self, unit: ValueUnit, a: Measured, b: Measured) -> Difference {
        let value = b.value - a.value;
        let below = (b.value - b.low).hypot(a.high - a.value) * self.widening;
        let above = (b.high - b.value).hypot(a.value - a.low) * self.widening;
        let span = Measured { value, low: value - below, high: value + above };
        let holds_zero = span.low <= 0.0 && 0.0 <= span.high;
        let ratio = b.value / a.value;
        Difference {
            span,
            ratio: (ratio.is_finite() && ratio > 0.0).then_some(ratio),
            significant: !holds_zero && value.abs() > resolution(unit, a.value, b.value),
        }
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "A value differs if the 95 % interval of B - A, {:.2} times as wide so that {} comparisons together raise a false alarm \
             with a chance of {:.0} %, does not hold 0, and B - A is more than {CYCLES_RESOLUTION} cycles or {:.0} % of a \
             throughput. More and less count alike.",
            self.widening,
            self.comparisons,
            (1.0 - CONFIDENCE) * 100.0,
            THROUGHPUT_RESOLUTION * 100.0,
        )
    }
}

/// The allowed difference of two runs although the cards are alike: that of a published value, see `validation.csv`.
fn resolution(unit: ValueUnit, a: f64, b: f64) -> f64 {
    match unit {
        ValueUnit::PerCycle => THROUGHPUT_RESOLUTION * a.abs().max(b.abs()),
        ValueUnit::Cycles => CYCLES_RESOLUTION,
        ValueUnit::Number => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn significant(a: Measured, b: Measured) -> bool {
        let there = Rule::of(1).difference(ValueUnit::Cycles, a, b);
        let back = Rule::of(1).difference(ValueUnit::Cycles, b, a);
        assert_eq!(there.significant, back.significant, "{a:?} {b:?}");
        assert!((there.span.low + back.span.high).abs() < 1e-12, "exchanged, the interval is mirrored");
        there.significant
    }

    #[test]
    fn a_difference_beyond_its_interval_is_significant_in_both_directions() {
        // Half-widths 3 and 4: the difference has 5.
        assert!(significant(Measured::around(16.0, 3.0), Measured::around(21.1, 4.0)));
        assert!(!significant(Measured::around(16.0, 3.0), Measured::around(20.9, 4.0)));
        assert!(significant(Measured::around(16.0, 3.0), Measured::around(10.9, 4.0)));
    }

    #[test]
    fn intervals_without_width_differ_by_more_than_the_resolution() {
        assert!(!significant(Measured::around(4.0, 0.0), Measured::around(4.2, 0.0)));
        assert!(significant(Measured::around(4.0, 0.0), Measured::around(4.3, 0.0)));
        let throughput = |b| {
            Rule::of(1)
                .difference(ValueUnit::PerCycle, Measured::around(0.25, 0.0), Measured::around(b, 0.0))
                .significant
        };
        assert_eq!((throughput(0.2455), throughput(0.244)), (false, true));
    }

    #[test]
    fn a_lopsided_interval_counts_on_the_side_that_faces_the_other_value() {
        let a = Measured { value: 16.0, low: 8.0, high: 17.0 };
        assert!(significant(a, Measured::around(20.0, 1.0)));
        assert!(!significant(a, Measured::around(12.0, 1.0)));
    }

    #[test]
    fn more_comparisons_widen() {
        assert!((Rule::of(1).widening - 1.0).abs() < 1e-9);
        // The quantile for 0.05/1000, two-sided, is 4.0556; that for 0.05 is 1.9600.
        assert!((Rule::of(1000).widening - 4.0556 / 1.9600).abs() < 1e-3, "{}", Rule::of(1000).widening);
        let (a, b) = (Measured::around(16.0, 3.0), Measured::around(21.1, 4.0));
        assert!(!Rule::of(1000).difference(ValueUnit::Cycles, a, b).significant);
    }

    #[test]
    fn a_ratio_needs_two_numbers_of_one_sign() {
        let ratio =
            |a, b| Rule::of(1).difference(ValueUnit::Cycles, Measured::around(a, 0.0), Measured::around(b, 0.0)).ratio;
        assert_eq!((ratio(4.0, 8.0), ratio(0.0, 8.0), ratio(-1.0, 8.0)), (Some(2.0), None, None));
    }
}
