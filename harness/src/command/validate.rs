//! `gcn-timings validate`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use gcn_analysis::Verdict;

use super::summary::number;

/// Compare a run with the published timings.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings validate results/tahiti/2026-11-21T12-00-00Z\n  gcn-timings validate DIR --all\n\nThe exit code is 0 whether or not the card agrees with the page: a difference is a finding, not a failure."
)]
pub struct Validate {
    /// Folder of the run
    dir: PathBuf,
    /// Show the values that match or were not measured as well
    #[arg(long)]
    all: bool,
}

pub(super) fn run(arguments: &Validate) -> anyhow::Result<()> {
    let analysis = gcn_analysis::analyze(&arguments.dir)?;
    analysis.write(&arguments.dir)?;
    let rows = analysis.validation();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:<8} {:<28} {:<11} {:<14} {:<10} {:<10} verdict",
        "source", "instruction", "quantity", "published", "expected", "measured"
    )?;
    for row in rows {
        if arguments.all || matches!(row.verdict, Verdict::Mismatch | Verdict::Answers) {
            let measured = row.measured.map_or_else(String::new, |[value, ..]| number(value));
            writeln!(
                out,
                "{:<8} {:<28} {:<11} {:<14} {:<10} {:<10} {}",
                row.source, row.instruction, row.quantity, row.published, row.expected, measured, row.verdict
            )?;
        }
    }
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    writeln!(
        out,
        "\n{} values: {} match, {} differ, {} open questions answered, {} not measured",
        rows.len(),
        count(Verdict::Match),
        count(Verdict::Mismatch),
        count(Verdict::Answers),
        count(Verdict::Unmeasured)
    )?;
    Ok(())
}
