//! `gcn-timings compare`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use console::style;
use gcn_analysis::{
    Comparison, ComparisonRow, Measured, Number, Outcome, ValueKind, ValueUnit, comparison_csv, comparison_json,
};

use super::columns::columns;
use super::output_file::write_output;
use super::tables::load_or_shipped;
use super::terminal::Terminal;

/// Names that are shown of a list.
const SHOWN: usize = 12;

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
    let mut out = std::io::stdout().lock();
    if arguments.json {
        match comparisons.as_slice() {
            [one] => serde_json::to_writer_pretty(&mut out, &comparison_json(one))?,
            several => {
                serde_json::to_writer_pretty(&mut out, &several.iter().map(comparison_json).collect::<Vec<_>>())?;
            }
        }
        writeln!(out)?;
        return Ok(code);
    }
    let mut out = Terminal::standard();
    for (index, comparison) in comparisons.iter().enumerate() {
        if index > 0 {
            writeln!(out, "\n{}\n", "-".repeat(72))?;
        }
        write(&mut out, comparison, arguments.all)?;
    }
    Ok(code)
}

/// Writes a comparison; `console` leaves colour out where standard output is no terminal, and where NO_COLOR asks for it.
fn write(out: &mut impl Write, comparison: &Comparison, all: bool) -> std::io::Result<()> {
    writeln!(out, "A  {}", style(&comparison.a).bold())?;
    writeln!(out, "B  {}\n", style(&comparison.b).bold())?;
    counts(out, comparison)?;
    let shown = |row: &&ComparisonRow| all || row.outcome != Outcome::Same;
    for kind in comparison.kinds() {
        let rows: Vec<&ComparisonRow> = comparison.rows.iter().filter(|row| row.kind == kind).filter(shown).collect();
        if !rows.is_empty() {
            writeln!(out, "\n{}", style(kind.name()).bold())?;
            write_rows(out, &rows)?;
        }
    }
    if !comparison.statuses.is_empty() {
        writeln!(out, "\nstatus")?;
    }
    let width = comparison.statuses.iter().map(|change| change.instruction.len()).max().unwrap_or(0);
    for change in &comparison.statuses {
        let reason = if change.detail.is_empty() { String::new() } else { format!(": {}", change.detail) };
        writeln!(out, "  {:<width$}  {} -> {}{reason}", change.instruction, change.a, change.b)?;
    }
    if !comparison.answers.is_empty() {
        writeln!(out, "\nanswers")?;
    }
    for change in &comparison.answers {
        writeln!(out, "  {}: {} -> {}", change.question, change.a, change.b)?;
    }
    for (run, names) in [("A", &comparison.only_a), ("B", &comparison.only_b)] {
        if !names.is_empty() {
            let more = names.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" … and {more} more") } else { String::new() };
            let first = names[..names.len().min(SHOWN)].join(", ");
            writeln!(out, "\nonly {run} lists {}: {first}{more}", counted(names.len(), "instruction"))?;
        }
    }
    writeln!(out)?;
    for line in wrapped(&comparison.rule.to_string()) {
        writeln!(out, "{line}")?;
    }
    let [differ, same, only_a, only_b] = Outcome::ALL.map(|outcome| comparison.count(outcome));
    writeln!(
        out,
        "\n{} differ, {same} do not, {only_a} only in A, {only_b} only in B, {} changed status, {} differ",
        counted(differ, "value"),
        counted(comparison.statuses.len(), "instruction"),
        counted(comparison.answers.len(), "answer"),
    )
}

/// A noun with its number.
fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// How many values of each kind differ.
fn counts(out: &mut impl Write, comparison: &Comparison) -> std::io::Result<()> {
    let head = ["", "differ", "same", "only A", "only B"].map(str::to_owned);
    let rows = comparison.kinds().map(|kind| {
        let [differ, same, only_a, only_b] = Outcome::ALL.map(|outcome| comparison.count_of(kind, outcome).to_string());
        [kind.name().to_owned(), differ, same, only_a, only_b]
    });
    let table: Vec<[String; 5]> = std::iter::once(head).chain(rows).collect();
    for line in columns(&table) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn write_rows(out: &mut impl Write, rows: &[&ComparisonRow]) -> std::io::Result<()> {
    let head = ["", "quantity", "A", "B", "B - A", "B / A", ""].map(str::to_owned);
    let table: Vec<[String; 7]> = std::iter::once(head).chain(rows.iter().map(|row| fields(row))).collect();
    for (index, line) in columns(&table).into_iter().enumerate() {
        let row = index.checked_sub(1).map(|index| rows[index]);
        writeln!(out, "{}", row.map_or_else(|| style(line.clone()), |row| coloured(row, line.clone())))?;
    }
    Ok(())
}

/// Fewer cycles, or more instructions per cycle, are the better.
fn coloured(row: &ComparisonRow, line: String) -> console::StyledObject<String> {
    let line = style(line);
    match (&row.difference, row.unit) {
        (Some(found), ValueUnit::Cycles) if found.significant && found.span.value < 0.0 => line.green(),
        (Some(found), ValueUnit::PerCycle) if found.significant && found.span.value > 0.0 => line.green(),
        (Some(found), ValueUnit::Cycles | ValueUnit::PerCycle) if found.significant => line.red(),
        (Some(_), _) => line,
        (None, _) => line.yellow(),
    }
}

fn fields(row: &ComparisonRow) -> [String; 7] {
    let number = |span| match row.unit {
        ValueUnit::PerCycle => Number::rate(span).to_string(),
        ValueUnit::Cycles | ValueUnit::Number => Number::cycles(span).to_string(),
    };
    let value = |span: Option<Measured>| span.map_or_else(|| "-".to_owned(), number);
    [
        row.subject.clone(),
        row.quantity.to_owned(),
        value(row.a),
        value(row.b),
        row.difference.map_or_else(String::new, |found| number(found.span)),
        row.difference.and_then(|found| found.ratio).map(ratio).unwrap_or_default(),
        row.outcome.name().to_owned(),
    ]
}

/// At most four decimals, without zeros at the end.
fn ratio(ratio: f64) -> String {
    format!("{ratio:.4}").trim_end_matches('0').trim_end_matches('.').to_owned()
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
