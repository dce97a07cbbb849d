//! Numbers in tables.

use serde::{Serialize, Serializer};

use crate::tables::measured::decimal;

/// A value with the interval around it, in the unit of its column.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Span {
    pub value: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
}

impl Span {
    /// The three columns together; absent if one of them is empty or no number.
    pub(crate) fn of(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Option<Self> {
        let span = Self { value: value?, low: low?, high: high? };
        (span.value.is_finite() && span.low.is_finite() && span.high.is_finite()).then_some(span)
    }
}

/// A number as tables print it; empty without one.
pub(crate) fn printed<N: Copy + Into<Option<f64>>, S: Serializer>(
    number: &N,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&(*number).into().map(decimal).unwrap_or_default())
}
