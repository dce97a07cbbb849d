//! Why there is no kept code object.

use std::path::PathBuf;

/// Why code objects cannot be kept, or a kept one cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeptKernelsError {
    /// There is no archive for the target.
    #[error("no kernels are kept for {target}: there is no {}", path.display())]
    NoArchive {
        /// LLVM target.
        target: String,
        /// Where it was looked for.
        path: PathBuf,
    },
    /// An archive cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File { path: PathBuf, cause: std::io::Error },
    /// An archive holds an unknown entry.
    #[error("{}: {what}; unpack the program again", path.display())]
    Damaged { path: PathBuf, what: String },
    /// The kernels of these options were not kept.
    #[error(
        "the kernels that this asks for are not among the kept ones, which are those of `gcn-timings measure`, `gcn-timings measure \
         --quick` and `gcn-timings dpfactor` without options that choose instructions, suites, waves or samples; with LLVM there is no such limit: {llvm}"
    )]
    NotKept {
        /// Why there is no LLVM.
        llvm: String,
    },
}
