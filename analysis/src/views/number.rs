//! Numbers as a reader takes them in; the interval is one tap away.

use serde::Serialize;

use crate::tables::{Span, decimal};

/// Part of a number within which a whole number or a fraction stands for it.
const NEAR: f64 = 1e-3;

/// A number in print, with its interval where that has a width.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Number {
    pub(crate) text: String,
    pub(crate) interval: Option<String>,
}

impl Number {
    /// The text for a missing number.
    pub(crate) fn or_dash(number: Option<Self>) -> Self {
        number.unwrap_or_else(|| Self { text: "–".to_owned(), interval: None })
    }

    /// Shader cycles: whole where one whole number alone lies in the interval.
    pub(crate) fn cycles(span: Span) -> Self {
        Self { text: whole(span).unwrap_or_else(|| rounded(span)), interval: interval(span) }
    }

    /// Instructions per cycle: a fraction 1/n where that lies in the interval and no other does.
    pub(crate) fn rate(span: Span) -> Self {
        let text = whole(span).or_else(|| fraction(span)).unwrap_or_else(|| rounded(span));
        Self { text, interval: interval(span) }
    }
}

/// The one whole number of an interval.
fn whole(Span { value, low, high }: Span) -> Option<String> {
    let slack = NEAR * value.abs();
    let (first, last) = ((low - slack).ceil(), (high + slack).floor());
    (first == last).then(|| decimal(first))
}

/// The only fraction 1/n in an interval below one.
fn fraction(Span { value, low, high }: Span) -> Option<String> {
    let is_below_one = low > 0.0 && high < 1.0;
    let of = |end: f64| 1.0 / end;
    let slack = NEAR * of(value);
    let (first, last) = ((of(high) - slack).ceil(), (of(low) + slack).floor());
    (is_below_one && first == last).then(|| format!("1/{}", decimal(first)))
}

/// The value with as many digits as the interval leaves sure.
fn rounded(Span { value, low, high }: Span) -> String {
    let half = (high - low) / 2.0;
    if half <= 0.0 {
        return decimal(value);
    }
    let digits = (-half.log10().floor()).clamp(0.0, 4.0);
    let unit = 10_f64.powf(digits);
    decimal((value * unit).round() / unit)
}

fn interval(Span { value, low, high }: Span) -> Option<String> {
    let [value, low, high] = [value, low, high].map(decimal);
    (low != high).then(|| format!("{value} [{low}, {high}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(low: f64, value: f64, high: f64) -> Span {
        Span { value, low, high }
    }

    #[test]
    fn a_whole_number_is_shown_only_where_no_other_is_possible() {
        let text = |low, value, high| Number::cycles(span(low, value, high)).text;
        assert_eq!(text(3.8896, 3.9492, 4.0088), "4");
        assert_eq!(text(4.0, 4.0, 4.0), "4");
        assert_eq!(text(7.2, 8.1, 9.3), "8");
        assert_eq!(text(3.31, 3.33, 3.35), "3.33");
        assert_eq!(text(3.3333, 3.3333, 3.3333), "3.3333");
    }

    #[test]
    fn rates_are_fractions_where_they_are_one() {
        let text = |low, value, high| Number::rate(span(low, value, high)).text;
        assert_eq!(text(0.0625, 0.0625, 0.0625), "1/16");
        assert_eq!(text(0.0833, 0.0833, 0.0833), "1/12");
        assert_eq!(text(1.0, 1.0, 1.0), "1");
        assert_eq!(text(0.3, 0.4, 0.5), "0.4");
    }

    #[test]
    fn an_interval_without_width_is_none() {
        assert_eq!(Number::cycles(span(4.0, 4.0, 4.0)).interval, None);
        assert_eq!(Number::cycles(span(3.9, 4.0, 4.1)).interval.as_deref(), Some("4 [3.9, 4.1]"));
    }
}
