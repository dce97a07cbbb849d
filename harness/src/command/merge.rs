//! `gcn-timings merge`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::terminal::Terminal;
use super::{summary, summary_json};
use crate::run::merge;

/// Put the shards of a run together and derive its tables.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    gcn-timings measure --shard 1/2 --out a        on one card\n  \
    gcn-timings measure --shard 2/2 --out b        on another card of the same kind\n  \
    gcn-timings merge a b --out whole              what one card would have measured in one go\n\n\
    Shards of different cards, drivers, tools or options are refused, and so are missing ones.")]
pub struct Merge {
    /// Folders of the shards, in any order
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Folder for the whole run. It must be empty or new
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Print the whole summary: all suites, counts by source, open questions
    #[arg(short, long, conflicts_with = "json")]
    verbose: bool,
}

pub(super) fn run(arguments: &Merge) -> anyhow::Result<()> {
    merge(&arguments.dirs, &arguments.out)?;
    let analysis = gcn_analysis::analyze(&arguments.out)?;
    analysis.write(&arguments.out)?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        summary_json::write_json(&mut out, &analysis.summary(), None, &arguments.out)?;
    } else {
        summary::write(&mut Terminal::standard(), &analysis.summary(), None, &arguments.out, arguments.verbose)?;
    }
    out.flush()?;
    match &analysis.failed[..] {
        [] => Ok(()),
        failed => bail!(
            "{} of {} experiments failed in their shards, and their values are missing; \
             `measure --resume --retry-failed --out DIR` retries those of a shard, before merging",
            failed.len(),
            analysis.experiments
        ),
    }
}
