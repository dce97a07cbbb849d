//! A row of throughput that settled, and two of them that agree.

use super::throughput::ThroughputRow;
use crate::settle::{CONFIRMING_THROUGHPUT, SAME_THROUGHPUT, THROUGHPUT_RESOLUTION, VAGUE_THROUGHPUT};

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
