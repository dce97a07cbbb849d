//! Faults of a bundle, and reasons why it cannot be made.

use std::io;
use std::path::PathBuf;

/// Why there is no bundle, or none that counts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BundleError {
    /// The folder is not a run's, or damaged; or the run in the bundle does not analyse.
    #[error(transparent)]
    Run(#[from] gcn_analysis::AnalysisError),
    /// The folder has tables, but not their records.
    #[error(
        "{}: results without records, which a bundle needs; name the folder that `gcn-timings measure` wrote",
        .0.display()
    )]
    NoRecords(PathBuf),
    /// A row of the run cannot be read as the row that it is.
    #[error("{}: {cause}; measure again, or restore the file as the run wrote it", path.display())]
    Row {
        path: PathBuf,
        /// What does not fit.
        cause: csv::Error,
    },
    /// The place of the bundle, or of its run, is taken.
    #[error("{} exists: nothing is overwritten; name another one with --out", .0.display())]
    Exists(PathBuf),
    /// The bundle, or a file of it, cannot be written.
    #[error("{}: cannot be written: {cause}", path.display())]
    Write {
        path: PathBuf,
        /// Why it failed.
        cause: io::Error,
    },
    /// The bundle cannot be read.
    #[error("{}: cannot be read: {cause}", path.display())]
    Read {
        /// The bundle.
        path: PathBuf,
        cause: io::Error,
    },
    /// The file is no bundle.
    #[error("{}: not a bundle: {what}; `gcn-timings bundle DIR` makes one", path.display())]
    NotABundle {
        path: PathBuf,
        /// The missing part.
        what: String,
    },
    /// The bundle is not as it was made.
    #[error("{}: damaged, or changed after it was made: {what}; have it sent again", path.display())]
    Damaged {
        /// The bundle.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// Its files are longer than allowed.
    #[error(
        "{}: its files have more than {most_bytes} bytes, as it says: the limit is 256 MiB, which --limit raises, and 128 times the bundle's size",
        path.display()
    )]
    TooLarge {
        /// The bundle.
        path: PathBuf,
        most_bytes: u64,
    },
    /// The bundle is of another version of its format.
    #[error("{}: a bundle of version {found}, and this tool reads version {supported}; check it with {tool}", path.display())]
    Version {
        /// The bundle.
        path: PathBuf,
        /// The version that it states.
        found: u64,
        /// The version that is read here.
        supported: u64,
        /// The tool that made it, as it says.
        tool: String,
    },
}
