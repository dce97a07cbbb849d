//! A measured quantity with its interval, and the digits of numbers in tables.

use gcn_model::quantity::Cycles;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::settle::CYCLES_RESOLUTION;
use crate::statistics::Estimate;

/// Decimals that every number is rounded to.
pub(super) const DECIMALS: i32 = 4;

/// Decimals beyond which a number is floating point's form of 0.
const MOST_DECIMALS: i32 = 7;

/// A number rounded to four decimals, below 0.1 to four significant digits, in the shortest form that says it. For print only: nothing is
/// computed from it.
pub(crate) fn decimal(value: impl Into<f64>) -> String {
    let value = value.into();
    // Another digit for each leading zero of the decimals.
    let zeros = if value == 0.0 { 0.0 } else { (-value.abs().log10().floor() - 1.0).max(0.0) };
    let decimals = (DECIMALS + zeros.min(f64::from(MOST_DECIMALS)) as i32).min(MOST_DECIMALS);
    let unit = 10_f64.powi(decimals);
    let rounded = (value * unit).round() / unit;
    // Avoids "-0".
    (if rounded == 0.0 { 0.0 } else { rounded }).to_string()
}

/// The number that tables print.
pub(crate) fn printed(value: f64) -> f64 {
    decimal(value).parse().unwrap_or(value)
}

/// Half intervals of 95 % within which no rival may lie, for a number to be called certain: a tail of one in 10,000.
pub(super) const CERTAIN: f64 = 2.0;

/// A quantity with the 95 % confidence interval around it; a plain number is in the unit of its column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured<Q = f64> {
    pub value: Q,
    pub low: Q,
    pub high: Q,
}

impl From<&Estimate> for Measured<Cycles> {
    fn from(estimate: &Estimate) -> Self {
        Measured::<f64>::from(estimate).map(Cycles)
    }
}

impl From<&Estimate> for Measured {
    fn from(estimate: &Estimate) -> Self {
        Self { value: estimate.value, low: estimate.low(), high: estimate.high() }
    }
}

impl<Q: Copy> Measured<Q> {
    /// A number without doubt.
    pub const fn exactly(value: Q) -> Self {
        Self { value, low: value, high: value }
    }

    /// The same of each of the three numbers; `each` keeps their order.
    pub(crate) fn map<R>(self, each: impl Fn(Q) -> R) -> Measured<R> {
        Measured { value: each(self.value), low: each(self.low), high: each(self.high) }
    }
}

#[cfg(test)]
impl Measured {
    /// A number with this half of its interval.
    pub(crate) fn around(value: f64, half: f64) -> Self {
        Self { value, low: value - half, high: value + half }
    }
}

impl<Q: Into<f64> + Copy> Serialize for Measured<Q> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut ends = serializer.serialize_struct("Measured", 3)?;
        for (name, number) in ["value", "low", "high"].into_iter().zip(self.numbers()) {
            ends.serialize_field(name, &printed(number))?;
        }
        ends.end()
    }
}

impl From<[f64; 3]> for Measured {
    fn from([value, low, high]: [f64; 3]) -> Self {
        Self { value, low, high }
    }
}

impl<Q: Into<f64> + Copy> Measured<Q> {
    /// Value, lower and upper end as plain numbers.
    pub fn numbers(&self) -> [f64; 3] {
        [self.value.into(), self.low.into(), self.high.into()]
    }

    /// The same without its unit.
    pub(crate) fn plain(&self) -> Measured {
        self.map(Into::into)
    }

    /// An amount divided by it, in a unit; `None` where it may be nothing.
    pub(crate) fn dividing<R>(&self, amount: f64, unit: fn(f64) -> R) -> Option<Measured<R>> {
        let [value, low, high] = self.numbers().map(|number| unit(amount / number));
        (self.low.into() > 0.0).then_some(Measured { value, low: high, high: low })
    }

    /// Half of the interval's width.
    pub(crate) fn half_width(&self) -> f64 {
        (self.high.into() - self.low.into()) / 2.0
    }
}

/// The same without its unit.
pub(crate) fn plain<Q: Into<f64> + Copy>(measured: Option<Measured<Q>>) -> Option<Measured> {
    measured.map(|measured| measured.plain())
}

/// How much wider an interval of 99.9 % is than one of 95 %.
const OF_MANY: f64 = 1.68;

impl Measured<Cycles> {
    /// The same where fewer cycles than these are impossible: noise alone says less.
    pub(crate) fn at_least(self, least: Cycles) -> Self {
        self.map(|cycles| Cycles(cycles.0.max(least.0)))
    }

    /// With an interval of 99.9 %: for hundreds that are read together, of which 1 in 20 would else be off.
    pub(crate) fn of_many(self) -> Self {
        let value = self.value.0;
        self.map(|end| Cycles(value + OF_MANY * (end.0 - value)))
    }

    /// Less by something between nothing and these cycles: the interval grows downwards, and the value is in its middle.
    pub(crate) fn less_up_to(self, cycles: Cycles) -> Self {
        let Self { value, low, high } = self;
        Self { value: Cycles(value.0 - cycles.0 / 2.0), low: Cycles(low.0 - cycles.0), high }
    }

    /// Whether these additional cycles are zero; `None` where the interval does not tell.
    pub(crate) fn is_nothing(self) -> Option<bool> {
        let is_nothing = self.high.0 <= CYCLES_RESOLUTION;
        (is_nothing || self.low.0 > CYCLES_RESOLUTION).then_some(is_nothing)
    }

    /// So many times as much; the factor is positive.
    pub(crate) fn scaled(self, factor: f64) -> Self {
        self.map(|cycles| Cycles(cycles.0 * factor))
    }

    /// How many cycles more than others; both are independent.
    pub(crate) fn minus(self, others: Self) -> Self {
        let value = self.value.0 - others.value.0;
        let half = self.half_width().hypot(others.half_width());
        Self { value: Cycles(value), low: Cycles(value - half), high: Cycles(value + half) }
    }

    /// The multiple of the cycles from one issue of a SIMD to its next that the measurement stands for, if it stands for one: no other
    /// whole number of cycles is within twice the interval. Where a SIMD issues every fourth cycle, most instructions take a multiple of
    /// 4; but 11 cycles are not 12.
    pub(crate) fn snapped(&self, issue_interval: Cycles) -> Option<Cycles> {
        let near = |ends: f64| {
            let below = ends * (self.value.0 - self.low.0) + CYCLES_RESOLUTION;
            let above = ends * (self.high.0 - self.value.0) + CYCLES_RESOLUTION;
            ((self.value.0 - below).ceil(), (self.value.0 + above).floor())
        };
        let (least, most) = near(CERTAIN);
        let (low, high) = near(1.0);
        (least == most && low == high && least > 0.0 && least % issue_interval.0 == 0.0).then_some(Cycles(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multiple_of_the_issue_interval_is_named_only_if_no_other_cycle_is_left() {
        let of = |interval: f64, low, value, high| {
            let measured = Measured { value: Cycles(value), low: Cycles(low), high: Cycles(high) };
            measured.snapped(Cycles(interval)).map(f64::from)
        };
        let snapped = |low, value, high| of(4.0, low, value, high);
        assert_eq!(snapped(12.0, 12.0, 12.0), Some(12.0));
        assert_eq!(snapped(11.9, 12.05, 12.2), Some(12.0));
        // 11 cycles in noise, which half a cycle more would make 12.
        assert_eq!(snapped(10.5, 11.05, 11.6), None);
        assert_eq!(snapped(11.3, 11.8, 12.3), None);
        assert_eq!(snapped(11.0, 11.0, 11.0), None);
        assert_eq!(snapped(0.0, 0.0, 0.0), None);
        assert_eq!(snapped(3.333, 3.333, 3.333), None);
        assert_eq!(of(1.0, 11.0, 11.0, 11.0), Some(11.0));
        assert_eq!(of(1.0, 3.333, 3.333, 3.333), None);
    }

    #[test]
    fn small_numbers_keep_their_digits() {
        let found = [2.0 / 3.0, 1.0 / 12.0, 0.00254, -0.00254, 123.456_789, 1e-13, -0.0, 0.1, 0.0625].map(decimal);
        assert_eq!(found, ["0.6667", "0.08333", "0.00254", "-0.00254", "123.4568", "0", "0", "0.1", "0.0625"]);
    }
}
