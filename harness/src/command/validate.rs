//! `gcn-timings validate`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use gcn_analysis::{ValidationRow, Verdict};

use super::summary::number;
use super::tables::keep;
use super::terminal::Terminal;

/// Head of the table.
const HEAD: &str = "source    instruction                  quantity     published      expected   measured   verdict";

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
    let rows = analysis.validation();
    let mut out = Terminal::standard();
    let differs = |row: &&ValidationRow| matches!(row.verdict, Verdict::Mismatch | Verdict::Answers);
    let shown: Vec<_> = rows.iter().filter(|row| arguments.all || differs(row)).collect();
    if !shown.is_empty() {
        writeln!(out, "{HEAD}")?;
    }
    for row in shown {
        let measured = row.measured.map_or_else(String::new, |[value, ..]| number(value));
        let verdict = if row.asked { row.verdict.name() } else { "not asked for" };
        writeln!(
            out,
            "{:<9} {:<28} {:<12} {:<14} {:<10} {:<10} {verdict}",
            row.source, row.instruction, row.quantity, row.published, row.expected, measured
        )?;
    }
    for source in sources(rows) {
        let count =
            |verdict| rows.iter().filter(|row| row.source == source && row.asked && row.verdict == verdict).count();
        let not_asked = rows.iter().filter(|row| row.source == source && !row.asked).count();
        let not_asked = if not_asked > 0 { format!(", {not_asked} not asked for") } else { String::new() };
        writeln!(
            out,
            "{source}: {} match, {} differ, {} open questions answered, {} not measured{not_asked}",
            count(Verdict::Match),
            count(Verdict::Mismatch),
            count(Verdict::Answers),
            count(Verdict::Unmeasured)
        )?;
    }
    out.flush()?;
    Ok(keep(&analysis, &arguments.dir)?)
}

/// The sources in their order.
fn sources(rows: &[ValidationRow]) -> Vec<&str> {
    let mut sources: Vec<&str> = rows.iter().map(|row| row.source.as_str()).collect();
    sources.dedup();
    sources
}
