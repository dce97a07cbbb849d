//! Why a run ended early.

use std::path::PathBuf;

use crate::assembler::AssemblyError;
use crate::device::DeviceError;
use crate::experiment::ShardError;
use crate::kept_kernels::KeptKernelsError;
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
        path: PathBuf,
        /// Why it failed.
        cause: std::io::Error,
    },
    /// A row cannot be stored.
    #[error(
        "cannot write {}: {cause}; the run stops; after a repair, `gcn-timings measure --resume --out {}` continues it",
        path.display(),
        folder.display()
    )]
    Store {
        path: PathBuf,
        /// Why it failed.
        cause: std::io::Error,
        folder: PathBuf,
    },
    /// A kernel cannot be kept for machines without LLVM.
    #[error("{kernel} cannot be kept: {why}")]
    NotKept {
        /// Its symbol.
        kernel: String,
        /// Why it does not assemble.
        why: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Read {
        path: PathBuf,
        /// Why it failed.
        cause: std::io::Error,
    },
    /// Another process has the folder.
    #[error("{}: another gcn-timings measures into this folder; wait for its end, or name another folder with --out", .0.display())]
    Locked(PathBuf),
    /// The folder is not a run's.
    #[error("{}: not a run's folder: it has files, but no run.json; name another folder with --out", .0.display())]
    NotARun(PathBuf),
    /// The journal is gone.
    #[error("{}: the run's journal.csv is missing; restore it, or measure into another folder", .0.display())]
    NoJournal(PathBuf),
    /// The note of the current attempt is damaged.
    #[error(
        "{}: the note of the current attempt is damaged: {cause}; remove the file, and the experiment is attempted again",
        path.display()
    )]
    Note {
        path: PathBuf,
        /// What does not fit.
        cause: serde_json::Error,
    },
    /// The run differs from the resumed one.
    #[error("{}: not the run to resume: {differences}; use the same, or measure into another folder", folder.display())]
    Differs { folder: PathBuf, differences: String },
    /// The stored data differs from the plan.
    #[error("{}: {what}; the file was changed: restore it, or measure into another folder", path.display())]
    NotPlanned { path: PathBuf, what: String },
    /// The time cannot be recorded.
    #[error("the system's clock is at a time that has no date: {0}; set it to the date of today")]
    Clock(String),
    /// There is no such shard.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// Runs that are not shards of the same run.
    #[error("{0}")]
    Merge(String),
    /// No instruction was chosen.
    #[error("{0}")]
    NothingToMeasure(String),
    /// A template is wrong.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// A kernel does not assemble.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// A kept code object cannot be had.
    #[error(transparent)]
    KeptKernels(#[from] KeptKernelsError),
    /// The assembled code differs from the plan.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The readings stored so far cannot be read back.
    #[error(transparent)]
    Results(#[from] gcn_analysis::AnalysisError),
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
