//! `gcn-timings analyze`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::tables::keep;
use super::terminal::Terminal;
use super::{summary, summary_json};

/// Derive everything again from a run's stored readings.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  gcn-timings analyze results/tahiti/2026-11-21T12-00-00Z")]
pub struct Analyze {
    /// Folder of the run
    dir: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Print the whole summary: all suites, counts by source, open questions
    #[arg(short, long, conflicts_with = "json")]
    verbose: bool,
}

pub(super) fn run(arguments: &Analyze) -> anyhow::Result<()> {
    let analysis = gcn_analysis::analyze(&arguments.dir)?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        summary_json::write_json(&mut out, &analysis.summary(), None, &arguments.dir)?;
    } else {
        summary::write(&mut Terminal::standard(), &analysis.summary(), None, &arguments.dir, arguments.verbose)?;
    }
    out.flush()?;
    Ok(keep(&analysis, &arguments.dir)?)
}
