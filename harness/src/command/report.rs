//! `gcn-timings report`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use gcn_analysis::{report_html, write_atomically};

use super::tables::load;

/// Write the report of a run: one HTML page.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  gcn-timings report results/tahiti/2026-11-21T12-00-00Z\n\nThe page is DIR/report.html. It needs nothing from elsewhere and reads without JavaScript."
)]
pub struct Report {
    /// Folder of the run
    dir: PathBuf,
}

pub(super) fn run(arguments: &Report) -> anyhow::Result<()> {
    let run = load(&arguments.dir)?;
    write_atomically(&arguments.dir, "report.html", report_html(&run)?)?;
    let path = arguments.dir.join("report.html");
    writeln!(std::io::stdout().lock(), "{}", path.display())?;
    Ok(())
}
