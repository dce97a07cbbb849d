//! Which of two waves of a SIMD issues first: rows of `wave-order.csv`.

use std::collections::BTreeMap;

use gcn_model::record::WAVE_ORDER;

use crate::many_waves::{HwIdLayout, Placement};
use crate::one_wave::OneWave;
use crate::run::StoredReading;
use crate::statistics::median;
use crate::suites::rule::of_rule;
use crate::tables::{Measured, table, words};

words! {
    /// Whose turn it is, of two waves that want the same unit all the time.
    pub enum Turn {
        /// They take turns: both take as long.
        Shared = "in turn",
        /// The wave in the lower slot, which was launched first, is served first.
        LowerFirst = "lower slot first",
        /// The wave in the higher slot is.
        HigherFirst = "higher slot first",
    }
}

table! { "wave-order.csv":
    /// A row of `wave-order.csv`: two waves on each SIMD that run the same code.
    pub struct WaveOrderRow {
        pub instruction: String,
        /// Whether they have the same priority.
        pub case: String,
        pub turn: Option<Turn>,
        /// The time of the wave in the odd slot, divided by that of the one in the even slot: the median of all pairs.
        pub ratio: Option<Measured> = "ratio" "low" "high",
        /// Pairs of waves.
        pub pairs: usize,
        /// Why something is absent.
        pub detail: String,
    }
}

/// Least pairs whose median has an interval of 95 %.
const LEAST_PAIRS: usize = 8;
/// Between a wave that shares its unit all the time, and one that is alone half of it: a factor of two lies in the middle.
const APART: f64 = std::f64::consts::SQRT_2;

/// The rows of both cases, in the order of the run.
pub(super) fn rows(waves: &OneWave<'_>) -> Vec<WaveOrderRow> {
    let run = waves.run;
    let layout = HwIdLayout::of_device(&run.record.device);
    let row = |(position, instruction, case): (usize, &str, &str)| {
        let ratios = layout.map(|layout| ratios(run.readings_of(position), layout)).unwrap_or_default();
        let ratio = median_of(&ratios);
        let turn = ratio.ok_or_else(|| format!("{} pairs of waves are too few", ratios.len())).and_then(turn);
        WaveOrderRow {
            instruction: instruction.to_owned(),
            case: case.to_owned(),
            detail: turn.as_ref().err().cloned().unwrap_or_default(),
            turn: turn.ok(),
            ratio,
            pairs: ratios.len(),
        }
    };
    let all = of_rule(waves, WAVE_ORDER);
    all.map(|(position, record)| (position, record.instruction.as_str(), record.case.as_str())).map(row).collect()
}

fn turn(ratio: Measured) -> Result<Turn, String> {
    match ratio {
        _ if ratio.high < 1.0 / APART => Ok(Turn::HigherFirst),
        _ if ratio.low > APART => Ok(Turn::LowerFirst),
        _ if ratio.low > 1.0 / APART && ratio.high < APART => Ok(Turn::Shared),
        _ => Err("the pairs differ".to_owned()),
    }
}

/// For each two waves that had a SIMD for themselves, one in an odd and one in an even slot: how much longer the former took.
fn ratios(readings: &[StoredReading], layout: HwIdLayout) -> Vec<f64> {
    let mut of_simds: BTreeMap<_, Vec<(Placement, f64)>> = BTreeMap::new();
    for reading in readings.iter().filter(|reading| reading.hw_id == reading.hw_id_end) {
        let place = layout.decode(reading.hw_id);
        let cycles = reading.end.wrapping_sub(reading.begin) as f64;
        of_simds
            .entry((reading.launch, reading.n, reading.pass, place.compute_unit, place.simd))
            .or_default()
            .push((place, cycles));
    }
    let ratio = |waves: Vec<(Placement, f64)>| match waves[..] {
        [(one, first), (other, second)] if (one.slot ^ other.slot) & 1 == 1 && first > 0.0 && second > 0.0 => {
            Some(if one.slot & 1 == 1 { first / second } else { second / first })
        }
        _ => None,
    };
    of_simds.into_values().filter_map(ratio).collect()
}

/// The median, and the interval of order statistics that holds it with 95 %: binomial, by its normal approximation.
fn median_of(values: &[f64]) -> Option<Measured> {
    if values.len() < LEAST_PAIRS {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let out = 0.98 * count.sqrt();
    let low = (count / 2.0 - out).floor().max(0.0) as usize;
    let high = ((count / 2.0 + out).ceil() as usize).min(sorted.len() - 1);
    median(values).map(|value| Measured { value, low: sorted[low], high: sorted[high] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_told_where_all_of_the_interval_says_so() {
        let of = |value: f64, half: f64| turn(Measured::around(value, half));
        assert_eq!(of(1.0, 0.2), Ok(Turn::Shared));
        assert_eq!(of(0.5, 0.1), Ok(Turn::HigherFirst));
        assert_eq!(of(2.0, 0.3), Ok(Turn::LowerFirst));
        assert!(of(1.4, 0.2).is_err());
    }

    #[test]
    fn the_median_needs_some_pairs() {
        assert_eq!(median_of(&[1.0; 7]), None);
        let many: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(median_of(&many), Some(Measured { value: 49.5, low: 40.0, high: 60.0 }));
    }
}
