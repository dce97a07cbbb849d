//! Outliers: Hampel's rule.

/// Factor that makes the median absolute deviation of normal noise equal its standard deviation.
pub(super) const MAD_TO_SIGMA: f64 = 1.4826;

/// Half-width of the accepted range, in scales: a cut so far out hardly narrows the interval.
const SCALES: f64 = 6.0;

/// Least scale, shader cycles: the scheduler looks at a SIMD every fourth cycle, so that one issue slot of luck moves a reading by 4.
///
/// Discrete jitter often has a median absolute deviation of zero; without a floor every reading but the most
/// frequent would be an outlier, and the interval of the estimate far too narrow.
const RESOLUTION: f64 = 4.0;

/// Least half-width of the accepted range, shader cycles.
pub(crate) const LEAST_BOUND: f64 = SCALES * RESOLUTION;

/// Values split into kept ones and outliers. A value is an outlier when it lies further than six scales from the median, where the
/// scale is 1.4826 times the median absolute deviation, or the counter's resolution if that is more.
///
/// Source: F. R. Hampel, "The influence curve and its role in robust estimation", J. Am. Stat. Assoc. 69 (1974);
/// L. Davies and U. Gather, "The identification of multiple outliers", J. Am. Stat. Assoc. 88 (1993).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HampelSplit {
    pub median: f64,
    /// Half-width of the accepted range.
    pub bound: f64,
    /// Which values are kept, in the order of the input.
    pub keep: Vec<bool>,
}

impl HampelSplit {
    /// Splits values; no value gives an empty split.
    pub(crate) fn of(values: &[f64]) -> Self {
        let centre = median(values).unwrap_or(0.0);
        let deviations: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
        let scale = (MAD_TO_SIGMA * median(&deviations).unwrap_or(0.0)).max(RESOLUTION);
        let bound = SCALES * scale;
        let keep = deviations.iter().map(|&deviation| deviation <= bound).collect();
        Self { median: centre, bound, keep }
    }

    pub(crate) fn dropped(&self) -> usize {
        self.keep.iter().filter(|&&keep| !keep).count()
    }
}

/// The median: the middle value, or the mean of the two middle ones; `None` of nothing.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let mut sorted = values.to_vec();
    let middle = sorted.len() / 2;
    let even = sorted.len().is_multiple_of(2);
    let (below, &mut upper, _) = sorted.select_nth_unstable_by(middle, f64::total_cmp);
    if !even {
        return Some(upper);
    }
    let lower = below.iter().copied().max_by(f64::total_cmp)?;
    Some(f64::midpoint(lower, upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_even_and_nothing() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn discrete_jitter_is_no_outlier_and_a_late_reading_is_one() {
        let mut values = vec![100.0; 20];
        values.extend([101.0, 99.0, 103.0, 97.0, 4100.0]);
        let split = HampelSplit::of(&values);
        assert_eq!((split.median, split.bound, split.dropped()), (100.0, 24.0, 1));
        assert_eq!(split.keep.last(), Some(&false));
    }

    #[test]
    fn wide_noise_widens_the_bound() {
        let values: Vec<f64> = (0..101).map(f64::from).collect();
        let split = HampelSplit::of(&values);
        assert!((split.bound - 6.0 * 1.4826 * 25.0).abs() < 1e-9);
        assert_eq!(split.dropped(), 0);
    }
}
