//! Which of the schedulers' tables speak of a target.

use serde::Deserialize;

use super::classes::rows;
use crate::results::Results;

const TARGETS: &str = include_str!("../../../data/export/targets.csv");

/// The schedulers' tables for a run's target are not known.
#[derive(Debug, thiserror::Error)]
#[error(
    "{target}: LLVM's and ACO's schedulers for it are not known (analysis/data/export/targets.csv); --format json has its numbers"
)]
pub struct ExportError {
    target: String,
}

/// A row of `targets.csv`.
#[derive(Debug, Deserialize)]
pub(super) struct Schedulers {
    /// LLVM's name of its model.
    pub(super) llvm_model: String,
    /// Cycles of a slot, the unit of the model's latencies: by the comments in `SISchedule.td` 1 / (operations / cycle), before GFX10 / 4.
    pub(super) slot_cycles: f64,
    targets: String,
    /// The part of ACO's table.
    pub(super) aco_table: String,
}

/// The tables that speak of a run's target.
///
/// # Errors
/// None is known.
pub(super) fn schedulers(run: &Results) -> Result<Schedulers, ExportError> {
    let target = run.record.device.target.split(':').next().unwrap_or_default().to_owned();
    let targets: Vec<Schedulers> = rows(TARGETS);
    targets.into_iter().find(|row| row.targets.split(' ').any(|of_row| of_row == target)).ok_or(ExportError { target })
}
