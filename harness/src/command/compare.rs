//! `gcn-timings compare`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use console::{Alignment, pad_str, style};
use gcn_analysis::{Comparison, ComparisonRow, Outcome, Quantity, Span, comparison_csv, comparison_json};

use super::output_file::write_output;
use super::summary::number;
use super::tables::load;
use super::terminal::Terminal;

/// Names that are shown of a list.
const SHOWN: usize = 12;

/// Show what differs between two runs or two cards.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  gcn-timings compare results/tahiti/2026-11-21T12-00-00Z results/hawaii/2026-11-21T13-00-00Z\n\nThe numbers are derived anew from what the runs stored; a folder of results without readings is shown as its tables say. The exit code is 0 whether or not the runs differ."
)]
pub struct Compare {
    /// Folder of run A
    dir_a: PathBuf,
    /// Folder of run B
    dir_b: PathBuf,
    /// Show the values that do not differ significantly as well
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write every row to a CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

pub(super) fn run(arguments: &Compare) -> anyhow::Result<()> {
    let [a, b] = [&arguments.dir_a, &arguments.dir_b].map(|folder| load(folder));
    let comparison = Comparison::of(&a?, &b?);
    if let Some(path) = &arguments.csv {
        write_output(path, comparison_csv(&comparison).as_bytes())?;
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &comparison_json(&comparison))?;
        writeln!(out)?;
        return Ok(());
    }
    write(&mut Terminal::standard(), &comparison, arguments.all)?;
    Ok(())
}

/// Writes the table; `console` leaves colour out where standard output is no terminal, and where NO_COLOR asks for it.
fn write(out: &mut impl Write, comparison: &Comparison, all: bool) -> std::io::Result<()> {
    writeln!(out, "A  {}", style(&comparison.a).bold())?;
    writeln!(out, "B  {}", style(&comparison.b).bold())?;
    if let [Some(a), Some(b)] = comparison.dpfactor {
        writeln!(out, "DPFACTOR {} and {}", number(a), number(b))?;
    }
    for line in wrapped(&comparison.rule.to_string()) {
        writeln!(out, "{line}")?;
    }
    let shown: Vec<&ComparisonRow> = comparison.rows.iter().filter(|row| all || row.outcome != Outcome::Same).collect();
    if !shown.is_empty() {
        rows(out, &shown)?;
    }
    if !comparison.statuses.is_empty() {
        writeln!(out, "\nstatus")?;
    }
    let width = comparison.statuses.iter().map(|change| change.instruction.len()).max().unwrap_or(0);
    for change in &comparison.statuses {
        let reason = if change.detail.is_empty() { String::new() } else { format!(": {}", change.detail) };
        writeln!(out, "  {:<width$}  {} -> {}{reason}", change.instruction, change.a, change.b)?;
    }
    for (run, names) in [("A", &comparison.only_a), ("B", &comparison.only_b)] {
        if !names.is_empty() {
            let more = names.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" … and {more} more") } else { String::new() };
            let first = names[..names.len().min(SHOWN)].join(", ");
            writeln!(out, "\nonly {run} lists {} instructions: {first}{more}", names.len())?;
        }
    }
    let [differ, same, only_a, only_b] = Outcome::ALL.map(|outcome| comparison.count(outcome));
    writeln!(
        out,
        "\n{differ} values differ, {same} do not, {only_a} only in A, {only_b} only in B, {} instructions changed status",
        comparison.statuses.len()
    )
}

/// The rows in columns as wide as their longest text.
fn rows(out: &mut impl Write, rows: &[&ComparisonRow]) -> std::io::Result<()> {
    let head = ["instruction", "quantity", "A", "B", "B - A", "B / A", ""].map(str::to_owned);
    let table: Vec<[String; 7]> = rows.iter().map(|row| fields(row)).collect();
    let mut widths = head.each_ref().map(|text| console::measure_text_width(text));
    for fields in &table {
        for (width, field) in widths.iter_mut().zip(fields) {
            *width = (*width).max(console::measure_text_width(field));
        }
    }
    let line = |fields: &[String; 7]| {
        let padded = fields.iter().zip(widths).map(|(field, width)| pad_str(field, width, Alignment::Left, None));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    writeln!(out, "\n{}", line(&head))?;
    for (row, fields) in rows.iter().zip(&table) {
        let text = line(fields);
        let text = match &row.difference {
            // Fewer cycles, or more instructions per cycle, are the better.
            Some(found) if found.significant => {
                let better = (found.span.value < 0.0) != (row.quantity == Quantity::Throughput);
                if better { style(text).green() } else { style(text).red() }
            }
            Some(_) => style(text),
            None => style(text).yellow(),
        };
        writeln!(out, "{text}")?;
    }
    Ok(())
}

fn fields(row: &ComparisonRow) -> [String; 7] {
    let value = |span: Option<Span>| span.map_or_else(|| "-".to_owned(), interval);
    [
        row.instruction.clone(),
        row.quantity.column().to_owned(),
        value(row.a),
        value(row.b),
        row.difference.map_or_else(String::new, |found| interval(found.span)),
        row.difference.and_then(|found| found.ratio).map(number).unwrap_or_default(),
        row.outcome.name().to_owned(),
    ]
}

/// A value, and its interval if that has a width in print.
fn interval(span: Span) -> String {
    let [value, low, high] = [span.value, span.low, span.high].map(number);
    if low == high { value } else { format!("{value} [{low}, {high}]") }
}

/// A sentence in lines of at most a hundred characters.
fn wrapped(sentence: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in sentence.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 100 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
