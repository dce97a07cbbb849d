//! Why a launch file cannot be used.

/// Why a launch file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchFileError {
    /// The file cannot be read.
    #[error("{file}: {source}")]
    Read { file: String, source: std::io::Error },
    /// Something in it is wrong.
    #[error("{at}: {problem}")]
    Wrong {
        /// File, line and column.
        at: String,
        problem: String,
    },
}
