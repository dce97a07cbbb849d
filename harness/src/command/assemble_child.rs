//! `gcn-timings assemble-child`: the process that assembles a user's text; not for people.

use std::path::PathBuf;

use clap::Args;

use crate::device::take_standard_output;
use crate::llvm::{TextLimits, serve_text};

/// Assemble standard input for another process.
#[derive(Debug, Args)]
pub struct AssembleChild {
    #[arg(long)]
    target: String,
    #[arg(long)]
    llvm: Option<PathBuf>,
    /// Seconds of processor time
    #[arg(long)]
    seconds: u64,
    /// MiB of address space
    #[arg(long)]
    memory: u64,
}

pub(super) fn run(arguments: &AssembleChild) -> anyhow::Result<()> {
    let output = take_standard_output()?;
    let limits = TextLimits { seconds: arguments.seconds, mebibytes: arguments.memory };
    Ok(serve_text(&arguments.target, arguments.llvm.as_deref(), limits, &output)?)
}
