//! A blind test's requirements: every changed fact is found again, and nothing else changes.

use std::collections::BTreeMap;

use gcn_analysis::{THROUGHPUT_RESOLUTION, TimingRow, csv_text};
use gcn_model::gpu::Gpu;

use crate::MeasuredRun;

/// What sums of doubles are off by, in cycles.
pub const ROUNDING: f64 = 1e-9;

/// Instruction, and the value and interval that an analysis gave it.
pub type Intervals = BTreeMap<String, [f64; 3]>;

/// A GPU that ships, with lines of a GPU file on top.
///
/// # Panics
/// If the lines are wrong.
pub fn blind_gpu(base: &str, lines: &str) -> Gpu {
    let text = format!("base = \"{base}\"\n{lines}");
    Gpu::from_toml(&text, "blind.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// The cycles of a run.
///
/// # Panics
/// If it has none: a test that asks for them would compare nothing.
pub fn cycles(run: &MeasuredRun) -> Intervals {
    measured(run, "cycles", |row| Some(row.cycles?.numbers()))
}

/// The latencies of a run.
///
/// # Panics
/// As [`cycles`].
pub fn latencies(run: &MeasuredRun) -> Intervals {
    measured(run, "latencies", |row| Some(row.latency?.numbers()))
}

/// The throughputs of a run.
///
/// # Panics
/// As [`cycles`].
pub fn throughputs(run: &MeasuredRun) -> Intervals {
    measured(run, "throughputs", |row| Some(row.throughput?.numbers()))
}

fn measured(run: &MeasuredRun, what: &str, of: impl Fn(&TimingRow) -> Option<[f64; 3]>) -> Intervals {
    let rows = run.analysis.timings.iter();
    let found: Intervals = rows.filter_map(|row| Some((row.instruction.clone(), of(row)?))).collect();
    assert!(!found.is_empty(), "the run measured no {what}");
    found
}

/// The criterion of a quiet run: an interval that holds the truth, and is no wider than half a cycle or than the page's
/// own throughputs resolve.
///
/// # Errors
/// The missing or unfound facts.
pub fn found_again(truth: &BTreeMap<String, f64>, found: &Intervals) -> Result<(), String> {
    for (name, truth) in truth {
        let &[value, low, high] = found.get(name).ok_or_else(|| format!("{name} is missing"))?;
        let is_held = low - ROUNDING <= *truth && *truth <= high + ROUNDING;
        let is_throughput = *truth < 4.0;
        // The interval of a throughput may be wide to the side where the truth can be; its value has to be near.
        let is_sharp =
            if is_throughput { (value - truth).abs() <= THROUGHPUT_RESOLUTION * truth } else { high - low <= 0.5 };
        if !is_held || !is_sharp {
            return Err(format!("{name}: {truth} is the truth, and {value} [{low}, {high}] was found"));
        }
    }
    Ok(())
}

/// Every row of `timings.csv`, but those named, is the same in both runs to the last digit printed.
///
/// # Panics
/// If one is not.
pub fn assert_others_unchanged(run: &MeasuredRun, base: &MeasuredRun, but: &dyn Fn(&str) -> bool) {
    let rows = |run: &MeasuredRun| csv_text(&run.analysis.timings);
    assert_eq!(rows(run).lines().count(), rows(base).lines().count());
    for (row, base) in rows(run).lines().zip(rows(base).lines()) {
        if !but(row.split(',').next().unwrap_or_default()) {
            assert_eq!(row, base);
        }
    }
}
