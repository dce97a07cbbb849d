//! Two modes: readings that fall into two separated groups.

use super::median;

/// Least share of all values in each group.
const SHARE: f64 = 0.2;

/// Least values in each group.
const LEAST: f64 = 3.0;

/// Least width of the gap, in spreads of the wider group (10 % to 90 % quantile, so that a late reading hides no mode).
const SPREADS: f64 = 2.0;

/// Least width of the gap, shader cycles: four issue slots.
const WIDTH: f64 = 16.0;

/// Two separated groups of values.
///
/// Values are bimodal when a gap splits them into two groups that both hold a fair share, and is wide against the
/// spread inside the groups and against the counter's resolution.
///
/// It is single linkage cut into two groups (J. A. Hartigan, "Clustering Algorithms", 1975, ch. 11), with the share
/// and the width as thresholds instead of a test: the question is not whether the shape is significant, but whether a
/// mean of all would be a number that the device never shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clusters {
    /// Centre (median) of the lower group.
    pub low: f64,
    /// Values in the lower group.
    pub low_count: usize,
    /// Centre (median) of the upper group.
    pub high: f64,
    /// Values in the upper group.
    pub high_count: usize,
}

impl Clusters {
    /// The two groups, if there are two; of several splits, the one with the widest gap.
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let needed = (SHARE * sorted.len() as f64).ceil().max(LEAST) as usize;
        let gap = |split: usize| sorted[split] - sorted[split - 1];
        let split = (needed..(sorted.len() + 1).saturating_sub(needed))
            .filter(|&split| {
                let (low, high) = sorted.split_at(split);
                gap(split) >= WIDTH && gap(split) >= SPREADS * spread(low).max(spread(high))
            })
            .max_by(|&a, &b| gap(a).total_cmp(&gap(b)))?;
        let (low, high) = sorted.split_at(split);
        Some(Self { low: median(low)?, low_count: low.len(), high: median(high)?, high_count: high.len() })
    }
}

/// The 10 % to 90 % range of sorted values; the whole range of less than eight.
fn spread(sorted: &[f64]) -> f64 {
    let trim = if sorted.len() < 8 { 0 } else { sorted.len().div_ceil(10) };
    sorted[sorted.len() - 1 - trim] - sorted[trim]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_modes_are_found_with_their_centres() {
        let values = [100.0, 102.0, 201.0, 101.0, 199.0, 200.0];
        let found = Clusters::of(&values);
        assert_eq!(found, Some(Clusters { low: 101.0, low_count: 3, high: 200.0, high_count: 3 }));
    }

    #[test]
    fn late_readings_hide_no_mode() {
        let mut values = vec![100.0; 12];
        values.extend([200.0; 12]);
        values.extend([4100.0, 4200.0]);
        let found = Clusters::of(&values).expect("two modes");
        assert_eq!((found.low, found.high, found.low_count), (100.0, 200.0, 12));
    }

    #[test]
    fn jitter_quantisation_and_a_lone_outlier_are_one_mode() {
        let fours = [[100.0, 101.0, 102.0, 103.0], [100.0, 100.0, 104.0, 104.0], [100.0, 100.0, 100.0, 4100.0]];
        for values in fours.iter().map(|values| &values[..]).chain([&[][..], &[1.0]]) {
            assert_eq!(Clusters::of(values), None, "{values:?}");
        }
    }
}
