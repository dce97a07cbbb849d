//! The summary of a run, for a person or for scripts.

use std::io::{Result, Write};
use std::path::Path;

use clap::Args;
use gcn_analysis::{Fact, Results, Summary};

use super::json_output::print_json;
use super::terminal::Terminal;
use super::{document_text, summary_json};
use crate::run::DeviceCost;

/// The form of the summary.
#[derive(Debug, Args)]
pub(super) struct SummaryForm {
    /// Print the summary as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Print the whole summary: all suites, counts by source, open questions
    #[arg(short, long, conflicts_with = "json")]
    pub(super) verbose: bool,
}

impl SummaryForm {
    /// Prints the summary of a run in a folder. `spent` is the device's cost in this process, if it measured.
    pub(super) fn print(&self, run: &Results, spent: Option<&DeviceCost>, folder: &Path) -> anyhow::Result<()> {
        if self.json {
            return print_json(&summary_json::as_json(&run.summary(), spent, folder)?);
        }
        Ok(write(&mut Terminal::standard(), &run.summary(), spent, folder, self.verbose)?)
    }
}

/// Writes the summary; with `all`, the other suites and the counts as well.
pub(super) fn write(
    out: &mut impl Write,
    summary: &Summary<'_>,
    spent: Option<&DeviceCost>,
    folder: &Path,
    all: bool,
) -> Result<()> {
    let cost = spent.map(|DeviceCost { launches, gpu_time }| {
        Fact::plain("GPU time", &format!("{:.3} s in {launches} launches", gpu_time.as_secs_f64()))
    });
    let files = Fact::plain("files", &folder.display().to_string());
    document_text::write(out, &summary.document(cost.into_iter().chain([files]).collect(), all))
}
