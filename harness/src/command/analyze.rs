//! `gcn-timings analyze`.

use std::path::PathBuf;

use clap::Args;

use super::summary::SummaryForm;
use super::tables::keep;

/// Derive everything again from a run's stored readings.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  gcn-timings analyze results/tahiti/2026-11-21T12-00-00Z")]
pub struct Analyze {
    /// Folder of the run
    dir: PathBuf,
    #[command(flatten)]
    form: SummaryForm,
}

pub(super) fn run(arguments: &Analyze) -> anyhow::Result<()> {
    let analysis = gcn_analysis::analyze(&arguments.dir)?;
    arguments.form.print(&analysis, None, &arguments.dir)?;
    Ok(keep(&analysis, &arguments.dir)?)
}
