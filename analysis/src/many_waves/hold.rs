//! How long an instruction keeps its unit, from the throughput of many waves.

use super::settled::{Plateau, Settled};
use super::throughput::ThroughputRow;
use crate::settle::Status;

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
