//! `gcn-timings report`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use gcn_analysis::{Tables, report_html};

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
    let run = Tables::load(&arguments.dir)?;
    let path = arguments.dir.join("report.html");
    // Beside the page and renamed: a browser that reloads never meets half a page.
    let beside = arguments.dir.join(format!(".report.html.{}.new", std::process::id()));
    let written = fs::write(&beside, report_html(&run)?).and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // The failure to write is what the user has to hear of; a leftover is removed if it can be.
        let _ = fs::remove_file(&beside);
    }
    written.with_context(|| format!("{}: cannot be written", path.display()))?;
    writeln!(std::io::stdout().lock(), "{}", path.display())?;
    Ok(())
}
