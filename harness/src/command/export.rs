//! `gcn-timings export`.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gcn_analysis::{aco_text, export_csv, export_json, export_markdown, llvm_text};

use super::tables::load_or_shipped;

/// Print a run's results in the shape that another program takes.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings export --format json results/tahiti/2026-11-21T12-00-00Z > tahiti.json\n  gcn-timings export --format llvm results/reference/vega20 > GCNGfx906MeasuredModel.td\n  gcn-timings export --format csv DIR | grep V_ADD_F64\n\nThe text of --format llvm and aco says where it is to be pasted. A class whose instructions measured differently is not one number there: LLVM's is kept, and the numbers are named. docs/export.schema.json describes the JSON."
)]
pub struct Export {
    /// Folder of the run, or shipped:NAME, such as shipped:tahiti
    dir: PathBuf,
    /// The shape
    #[arg(long, value_enum)]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// A scheduling model for LLVM's SISchedule.td, with LLVM's own numbers
    Llvm,
    /// The cases of Mesa's aco_statistics.cpp, with ACO's own numbers
    Aco,
    /// Everything of the run
    Json,
    /// A row for each number
    Csv,
    /// A table of the timings
    Markdown,
}

pub(super) fn run(arguments: &Export) -> anyhow::Result<()> {
    let run = load_or_shipped(&arguments.dir)?;
    let text = match arguments.format {
        Format::Llvm => llvm_text(&run)?,
        Format::Aco => aco_text(&run)?,
        Format::Json => serde_json::to_string_pretty(&export_json(&run))? + "\n",
        Format::Csv => export_csv(&run),
        Format::Markdown => export_markdown(&run),
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}
