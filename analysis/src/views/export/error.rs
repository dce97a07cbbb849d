//! Why a run cannot be exported.

/// A failure to put a run's results into another shape.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The schedulers' tables for a target are not known.
    #[error(
        "{target}: LLVM's and ACO's schedulers for it are not known (analysis/data/export/targets.csv); --format json has its numbers"
    )]
    NoTable { target: String },
    /// A data file of this crate is wrong: a fault of this crate.
    #[error("{file}: {source}")]
    Data { file: &'static str, source: csv::Error },
}
