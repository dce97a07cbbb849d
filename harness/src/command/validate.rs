//! `gcn-timings validate`.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use gcn_analysis::{Results, Validation};
use glob::Pattern;

use super::document_text;
use super::json_output::print_json;
use super::tables::keep;
use super::terminal::Terminal;
use crate::shipped_results;

/// Compare a run with the published timings.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings validate results/tahiti/2026-11-21T12-00-00Z\n  gcn-timings validate DIR --source clrx --only 'V_*_F64' --all\n\nThe exit code is 0 whether or not the card agrees with the sources: a difference is a finding, not a failure."
)]
pub struct Validate {
    /// Folder of the run, or shipped:NAME, such as shipped:tahiti
    dir: PathBuf,
    /// Only this source, such as clrx; may be repeated
    #[arg(long, value_name = "SOURCE")]
    source: Vec<String>,
    /// Only instructions whose name matches, as in 'V_*_F64'; may be repeated
    #[arg(long, value_name = "GLOB")]
    only: Vec<Pattern>,
    /// Include values that match and values that were not measured
    #[arg(long)]
    all: bool,
    /// Print every row and the counts as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Validate) -> anyhow::Result<()> {
    let run = match shipped_results(&arguments.dir)? {
        Some(run) => run,
        None => Results::load(&arguments.dir)?,
    };
    let known = Validation::of(&run, |_| true).sources();
    if let Some(source) = arguments.source.iter().find(|source| !known.contains(&source.as_str())) {
        let (target, known) = (&run.record.device.target, known.join(", "));
        bail!("--source {source}: no source of that name covers {target}; sources are {known}");
    }
    let validation = Validation::of(&run, |row| {
        let is_of_source = arguments.source.is_empty() || arguments.source.contains(&row.source);
        is_of_source && (arguments.only.is_empty() || arguments.only.iter().any(|only| only.matches(&row.instruction)))
    });
    if arguments.json {
        print_json(&validation.json())?;
    } else {
        document_text::write(&mut Terminal::standard(), &validation.document(arguments.all))?;
    }
    // Tables alone have nothing that files could be derived from.
    if run.run.is_some() { Ok(keep(&run, &arguments.dir)?) } else { Ok(()) }
}
