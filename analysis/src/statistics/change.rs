//! Steps and drift of a series.

use super::hampel::{MAD_TO_SIGMA, median};

/// Values that are looked at on each side.
const SIDE: usize = 8;

/// Values on each side at least: shorter stays at a level are disturbances.
const LEAST_SIDE: usize = 4;

/// Least change, in scales of the values around their medians (1.4826 median absolute deviations): as in Hampel's rule.
const SCALES: f64 = 6.0;

/// Finds the places where a series changes its level: binary segmentation. Where the medians of the values before and after a place
/// differ the most, and by enough, the series is cut, and each part is looked at in turn.
///
/// Medians of a few values at each side, instead of means of all: a single disturbed value is not a step, nor is a drift, and of two
/// steps that cancel each one is seen. Source: A. J. Scott and M. Knott, "A cluster analysis method for grouping means in the
/// analysis of variance", Biometrics 30 (1974); P. Fryzlewicz, "Wild binary segmentation for multiple change-point detection",
/// Annals of Statistics 42 (2014), on why local comparisons find what global ones miss.
///
/// Each place is the index of the first value at a new level, ascending. `least` is the least change, as a share of the larger level.
pub(crate) fn changes(values: &[f64], least: f64) -> Vec<usize> {
    let mut changes = Vec::new();
    let mut parts = vec![(0, values.len())];
    while let Some((start, end)) = parts.pop() {
        if let Some(change) = largest(&values[start..end], least) {
            changes.push(start + change);
            parts.extend([(start, start + change), (start + change, end)]);
        }
    }
    changes.sort_unstable();
    changes
}

/// The place of the largest change of a series, if one is large enough.
fn largest(values: &[f64], least: f64) -> Option<usize> {
    let places = LEAST_SIDE..(values.len() + 1).saturating_sub(LEAST_SIDE);
    let change = |place: usize| {
        let before = &values[place.saturating_sub(SIDE)..place];
        let behind = &values[place..values.len().min(place + SIDE)];
        let (low, high) = (median(before)?, median(behind)?);
        let change = (high - low).abs();
        if change < least * low.abs().max(high.abs()) {
            return None;
        }
        let deviations =
            |values: &[f64], centre: f64| values.iter().map(move |v| (v - centre).abs()).collect::<Vec<_>>();
        let around = [deviations(before, low), deviations(behind, high)].concat();
        let is_clear = change > SCALES * MAD_TO_SIGMA * median(&around)?;
        is_clear.then_some((place, change, low, high))
    };
    let (place, _, low, high) = places.filter_map(change).max_by(|a, b| a.1.total_cmp(&b.1))?;
    // The medians are equal some places before and after; the values' own distances to the two levels say where.
    let first = place.saturating_sub(SIDE).max(LEAST_SIDE);
    let last = (place + SIDE).min(values.len() - LEAST_SIDE);
    let distance = |level: f64, values: &[f64]| values.iter().map(|value| (value - level).abs()).sum::<f64>();
    let (from, to) = (place.saturating_sub(SIDE), values.len().min(place + SIDE));
    let cost = |place: usize| distance(low, &values[from..place]) + distance(high, &values[place..to]);
    (first..=last).min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
}

/// The level of a series and by how much it changes from start to end, as far as that is more than its noise: a line through the
/// medians of the first and of the last third.
///
/// Source: the resistant line of J. W. Tukey, "Exploratory Data Analysis", Addison-Wesley 1977, ch. 5.
pub(crate) fn resistant_drift(values: &[f64]) -> (f64, f64) {
    let level = median(values).unwrap_or(0.0);
    let third = values.len() / 3;
    let (first, last) = (&values[..third], &values[values.len() - third..]);
    let (Some(start), Some(end)) = (median(first), median(last)) else { return (level, 0.0) };
    let deviations: Vec<f64> =
        first.iter().map(|v| (v - start).abs()).chain(last.iter().map(|v| (v - end).abs())).collect();
    let deviation = MAD_TO_SIGMA * median(&deviations).unwrap_or(0.0);
    // Four standard errors of a difference of medians (1.2533 σ/√m each), as for a bend.
    let noise = 4.0 * 1.2533 * deviation * (2.0 / third as f64).sqrt();
    let difference = end - start;
    if difference.abs() <= noise {
        return (level, 0.0);
    }
    // The thirds' centres are two thirds of the way apart.
    (level, difference * values.len() as f64 / (values.len() - third) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels with a jitter that repeats.
    fn series(levels: &[(f64, usize)], jitter: f64) -> Vec<f64> {
        let levels = levels.iter().flat_map(|&(level, count)| std::iter::repeat_n(level, count));
        levels.enumerate().map(|(index, level)| level + jitter * ((index * 7 % 5) as f64 - 2.0)).collect()
    }

    fn steps(values: &[f64]) -> Vec<usize> {
        changes(values, 0.03)
    }

    #[test]
    fn steps_that_cancel_are_both_found_where_they_are() {
        let found = steps(&series(&[(1000.0, 40), (800.0, 23), (1000.0, 41)], 2.0));
        assert_eq!(found, [40, 63]);
        assert_eq!(steps(&series(&[(1000.0, 5), (1100.0, 4)], 0.0)), [5]);
    }

    #[test]
    fn jitter_disturbed_values_and_drift_are_no_steps() {
        assert_eq!(steps(&series(&[(1000.0, 100)], 20.0)), [0_usize; 0]);
        assert_eq!(steps(&series(&[(1000.0, 30), (300.0, 3), (1000.0, 30)], 1.0)), [0_usize; 0]);
        assert_eq!(steps(&(0..200).map(|k| 1000.0 - f64::from(k)).collect::<Vec<_>>()), [0_usize; 0]);
        assert_eq!((steps(&[]), steps(&[1.0; 7])), (vec![], vec![]));
    }

    #[test]
    fn drift_is_that_from_start_to_end() {
        let (level, drift) = resistant_drift(&(0..=300).map(|k| 1000.0 - f64::from(k) / 30.0).collect::<Vec<_>>());
        assert!((level - 995.0).abs() < 0.1 && (drift + 10.0).abs() < 0.2, "{level} {drift}");
        assert_eq!(resistant_drift(&series(&[(1000.0, 100)], 3.0)), (1000.0, 0.0));
        assert_eq!(resistant_drift(&[5.0]), (5.0, 0.0));
    }
}
