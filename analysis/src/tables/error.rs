//! Why the results of a folder cannot be read.

use std::path::PathBuf;

use crate::error::AnalysisError;

/// A failure to read the tables of a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablesError {
    /// There is no folder of that name.
    #[error("{}: no such folder; a run's folder is what `gcn-timings measure --out DIR` makes", .0.display())]
    NoFolder(PathBuf),
    /// The folder has no `run.json`.
    #[error("{}: no run.json in it, so this is not a run's folder", .0.display())]
    NotARun(PathBuf),
    /// A table that every run has is not there.
    #[error("{}: not there; `gcn-timings analyze {}` writes it", path.display(), folder.display())]
    NoTable { path: PathBuf, folder: PathBuf },
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    /// A JSON file differs from a run's output.
    #[error("{}: {source}; restore the file, or measure again", path.display())]
    Json {
        path: PathBuf,
        /// What does not fit, with line and column.
        source: serde_json::Error,
    },
    /// The records of the run are not as it wrote them.
    #[error(transparent)]
    Records(#[from] AnalysisError),
    /// A row of a table differs from a run's output.
    #[error("{}:{line}: {problem}; `gcn-timings analyze` writes the table again", path.display())]
    Row {
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        problem: String,
    },
}
