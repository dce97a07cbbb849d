//! The conclusion from a penalty's interval, and its short form.

use super::axis::number;
use crate::tables::{Measured, joined};

/// Shader cycles from which on a penalty is one: half of the least that a clock can count.
const LEAST: f64 = 0.5;

/// Width of an interval from which on a number is marked as unsure, shader cycles.
const WIDE: f64 = 2.0;

/// Whether there is a penalty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judgement {
    /// The whole interval lies below half a cycle.
    Free,
    /// The whole interval lies above.
    Costs,
    /// Half a cycle lies in it.
    Unsure,
}

impl Judgement {
    pub(super) fn of(span: Measured) -> Self {
        if span.high < LEAST {
            Self::Free
        } else if span.low >= LEAST {
            Self::Costs
        } else {
            Self::Unsure
        }
    }
}

/// Whether the interval leaves several numbers of cycles.
pub(super) fn is_wide(span: Measured) -> bool {
    span.high - span.low > WIDE
}

/// The number that an interval stands for: 0 where 0 lies in it, else the whole number that is nearest if that lies in it,
/// else its value with two decimals.
pub(super) fn rounded(span: Measured) -> f64 {
    let holds = |value: f64| (span.low..=span.high).contains(&value);
    let whole = span.value.round();
    if holds(0.0) {
        0.0
    } else if holds(whole) {
        whole
    } else {
        (span.value * 100.0).round() / 100.0
    }
}

/// The same as a text; a question mark follows it where the interval leaves a choice of cycles.
pub(super) fn shown(span: Measured) -> String {
    format!("{}{}", number(rounded(span)), if is_wide(span) { "?" } else { "" })
}

/// Numbers as a reader says them: `3 to 7 and 9`.
pub(super) fn listed(numbers: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let mut words: Vec<String> = Vec::new();
    for (first, last) in runs {
        match last - first {
            0 => words.push(first.to_string()),
            1 => words.extend([first.to_string(), last.to_string()]),
            _ => words.push(format!("{first} to {last}")),
        }
    }
    joined(&words, "and")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(value: f64, low: f64, high: f64) -> Measured {
        Measured { value, low, high }
    }

    #[test]
    fn zero_is_shown_if_the_interval_contains_it() {
        let of = |value, low, high| shown(span(value, low, high));
        assert_eq!(of(0.03, -0.01, 0.07), "0");
        assert_eq!(of(0.0195, 0.0117, 0.0273), "0.02");
        assert_eq!(of(3.9492, 3.8896, 4.0088), "4");
        assert_eq!(of(2.133, 2.1, 2.16), "2.13");
        assert_eq!(of(1.2, -3.0, 5.0), "0?");
        assert_eq!(of(-0.02, -0.03, -0.01), "-0.02");
    }

    #[test]
    fn intervals_above_half_a_cycle_are_not_judged() {
        let of = |low, high| Judgement::of(span((low + high) / 2.0, low, high));
        assert_eq!(of(-0.2, 0.2), Judgement::Free);
        assert_eq!(of(3.9, 4.1), Judgement::Costs);
        assert_eq!(of(-3.0, 5.0), Judgement::Unsure);
        assert_eq!(of(0.1, 8.0), Judgement::Unsure);
    }

    #[test]
    fn neighbours_are_named_together() {
        assert_eq!(listed(&[3, 4, 5, 6, 7]), "3 to 7");
        assert_eq!(listed(&[0, 2, 3, 9]), "0, 2, 3 and 9");
        assert_eq!(listed(&[]), "");
    }
}
