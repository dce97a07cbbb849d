//! `gcn-timings compare`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use gcn_analysis::{Comparison, ValueKind, comparison_csv, comparison_json};

use super::document_text;
use super::json_output::print_json;
use super::output_file::write_output;
use super::tables::load_or_shipped;
use super::terminal::Terminal;

/// Exit code with `--exit-code` if something differs: 1 and 2 are failures.
const DIFFERS: u8 = 3;

/// Show what differs between runs or cards.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings compare results/tahiti/2026-11-21T12-00-00Z results/hawaii/2026-11-21T13-00-00Z\n  \
                  gcn-timings compare before after --kind alignment --exit-code\n  \
                  gcn-timings compare card-1 card-2 card-3              each with the first\n  \
                  gcn-timings compare my-card shipped:tahiti            with what ships: the simulator's, and no card's\n\n\
                  Everything that the runs hold is compared, kind by kind. The numbers are derived anew from what the runs stored; a folder \
                  of results without readings is shown as its tables say. `shipped:NAME` is one of those in the program, as of results/reference/NAME; plain NAME is, too, where no folder has that name. The exit code is 0 whether or \
                  not the runs differ, and with --exit-code 3 if they do."
)]
pub struct Compare {
    /// Folder of run A, or shipped:NAME
    dir_a: PathBuf,
    /// Folders of the runs that A is compared with, or shipped:NAME
    #[arg(required = true, value_name = "DIR_B")]
    others: Vec<PathBuf>,
    /// Only this kind of values, such as alignment; may be repeated
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Vec<ValueKind>,
    /// Include values without a significant difference
    #[arg(long)]
    all: bool,
    /// Print JSON: one comparison, or an array of several
    #[arg(long)]
    json: bool,
    /// Write every row to a CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Exit with 3 if a value, a status or an answer differs
    #[arg(long)]
    exit_code: bool,
}

fn kind(text: &str) -> Result<ValueKind, String> {
    let found = ValueKind::ALL.into_iter().find(|kind| kind.option() == text.to_ascii_lowercase());
    found.ok_or_else(|| format!("the kinds are {}", ValueKind::ALL.map(ValueKind::option).join(", ")))
}

pub(super) fn run(arguments: &Compare) -> anyhow::Result<ExitCode> {
    let a = load_or_shipped(&arguments.dir_a)?;
    let others = arguments.others.iter().map(|folder| load_or_shipped(folder)).collect::<Result<Vec<_>, _>>()?;
    let kinds = if arguments.kind.is_empty() { &ValueKind::ALL[..] } else { &arguments.kind };
    let comparisons = Comparison::with_each(&a, &others, kinds);
    if let Some(path) = &arguments.csv {
        write_output(path, comparison_csv(&comparisons).as_bytes())?;
    }
    let differs = comparisons.iter().any(Comparison::differs);
    let code = if arguments.exit_code && differs { ExitCode::from(DIFFERS) } else { ExitCode::SUCCESS };
    if arguments.json {
        match comparisons.as_slice() {
            [one] => print_json(&comparison_json(one))?,
            several => print_json(&several.iter().map(comparison_json).collect::<Vec<_>>())?,
        }
        return Ok(code);
    }
    let mut out = Terminal::standard();
    for (index, comparison) in comparisons.iter().enumerate() {
        if index > 0 {
            writeln!(out, "\n{}\n", "-".repeat(72))?;
        }
        document_text::write(&mut out, &comparison.document(arguments.all))?;
    }
    Ok(code)
}
