//! `gcn-timings show`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use console::style;
use gcn_analysis::{Guesses, SIMULATED, Shown, Table, marked};
use gcn_model::isa::{self, Processor};
use gcn_model::record::DeviceRecord;

use super::columns::columns;
use super::tables::load_or_shipped;
use super::terminal::Terminal;

/// The table of an instruction's own numbers.
const TIMINGS: &str = "Timings";

/// Show all that a run knows of one instruction.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings show V_ADD_F64 results/tahiti/2026-11-21T12-00-00Z\n  gcn-timings show v_add_f64 DIR --json\n\n\
                  A folder of results without readings is shown as its tables say, such as results/reference/tahiti."
)]
pub struct Show {
    /// The instruction
    instruction: String,
    /// Folder of the run, or shipped:NAME, such as shipped:tahiti
    dir: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Show) -> anyhow::Result<()> {
    let run = load_or_shipped(&arguments.dir)?;
    let name = arguments.instruction.to_ascii_uppercase();
    let row = run.timings.iter().find(|row| row.instruction == name);
    let timing = row.ok_or_else(|| unknown(&name, &run.record.device.target))?;
    if arguments.json {
        let mut out = std::io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, &run.json_about(&name))?;
        writeln!(out)?;
        return Ok(());
    }
    let mut out = Terminal::standard();
    writeln!(out, "{}  {}", style(&name).bold(), run.title())?;
    if run.record.device.is_simulated() {
        writeln!(out, "{}", style(SIMULATED).yellow())?;
    }
    if !timing.detail.is_empty() {
        writeln!(out, "{}", timing.detail)?;
    }
    let guessed = guessed(&run.record.device, &name);
    if !guessed.is_empty() {
        writeln!(out, "e after a number: the simulated card has it from an estimate.")?;
    }
    for table in run.tables_about(&name) {
        writeln!(out, "\n{}", style(&table.title).bold())?;
        for line in lines(&table, &name, &guessed) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

/// The numbers of an instruction that rest on estimates.
fn guessed(device: &DeviceRecord, name: &str) -> Vec<&'static str> {
    let guess = Guesses::of(device).on(name);
    let all = [("cycles", guess.cycles), ("latency", guess.latency), ("throughput", guess.throughput)];
    all.into_iter().filter(|(_, is_guess)| *is_guess).map(|(name, _)| name).collect()
}

fn unknown(name: &str, target: &str) -> anyhow::Error {
    let instructions = Processor::find(target).into_iter().flat_map(|processor| processor.instructions());
    let near = isa::similar(name, instructions);
    let hint = if near.is_empty() { "see timings.csv".into() } else { format!("did you mean {}?", near.join(", ")) };
    anyhow!("{name}: the run has no such instruction; {hint}")
}

/// A cell with its digits and interval.
fn words(cell: &Shown) -> String {
    match (cell.text.contains('±'), cell.exact.as_str()) {
        (_, "") => cell.text.clone(),
        (true, exact) => exact.to_owned(),
        (false, exact) => format!("{}, from {exact}", cell.text),
    }
}

/// The lines of a table, without columns that say nothing but the instruction's name; a single row is a line for each of its cells.
fn lines(table: &Table, name: &str, guessed: &[&str]) -> Vec<String> {
    let says = |at: &usize| table.rows.iter().any(|row| row.cells[*at].text != name);
    let kept: Vec<usize> = (0..table.columns.len()).filter(says).collect();
    if let [row] = &table.rows[..] {
        let line = |at: &usize| {
            let heading = &table.columns[*at];
            let is_guess = table.title == TIMINGS && guessed.contains(&heading.name.as_str());
            vec![heading.name.clone(), marked(words(&row.cells[*at]), is_guess), heading.description.clone()]
        };
        let filled = kept.iter().filter(|at| !row.cells[**at].text.is_empty());
        return columns(&filled.map(line).collect::<Vec<_>>());
    }
    let head = kept.iter().map(|at| table.columns[*at].name.clone()).collect();
    let rows = table.rows.iter().map(|row| kept.iter().map(|at| words(&row.cells[*at])).collect());
    columns(&std::iter::once(head).chain(rows).collect::<Vec<Vec<String>>>())
}
