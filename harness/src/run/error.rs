//! Why a run did not come to its end.

use std::path::PathBuf;

use crate::assembler::AssemblyError;
use crate::device::DeviceError;
use crate::kernel::{CheckError, KernelError};

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The folder for the results holds something already.
    #[error("{0} exists and is not empty: nothing is overwritten; name another folder with --out")]
    NotEmpty(PathBuf),
    /// The folder or a file in it cannot be written.
    #[error("cannot write {path}: {cause}")]
    Write {
        /// What was written.
        path: PathBuf,
        /// Why it failed.
        cause: std::io::Error,
    },
    /// No instruction was chosen.
    #[error("{0}")]
    NothingToMeasure(String),
    /// A template is wrong.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// A kernel does not assemble.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// What was assembled is not what was planned.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The readings stored so far cannot be read back.
    #[error(transparent)]
    Analysis(#[from] gcn_analysis::AnalysisError),
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
