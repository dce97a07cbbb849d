//! `gcn-timings merge`.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::summary::SummaryForm;
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
    #[command(flatten)]
    form: SummaryForm,
}

pub(super) fn run(arguments: &Merge) -> anyhow::Result<()> {
    merge(&arguments.dirs, &arguments.out)?;
    let analysis = gcn_analysis::analyze(&arguments.out)?;
    analysis.write(&arguments.out)?;
    arguments.form.print(&analysis, None, &arguments.out)?;
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
