//! Why a run cannot be exported.

/// The schedulers' tables for the run's target are not known.
#[derive(Debug, thiserror::Error)]
#[error(
    "{target}: LLVM's and ACO's schedulers for it are not known (analysis/data/export/targets.csv); --format json has its numbers"
)]
pub struct ExportError {
    pub(super) target: String,
}
