//! Why a run cannot be exported.

/// A failure to put a run's results into another shape.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// LLVM's model of a target is not known.
    #[error(
        "{target}: which of LLVM's scheduling models it has is not known (analysis/data/export/llvm-models.csv); --format json has its numbers"
    )]
    NoModel {
        /// The target.
        target: String,
    },
    /// ACO's table for a target is not known.
    #[error("{target}: ACO's table is known of gfx6 to gfx9 alone; --format json has its numbers")]
    NoTable {
        /// The target.
        target: String,
    },
    /// A data file of this crate is wrong: a fault of this crate.
    #[error("{file}: {source}")]
    Data {
        /// The file.
        file: &'static str,
        /// What is wrong.
        source: csv::Error,
    },
}
