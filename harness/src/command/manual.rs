//! `gcn-timings manual`.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command};

/// Write the manual pages: one for the program and one for each command.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  gcn-timings manual --out share/man/man1")]
pub struct Manual {
    /// Folder for the pages
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(arguments: &Manual, program: Command) -> anyhow::Result<()> {
    let out = &arguments.out;
    std::fs::create_dir_all(out)
        .and_then(|()| clap_mangen::generate_to(program, out))
        .with_context(|| format!("{}: the pages cannot be written", out.display()))
}
