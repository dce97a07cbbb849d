//! How numbers are printed: one rule for every page, table and line.

use std::fmt;

use serde::Serialize;

use super::measured::{CERTAIN, DECIMALS, Measured, decimal};
use super::published::Quantity;
use crate::settle::CYCLES_RESOLUTION;

/// Part of a number within which a fraction stands for it: what four decimals leave of 1/12.
const NEAR: f64 = 1e-3;

/// Distance from a whole number that is only what rounding to four decimals and floating point made.
const ROUNDING: f64 = 1e-3;

/// What follows a number that rests on an estimate.
pub(crate) const GUESS: &str = " e";

/// A number as text, marked if it rests on an estimate.
pub fn marked(number: String, is_guess: bool) -> String {
    if is_guess && !number.is_empty() { number + GUESS } else { number }
}

/// A number in print.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Number {
    /// The whole number or fraction that is certain, or else the digits that the interval leaves sure.
    pub text: String,
    /// Half of the 95 % interval; absent where the text is certain.
    pub half: Option<String>,
    /// All digits and the interval: `15.9897 [15.9354, 16.0441]`; absent where the text says it.
    pub exact: Option<String>,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        self.half.as_ref().map_or(Ok(()), |half| write!(f, " ± {half}"))
    }
}

impl Number {
    /// A text with nothing to add.
    pub(crate) const fn certain(text: String) -> Self {
        Self { text, half: None, exact: None }
    }

    /// The text of a missing number.
    pub(crate) fn or_dash(number: Option<Self>) -> Self {
        number.unwrap_or_else(|| Self::certain("–".to_owned()))
    }

    /// The same, marked if it rests on an estimate.
    #[must_use]
    pub fn marked(mut self, is_guess: bool) -> Self {
        let end = self.half.as_mut().unwrap_or(&mut self.text);
        *end = marked(std::mem::take(end), is_guess);
        self
    }

    /// Shader cycles, two decimals at most.
    pub fn cycles<Q: Copy + Into<f64>>(measured: Measured<Q>) -> Self {
        // A number within the resolution of zero is zero.
        let is_nothing = |of: Measured| -CYCLES_RESOLUTION <= of.low && of.high <= CYCLES_RESOLUTION;
        Self::of(measured.plain(), 2, |measured| is_nothing(measured).then(|| "0".to_owned()))
    }

    /// Instructions per cycle, four decimals at most; below one as a fraction of one where that is certain.
    pub fn rate<Q: Copy + Into<f64>>(measured: Measured<Q>) -> Self {
        Self::of(measured.plain(), DECIMALS, fraction)
    }

    /// A published value by its quantity.
    pub fn of_quantity<Q: Copy + Into<f64>>(quantity: Quantity, measured: Measured<Q>) -> Self {
        match quantity {
            Quantity::Throughput | Quantity::Issue => Self::rate(measured),
            _ => Self::cycles(measured),
        }
    }

    fn of(measured: Measured, most: i32, other: impl Fn(Measured) -> Option<String>) -> Self {
        let exact = exact(measured);
        let Measured { value, low, high } = measured;
        let half = (high - low) / 2.0;
        let (text, half) = if let Some(certain) = measured.whole().map(decimal).or_else(|| other(measured)) {
            (certain, None)
        } else if half > 0.0 {
            // As many digits as the interval leaves sure.
            let digits = (-half.log10().floor()).clamp(0.0, f64::from(most)) as i32;
            (rounded(value, digits), Some(rounded(half, digits)).filter(|half| half != "0"))
        } else {
            (rounded(value, most), None)
        };
        let exact = (exact != text).then_some(exact);
        Self { text, half, exact }
    }
}

/// A number with its noun: `1 cycle`, `2 cycles`.
pub(crate) fn plural(number: impl fmt::Display, noun: &str) -> String {
    let number = number.to_string();
    let s = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{s}")
}

/// The fraction of one that is certain, in an interval below one.
fn fraction(Measured { value, low, high }: Measured) -> Option<String> {
    let is_below_one = low > 0.0 && high < 1.0;
    let of = |end: f64| 1.0 / end;
    let slack = NEAR * of(value);
    let (first, last) = ((of(high) - slack).ceil(), (of(low) + slack).floor());
    (is_below_one && first == last).then(|| format!("1/{}", decimal(first)))
}

fn rounded(value: f64, digits: i32) -> String {
    let unit = 10_f64.powi(digits);
    decimal((value * unit).round() / unit)
}

fn exact(measured: Measured) -> String {
    let [value, low, high] = measured.numbers().map(decimal);
    if low == high { value } else { format!("{value} [{low}, {high}]") }
}

impl Measured {
    /// The whole number that the measurement stands for: it lies in the interval, and no other within twice of that.
    pub(crate) fn whole(&self) -> Option<f64> {
        let Self { value, low, high } = *self;
        let near = value.round();
        let is_inside = low - ROUNDING <= near && near <= high + ROUNDING;
        let far = |end: f64| value + CERTAIN * (end - value);
        let is_alone = near - 1.0 < far(low) && far(high) < near + 1.0;
        // No −0.
        (is_inside && is_alone).then_some(near + 0.0)
    }
}

/// A number without doubt, two decimals at most.
pub(crate) fn two(number: f64) -> String {
    cell(Some(Measured::exactly(number)))
}

/// A number of cycles; empty without one.
pub(crate) fn cell<Q: Copy + Into<f64>>(measured: Option<Measured<Q>>) -> String {
    measured.map(|measured| Number::cycles(measured).to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(low: f64, value: f64, high: f64) -> String {
        Number::cycles(Measured { value, low, high }).to_string()
    }

    #[test]
    fn a_whole_number_is_printed_only_where_no_other_is_possible() {
        assert_eq!(cycles(15.9354, 15.9897, 16.0441), "16");
        assert_eq!(cycles(4.0, 4.0, 4.0), "4");
        // 7.5 to 8.5 holds 8 alone, and 7 to 9 does not.
        assert_eq!(cycles(7.5, 8.0, 8.5), "8 ± 0.5");
        assert_eq!(cycles(3.31, 3.33, 3.35), "3.33 ± 0.02");
        assert_eq!(cycles(3.3333, 3.3333, 3.3333), "3.33");
        // Zero has no sign.
        assert_eq!(cycles(-0.03, -0.01, 0.01), "0");
        assert_eq!(cycles(0.01, 0.03, 0.05), "0");
        assert_eq!(cycles(340.0, 352.0, 364.0), "352 ± 12");
    }

    #[test]
    fn rates_are_fractions_where_they_are_one() {
        let text = |low, value, high| Number::rate(Measured { value, low, high }).to_string();
        assert_eq!(text(0.0625, 0.0625, 0.0625), "1/16");
        assert_eq!(text(0.0833, 0.0833, 0.0833), "1/12");
        assert_eq!(text(1.0, 1.0, 1.0), "1");
        assert_eq!(text(0.3, 0.4, 0.5), "0.4 ± 0.1");
        // Less than the resolution of cycles is something of a throughput.
        let published = Number::of_quantity(Quantity::Throughput, Measured::exactly(0.1)).text;
        assert_eq!(published, "1/10");
    }

    #[test]
    fn the_digits_that_the_text_leaves_out_are_kept() {
        let exact = |low, value, high| Number::cycles(Measured { value, low, high }).exact;
        assert_eq!(exact(4.0, 4.0, 4.0), None);
        assert_eq!(exact(3.9, 4.0, 4.1).as_deref(), Some("4 [3.9, 4.1]"));
        assert_eq!(exact(3.3333, 3.3333, 3.3333).as_deref(), Some("3.3333"));
    }
}
