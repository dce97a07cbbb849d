//! A published value exactly as printed.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Expected, ExpressionError};

/// How a source marks a number that it doubts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Doubt {
    /// `18?`
    Question,
    /// `20 (???)`
    Questions,
}

/// A published value; [`fmt::Display`] gives back exactly the printed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Expression {
    /// `16`
    Number(u32),
    /// `1/4`
    Fraction {
        /// Above the line.
        numerator: u32,
        /// Below the line; not 0.
        denominator: u32,
    },
    /// `DPFACTOR*4`
    DpFactor {
        /// What DPFACTOR is multiplied by.
        multiple: u32,
    },
    /// `16-24`
    Range {
        /// Lower end.
        low: u32,
        /// Upper end; not below the lower.
        high: u32,
    },
    /// `18?`
    Uncertain {
        value: u32,
        /// How it is marked.
        doubt: Doubt,
    },
    /// `?`
    Unknown,
    /// `16+GLC1`: one cycle more with the GLC modifier.
    Glc {
        /// Without the modifier.
        cycles: u32,
        /// The cycles that the modifier adds.
        extra: u32,
    },
    /// `4 or 16 (1)`: a footnote says which of the two holds.
    Alternatives {
        /// First value.
        first: u32,
        /// Second value.
        second: u32,
        /// Number of the footnote.
        footnote: u8,
    },
    /// `1/(CYCLES/4)`: follows from the instruction's own cycles.
    OfCycles {
        /// The throughput is this number over the cycles; not 0.
        numerator: u32,
    },
}

impl Expression {
    /// The value for a DPFACTOR.
    ///
    /// [`Alternatives`](Self::Alternatives) stays [`Expected::OneOf`] and [`OfCycles`](Self::OfCycles) unknown here:
    /// the footnote and the cycles are the source's ([`Expectation::evaluate`](super::Expectation::evaluate)).
    pub fn evaluate(self, dp_factor: impl Into<f64>) -> Expected {
        match self {
            Self::Number(value) => Expected::Exactly(value.into()),
            Self::Fraction { numerator, denominator } => {
                Expected::Exactly(f64::from(numerator) / f64::from(denominator))
            }
            Self::DpFactor { multiple } => Expected::Exactly(dp_factor.into() * f64::from(multiple)),
            Self::Range { low, high } => Expected::Between(low.into(), high.into()),
            Self::Uncertain { value, .. } => Expected::Doubtful(value.into()),
            Self::Glc { cycles, extra } => {
                Expected::WithGlc { without: cycles.into(), with: f64::from(cycles) + f64::from(extra) }
            }
            Self::Alternatives { first, second, .. } => Expected::OneOf(first.into(), second.into()),
            Self::Unknown | Self::OfCycles { .. } => Expected::Unknown,
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => write!(f, "{value}"),
            Self::Fraction { numerator, denominator } => write!(f, "{numerator}/{denominator}"),
            Self::DpFactor { multiple } => write!(f, "DPFACTOR*{multiple}"),
            Self::Range { low, high } => write!(f, "{low}-{high}"),
            Self::Uncertain { value, doubt: Doubt::Question } => write!(f, "{value}?"),
            Self::Uncertain { value, doubt: Doubt::Questions } => write!(f, "{value} (???)"),
            Self::Unknown => f.write_str("?"),
            Self::Glc { cycles, extra } => write!(f, "{cycles}+GLC{extra}"),
            Self::Alternatives { first, second, footnote } => write!(f, "{first} or {second} ({footnote})"),
            Self::OfCycles { numerator } => write!(f, "1/(CYCLES/{numerator})"),
        }
    }
}

impl FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, ExpressionError> {
        let error = |reason| ExpressionError { text: text.to_owned(), reason };
        let expression = parse(text).map_err(error)?;
        // "04" or "1 / 4" would not come back as printed.
        if expression.to_string() != text {
            return Err(error("numbers have no leading zeros or signs, and no space where the source has none"));
        }
        Ok(expression)
    }
}

fn parse(text: &str) -> Result<Expression, &'static str> {
    let number = |digits: &str| digits.parse::<u32>().map_err(|_| "a whole number below 2^32 was expected");
    let not_zero = |value: u32| if value == 0 { Err("a divisor must not be 0") } else { Ok(value) };
    if text == "?" {
        return Ok(Expression::Unknown);
    }
    if let Some(multiple) = text.strip_prefix("DPFACTOR*") {
        return Ok(Expression::DpFactor { multiple: number(multiple)? });
    }
    if let Some(numerator) = text.strip_prefix("1/(CYCLES/").and_then(|rest| rest.strip_suffix(')')) {
        return Ok(Expression::OfCycles { numerator: not_zero(number(numerator)?)? });
    }
    if let Some((cycles, extra)) = text.split_once("+GLC") {
        return Ok(Expression::Glc { cycles: number(cycles)?, extra: number(extra)? });
    }
    if let Some((first, rest)) = text.split_once(" or ") {
        let (second, mark) = rest.split_once(" (").ok_or("alternatives need a footnote: `4 or 16 (1)`")?;
        let mark = mark.strip_suffix(')').ok_or("the footnote's closing parenthesis is missing")?;
        let footnote = mark.parse().map_err(|_| "a footnote is a number below 256")?;
        return Ok(Expression::Alternatives { first: number(first)?, second: number(second)?, footnote });
    }
    if let Some(value) = text.strip_suffix(" (???)") {
        return Ok(Expression::Uncertain { value: number(value)?, doubt: Doubt::Questions });
    }
    if let Some(value) = text.strip_suffix('?') {
        return Ok(Expression::Uncertain { value: number(value)?, doubt: Doubt::Question });
    }
    if let Some((low, high)) = text.split_once('-') {
        let (low, high) = (number(low)?, number(high)?);
        return if low <= high {
            Ok(Expression::Range { low, high })
        } else {
            Err("a range starts with its lower end")
        };
    }
    if let Some((numerator, denominator)) = text.split_once('/') {
        return Ok(Expression::Fraction {
            numerator: number(numerator)?,
            denominator: not_zero(number(denominator)?)?,
        });
    }
    number(text).map(Expression::Number).map_err(
        |_| "known forms are 4, 1/4, DPFACTOR*4, 16-24, 18?, 20 (???), ?, 16+GLC1, 4 or 16 (1) and 1/(CYCLES/4)",
    )
}

impl Serialize for Expression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
