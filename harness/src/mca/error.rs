//! Why there is nothing to compare with.

use std::path::PathBuf;

/// Why there is nothing to compare with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum McaError {
    /// It is not installed.
    #[error(
        "llvm-mca not found: looked for {looked_for}. Install it (Debian and Ubuntu: apt install llvm-22, or llvm), or name it with \
         GCN_TIMINGS_LLVM_MCA=PATH"
    )]
    NotFound {
        /// The names that were tried.
        looked_for: String,
    },
    /// The program that was named is no llvm-mca.
    #[error("{}: {problem}: name llvm-mca with GCN_TIMINGS_LLVM_MCA=PATH", .program.display())]
    Unusable { program: PathBuf, problem: String },
    /// It does not know instructions of the block.
    #[error("{program} refuses, for {target}: {instructions}")]
    Refused {
        program: String,
        target: String,
        /// The instructions, each with the message about it.
        instructions: String,
    },
    /// It ended without a report.
    #[error("{program} has no answer for {target}: {message}")]
    Failed { program: String, target: String, message: String },
    /// Its output has an unknown format.
    #[error("{program} printed an unknown format: {problem}; llvm-mca 22 is supported")]
    Report { program: String, problem: String },
    /// It cannot be started, or its files cannot be written.
    #[error("{program}: {error}")]
    Io { program: String, error: std::io::Error },
    /// The code that was predicted is no code of the GPU.
    #[error(transparent)]
    Code(#[from] gcn_predict::PredictError),
}
