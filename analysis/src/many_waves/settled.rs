//! A row of throughput that settled, two of them that agree, and how long the instruction keeps its unit by them.

use super::throughput::ThroughputRow;
use crate::settle::{CONFIRMING_THROUGHPUT, SAME_THROUGHPUT, Status, THROUGHPUT_RESOLUTION, VAGUE_THROUGHPUT};

/// A row that settled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Settled {
    pub(super) waves: u32,
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Settled {
    /// A row that is possible: not above the bound.
    pub(super) fn of(row: &ThroughputRow, bound: f64) -> Option<Self> {
        let [value, low, high] = row.throughput?.numbers();
        let is_possible = low <= bound * (1.0 + THROUGHPUT_RESOLUTION);
        is_possible.then(|| Self { waves: row.waves_per_simd, value: value.min(bound.max(low)), low, high })
    }

    pub(super) fn width(&self) -> f64 {
        self.high - self.low
    }

    /// Whether it tells nothing.
    pub(super) fn is_vague(&self) -> bool {
        self.width() / 2.0 > VAGUE_THROUGHPUT * self.value
    }

    /// Whether its interval holds a throughput, or misses it by no more than `near`.
    pub(super) fn holds(&self, throughput: f64, near: f64) -> bool {
        self.low - near <= throughput && throughput <= self.high + near
    }

    /// Whether its value is that throughput, as far as rows that say the same differ.
    pub(super) fn is_at(&self, throughput: f64) -> bool {
        (self.value - throughput).abs() <= SAME_THROUGHPUT * throughput
    }

    /// Whether published values could be told apart by it.
    pub(super) fn is_sharp(&self) -> bool {
        self.width() / 2.0 <= THROUGHPUT_RESOLUTION * self.value
    }

    pub(super) fn is_close(&self) -> bool {
        self.width() / 2.0 <= CONFIRMING_THROUGHPUT * self.value
    }
}

/// Two numbers of waves with the same throughput. More waves do as much as the unit can or as much as each alone, so it is the
/// unit's: a row of more waves that is above both contradicts both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plateau([Settled; 2]);

impl Plateau {
    /// The one of the fewest waves.
    pub(super) fn of(rows: &[Settled]) -> Option<Self> {
        let mut close: Vec<Settled> = rows.iter().filter(|row| row.is_close()).copied().collect();
        close.sort_by_key(|row| row.waves);
        let pairs = (0..close.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
        let mut pairs = pairs.map(|(first, second)| [close[first], close[second]]);
        let agree = |[few, many]: &[Settled; 2]| {
            few.waves < many.waves && (many.value / few.value - 1.0).abs() <= SAME_THROUGHPUT
        };
        pairs.find(agree).map(Self)
    }

    pub(super) fn waves(&self) -> [u32; 2] {
        self.0.map(|row| row.waves)
    }

    /// The most that both rows allow.
    pub(super) fn high(&self) -> f64 {
        self.0[0].high.min(self.0[1].high)
    }

    /// Whether a row says that more is possible.
    pub(super) fn is_exceeded_by(&self, row: &Settled) -> bool {
        row.waves > self.0[1].waves && self.0.iter().all(|of| row.low > of.high.max(of.value * (1.0 + SAME_THROUGHPUT)))
    }
}

/// Cycles for which an instruction keeps the unit of a SIMD from others like it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hold {
    /// At least, where each SIMD has a unit: two numbers of waves have the same throughput, and more would do no more. `None` without such two.
    pub(crate) least: Option<f64>,
    /// At most: several waves together issue one at least this rarely.
    pub(crate) most: f64,
}

impl Hold {
    /// By the rows of an instruction that as many units execute; `None` without a row of several waves. A lone wave pays the front end's charge.
    pub(crate) fn of(rows: &[&ThroughputRow], units: u32) -> Option<Self> {
        let stated = || rows.iter().filter(|row| row.status == Status::Ok);
        let several = stated().filter(|row| row.waves_per_simd > 1);
        let most = several.filter_map(|row| row.cost()).map(|cost| cost.high.0).reduce(f64::min)?;
        let settled: Vec<Settled> = stated().filter_map(|row| Settled::of(row, f64::INFINITY)).collect();
        let least = Plateau::of(&settled).map(|plateau| 1.0 / plateau.high());
        let units = f64::from(units);
        Some(Self { least: least.map(|least| units * least), most: units * most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[(u32, f64, f64)]) -> Option<Hold> {
        let rows: Vec<_> =
            rows.iter().map(|&(waves, value, half)| ThroughputRow::example(waves, Some((value, half)))).collect();
        Hold::of(&rows.iter().collect::<Vec<_>>(), 4)
    }

    #[test]
    fn two_numbers_of_waves_that_agree_say_how_long_a_unit_is_kept() {
        assert_eq!(of(&[(1, 0.25, 0.0), (2, 0.5, 0.0), (4, 0.5, 0.0)]), Some(Hold { least: Some(8.0), most: 8.0 }));
        assert_eq!(of(&[(1, 0.25, 0.0), (2, 0.5, 0.0)]), Some(Hold { least: None, most: 8.0 }));
        assert_eq!(of(&[(1, 0.25, 0.0)]), None);
    }
}
