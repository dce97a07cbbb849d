//! Axes: the numbers and their places.

use crate::tables::ascending;

/// Steps between ticks, of each power of ten.
const STEPS: [f64; 4] = [1.0, 2.0, 2.5, 5.0];

/// The same between whole numbers.
pub(crate) const WHOLE: [f64; 3] = [1.0, 2.0, 5.0];

/// Factor that a logarithmic axis goes on beyond its ends, so that marks there are whole.
const MARGIN: f64 = 1.32;

/// How values become places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    Linear,
    /// Equal factors are equally far apart.
    Log,
}

/// One axis: its name with unit, its ends and its ticks.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    pub(crate) name: String,
    scale: Scale,
    low: f64,
    high: f64,
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// From `low` to at least `high`, with round ticks.
    pub(crate) fn linear(name: &str, low: f64, high: f64) -> Self {
        let span = if high > low { high - low } else { 1.0 };
        let step = round_step(span / 5.0, &STEPS);
        let first = (low / step).floor() as i64;
        let last = ((low + span) / step - 1e-9).ceil() as i64;
        let ticks: Vec<(f64, String)> = (first..=last).map(|k| (k as f64 * step, number(k as f64 * step))).collect();
        Self { name: name.into(), scale: Scale::Linear, low: first as f64 * step, high: last as f64 * step, ticks }
    }

    /// From 0 to at least `high`, with ticks at whole numbers.
    pub(crate) fn counts(name: &str, high: f64) -> Self {
        let step = round_step((high / 7.0).max(1.0), &WHOLE);
        let last = (high / step).ceil().max(1.0) as i64;
        let ticks = (0..=last).map(|k| (k as f64 * step, number(k as f64 * step))).collect();
        Self { name: name.into(), scale: Scale::Linear, low: 0.0, high: last as f64 * step, ticks }
    }

    /// Equal factors equally far apart, with a tick at each of the values, which are above zero.
    pub(crate) fn factors(name: &str, values: impl IntoIterator<Item = u32>) -> Self {
        let values = ascending(values);
        let ends = |index: Option<&u32>| f64::from(*index.unwrap_or(&1)).max(1.0);
        let (low, high) = (ends(values.first()) / MARGIN, ends(values.last()) * MARGIN);
        let ticks = values.iter().map(|value| (f64::from(*value), value.to_string())).collect();
        Self { name: name.into(), scale: Scale::Log, low, high, ticks }
    }

    /// Equal factors equally far apart, with ticks at powers of two; both ends are above zero.
    pub(crate) fn log(name: &str, low: f64, high: f64) -> Self {
        let first = low.log2().floor() as i32;
        let last = (high.log2().ceil() as i32).max(first + 1);
        let ticks = (first..=last).map(|power| (2f64.powi(power), number(2f64.powi(power)))).collect();
        let (low, high) = (2f64.powi(first) / MARGIN, 2f64.powi(last) * MARGIN);
        Self { name: name.into(), scale: Scale::Log, low, high, ticks }
    }

    /// The given words at equal distances: place 0, 1, 2, …
    pub(crate) fn steps(name: &str, words: impl IntoIterator<Item = String>) -> Self {
        let ticks: Vec<(f64, String)> =
            words.into_iter().enumerate().map(|(place, word)| (place as f64, word)).collect();
        let high = ticks.len() as f64 - 0.5;
        Self { name: name.into(), scale: Scale::Linear, low: -0.5, high: high.max(0.5), ticks }
    }

    /// Where a value stands: 0 at the low end, 1 at the high end.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let at = |value: f64| if self.scale == Scale::Log { value.log2() } else { value };
        (at(value) - at(self.low)) / (at(self.high) - at(self.low))
    }
}

/// The round step that is nearest above, of these steps of each power of ten.
pub(crate) fn round_step(least: f64, steps: &[f64]) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let steps = steps.iter().map(|step| step * power);
    steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// A number with at most four significant decimals, without trailing zeros.
pub(crate) fn number(value: f64) -> String {
    let text = if value.abs() >= 0.01 || value == 0.0 { format!("{value:.3}") } else { format!("{value:.6}") };
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, word)| word.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_and_hold_the_data() {
        assert_eq!(words(&Axis::linear("", 0.0, 1.0)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(words(&Axis::linear("", 0.0, 0.25)), ["0", "0.05", "0.1", "0.15", "0.2", "0.25"]);
        for high in [0.013, 0.7, 3.0, 16.1, 999.0, 4000.0] {
            let axis = Axis::linear("", 0.0, high);
            assert!(axis.place(high) <= 1.0 && axis.place(high) > 0.7, "{high}");
            assert!((4..=7).contains(&axis.ticks.len()), "{high}: {:?}", axis.ticks);
        }
    }

    #[test]
    fn no_span_is_no_division_by_zero() {
        let axis = Axis::linear("", 5.0, 5.0);
        assert!(axis.place(5.0).is_finite());
        assert!(Axis::log("", 4.0, 4.0).place(4.0).is_finite());
    }

    #[test]
    fn equal_factors_are_equally_far_apart() {
        let axis = Axis::log("", 1.0, 64.0);
        assert_eq!(words(&axis), ["1", "2", "4", "8", "16", "32", "64"]);
        assert!((axis.place(2.0) - axis.place(1.0) - (axis.place(64.0) - axis.place(32.0))).abs() < 1e-12);
    }

    #[test]
    fn counts_have_whole_ticks() {
        assert_eq!(words(&Axis::counts("", 10.0)), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(words(&Axis::counts("", 3.0)), ["0", "1", "2", "3"]);
        assert_eq!(words(&Axis::counts("", 256.0)), ["0", "50", "100", "150", "200", "250", "300"]);
        assert_eq!(words(&Axis::factors("", [8, 1, 2, 10, 2])), ["1", "2", "8", "10"]);
    }

    #[test]
    fn small_numbers_keep_their_digits() {
        assert_eq!([0.0, -0.0, 0.125, 1e-3, 1024.0, 10.0].map(number), ["0", "0", "0.125", "0.001", "1024", "10"]);
    }
}
