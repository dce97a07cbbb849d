//! `gcn-timings assemble-child`: the process that assembles a user's text; not for people.

use std::path::PathBuf;

use clap::Args;

use crate::device::take_standard_output;
use crate::llvm::serve_text;

/// Assemble standard input for another process.
#[derive(Debug, Args)]
pub struct AssembleChild {
    #[arg(long)]
    llvm: Option<PathBuf>,
}

pub(super) fn run(arguments: &AssembleChild) -> anyhow::Result<()> {
    let output = take_standard_output()?;
    Ok(serve_text(arguments.llvm.as_deref(), &output)?)
}
