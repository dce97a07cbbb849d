//! A measured quantity with its interval, and how it is printed.

use gcn_model::quantity::Cycles;

use crate::statistics::Estimate;

/// A quantity with the 95 % confidence interval around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured<Q> {
    /// The estimate.
    pub value: Q,
    /// The interval's lower end.
    pub low: Q,
    /// The interval's upper end.
    pub high: Q,
}

impl From<&Estimate> for Measured<Cycles> {
    fn from(estimate: &Estimate) -> Self {
        Self { value: Cycles(estimate.value), low: Cycles(estimate.low()), high: Cycles(estimate.high()) }
    }
}

impl<Q: Into<f64> + Copy> Measured<Q> {
    /// Value, lower and upper end as plain numbers.
    pub fn numbers(&self) -> [f64; 3] {
        [self.value.into(), self.low.into(), self.high.into()]
    }

    /// Half of the interval's width.
    pub(crate) fn half_width(&self) -> f64 {
        (self.high.into() - self.low.into()) / 2.0
    }

    /// Value, lower and upper end for a table.
    pub(crate) fn fields(measured: Option<&Self>) -> [String; 3] {
        measured.map_or_else(Default::default, |measured| measured.numbers().map(decimal))
    }
}

impl Measured<Cycles> {
    /// So many times as much; the factor is positive.
    pub(crate) fn scaled(self, factor: f64) -> Self {
        let scaled = |cycles: Cycles| Cycles(cycles.0 * factor);
        Self { value: scaled(self.value), low: scaled(self.low), high: scaled(self.high) }
    }

    /// The multiple of 4 that the measurement stands for, if it stands for one: the interval, widened by half a
    /// cycle, holds it. A SIMD issues every fourth cycle, so most instructions take such a number.
    pub fn snapped(&self) -> Option<Cycles> {
        let multiple = (self.value.0 / 4.0).round() * 4.0;
        (multiple > 0.0 && self.low.0 - 0.5 <= multiple && multiple <= self.high.0 + 0.5).then_some(Cycles(multiple))
    }
}

/// A number rounded to four decimals, in the shortest form that says it. For print only: nothing is computed from it.
pub(crate) fn decimal(value: impl Into<f64>) -> String {
    let rounded = (value.into() * 1e4).round() / 1e4;
    // Avoids "-0".
    (if rounded == 0.0 { 0.0 } else { rounded }).to_string()
}
