//! `gcn-timings validate`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use gcn_analysis::{Number, Results, SIMULATED, ValidationRow, Verdict};
use gcn_model::record::DeviceRecord;
use glob::Pattern;
use serde_json::{Map, Value, json};

use super::columns::columns;
use super::tables::keep;
use super::terminal::Terminal;

/// Compare a run with the published timings.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings validate results/tahiti/2026-11-21T12-00-00Z\n  gcn-timings validate DIR --source clrx --only 'V_*_F64' --all\n\nThe exit code is 0 whether or not the card agrees with the sources: a difference is a finding, not a failure."
)]
pub struct Validate {
    /// Folder of the run
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
    let analysis = gcn_analysis::analyze(&arguments.dir)?;
    let rows = chosen(arguments, &analysis)?;
    if arguments.json {
        let mut out = std::io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, &as_json(&analysis, &rows))?;
        writeln!(out)?;
    } else {
        write(&mut Terminal::standard(), &rows, arguments.all, &analysis.record.device)?;
    }
    Ok(keep(&analysis, &arguments.dir)?)
}

/// The rows that are asked for. A source that there is not is a slip of the pen.
fn chosen<'a>(arguments: &Validate, analysis: &'a Results) -> anyhow::Result<Vec<&'a ValidationRow>> {
    let rows = &analysis.validation;
    let known = sources(&rows.iter().collect::<Vec<_>>()).join(", ");
    for source in &arguments.source {
        if !rows.iter().any(|row| row.source == *source) {
            bail!(
                "--source {source}: no source of that name covers {}; sources are {known}",
                analysis.record.device.target
            );
        }
    }
    let rows = rows.iter().filter(|row| {
        let is_of_source = arguments.source.is_empty() || arguments.source.contains(&row.source);
        is_of_source && (arguments.only.is_empty() || arguments.only.iter().any(|only| only.matches(&row.instruction)))
    });
    Ok(rows.collect())
}

fn in_print(row: &ValidationRow) -> String {
    row.measured.map(|measured| Number::of_quantity(row.quantity, measured).to_string()).unwrap_or_default()
}

fn write(out: &mut impl Write, rows: &[&ValidationRow], all: bool, device: &DeviceRecord) -> std::io::Result<()> {
    if device.is_simulated() {
        writeln!(out, "{SIMULATED}")?;
    }
    let differs = |row: &&&ValidationRow| matches!(row.verdict, Verdict::Mismatch | Verdict::Answers);
    let shown: Vec<_> = rows.iter().filter(|row| all || differs(row)).collect();
    if !shown.is_empty() {
        let head = ["source", "instruction", "quantity", "published", "expected", "measured", "verdict"];
        let table = shown.into_iter().map(|row| {
            [
                row.source.clone(),
                row.instruction.clone(),
                row.quantity.to_string(),
                row.published.clone(),
                row.expected.clone(),
                in_print(row),
                if row.asked { row.verdict.word_on(device).to_owned() } else { "not asked for".to_owned() },
            ]
        });
        for line in columns(&std::iter::once(head.map(str::to_owned)).chain(table).collect::<Vec<_>>()) {
            writeln!(out, "{line}")?;
        }
    }
    for source in sources(rows) {
        let count = |verdict| count(rows, source, verdict);
        let not_asked = match not_asked(rows, source) {
            0 => String::new(),
            some => format!(", {some} not asked for"),
        };
        let counts = Verdict::ALL.map(|verdict| format!("{} {}", count(verdict), verdict.word_on(device)));
        writeln!(out, "{source}: {}{not_asked}", counts.join(", "))?;
    }
    out.flush()
}

fn count(rows: &[&ValidationRow], source: &str, verdict: Verdict) -> usize {
    rows.iter().filter(|row| row.source == source && row.asked && row.verdict == verdict).count()
}

fn not_asked(rows: &[&ValidationRow], source: &str) -> usize {
    rows.iter().filter(|row| row.source == source && !row.asked).count()
}

fn as_json(analysis: &Results, rows: &[&ValidationRow]) -> Value {
    let counts: Map<String, Value> = sources(rows)
        .into_iter()
        .map(|source| {
            let mut counts: Map<String, Value> = Verdict::ALL
                .map(|verdict| (verdict.name().to_owned(), count(rows, source, verdict).into()))
                .into_iter()
                .collect();
            counts.insert("not_asked".into(), not_asked(rows, source).into());
            (source.to_owned(), counts.into())
        })
        .collect();
    let table = rows.iter().map(|row| {
        json!({
            "source": row.source, "instruction": row.instruction, "quantity": row.quantity.name(), "published": row.published,
            "expected": row.expected, "measured": row.measured, "verdict": row.verdict.name(), "asked": row.asked,
        })
    });
    json!({
        "device": analysis.record.device.name, "simulated": analysis.record.device.is_simulated(), "sources": counts,
        "rows": table.collect::<Vec<_>>(),
    })
}

/// The sources in their order.
fn sources<'a>(rows: &[&'a ValidationRow]) -> Vec<&'a str> {
    let mut sources: Vec<&str> = rows.iter().map(|row| row.source.as_str()).collect();
    sources.dedup();
    sources
}
