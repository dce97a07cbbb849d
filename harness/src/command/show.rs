//! `gcn-timings show`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use console::style;
use gcn_analysis::{InstructionView, Measured, Number, SIMULATED, instruction_json};
use gcn_model::isa::{self, Processor};
use gcn_model::record::DeviceRecord;

use super::columns::columns;
use super::tables::load_or_shipped;
use super::terminal::Terminal;

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
    let view = InstructionView::of(&run, &name).ok_or_else(|| unknown(&name, &run.record.device.target))?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &instruction_json(&run, &view))?;
        writeln!(out)?;
        return Ok(());
    }
    let mut out = Terminal::standard();
    writeln!(out, "{}  {}", style(&name).bold(), run.title())?;
    if run.record.device.is_simulated() {
        writeln!(out, "{}", style(SIMULATED).yellow())?;
    }
    write(&mut out, &view, &run.record.device)?;
    Ok(())
}

fn unknown(name: &str, target: &str) -> anyhow::Error {
    let instructions = Processor::find(target).into_iter().flat_map(|processor| processor.instructions());
    let near = isa::similar(name, instructions);
    let hint = if near.is_empty() { "see timings.csv".into() } else { format!("did you mean {}?", near.join(", ")) };
    anyhow!("{name}: the run has no such instruction; {hint}")
}

/// A number with its digits and interval; a dash without one.
fn value(number: Option<Number>) -> String {
    match number {
        None => "-".to_owned(),
        Some(Number { text, half: None, exact: Some(exact) }) => format!("{text}, from {exact}"),
        Some(Number { exact: Some(exact), .. }) => exact,
        Some(Number { text, .. }) => text,
    }
}

fn write(out: &mut impl Write, view: &InstructionView<'_>, device: &DeviceRecord) -> std::io::Result<()> {
    let timing = view.timing;
    writeln!(out, "{}, {} bytes, {}", timing.encoding, timing.bytes, timing.status)?;
    if !timing.detail.is_empty() {
        writeln!(out, "{}", timing.detail)?;
    }
    let unit = "instructions per cycle and compute unit";
    for (word, number, unit) in [
        ("cycles", timing.cycles.map(Number::cycles), "one wave"),
        ("taken", timing.taken.map(Number::cycles), "one wave, where the jump is taken"),
        ("latency", timing.latency.map(Number::cycles), "until a dependent instruction can follow"),
        ("throughput", timing.throughput.map(Number::rate), unit),
    ] {
        if number.is_some() {
            writeln!(out, "  {word:<11} {:<28} {unit}", value(number))?;
        }
    }
    let forms = view
        .variants
        .iter()
        .map(|row| [row.case.clone(), row.quantity.to_string(), value(row.cycles.map(Number::cycles))]);
    section(out, "other forms", ["form", "quantity", "cycles"], forms)?;
    let waves = view.throughputs.iter().map(|row| {
        [row.case.clone(), row.waves_per_simd.to_string(), value(row.throughput.map(Number::rate)), row.detail.clone()]
    });
    section(out, "throughput", ["form", "waves", unit, ""], waves)?;
    let shares = view
        .distributions
        .iter()
        .flat_map(|found| found.rows())
        .map(|row| [Number::cycles(Measured::exactly(row.value_cycles)).text, row.count.to_string()]);
    section(out, "single executions", ["cycles", "times"], shares)?;
    let penalties = view.penalties.iter().map(|row| {
        let place = row.offset_dwords.map(|offset| offset.to_string()).unwrap_or_default();
        [
            row.experiment.clone(),
            row.case.clone(),
            place,
            row.waves_per_simd.to_string(),
            value(row.penalty.map(Number::cycles)),
        ]
    });
    section(out, "penalties", ["experiment", "case", "dword", "waves", "cycles"], penalties)?;
    let issue = view
        .issue
        .iter()
        .map(|row| [row.mix.clone(), row.waves_per_simd.to_string(), value(row.issue.map(Number::rate))]);
    section(out, "blocks of unlike instructions", ["block", "waves", unit], issue)?;
    let published = view.validation.iter().map(|row| {
        [
            row.source.clone(),
            row.quantity.to_string(),
            row.published.clone(),
            row.expected.clone(),
            row.verdict.word_on(device).to_owned(),
        ]
    });
    section(out, "published", ["source", "quantity", "printed", "here", ""], published)?;
    let disputes = view.disputes.iter().map(|row| {
        [
            row.question.clone(),
            row.source.clone(),
            row.predicted.clone(),
            row.verdict.word_on(device).to_owned(),
            row.detail.clone(),
        ]
    });
    section(out, "disputed", ["question", "source", "predicts", "", ""], disputes)
}

/// A table under its title; nothing where there are no rows.
fn section<const N: usize>(
    out: &mut impl Write,
    title: &str,
    head: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> std::io::Result<()> {
    let table: Vec<[String; N]> = std::iter::once(head.map(str::to_owned)).chain(rows).collect();
    if table.len() > 1 {
        writeln!(out, "\n{}", style(title).bold())?;
        for line in columns(&table) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}
