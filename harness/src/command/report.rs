//! `gcn-timings report`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ValueEnum};
use gcn_analysis::{Results, document, report_html, write_atomically};
use serde_json::json;

use super::document_text;
use super::json_output::print_json;
use super::tables::{load, load_or_shipped};
use super::terminal::Terminal;
use crate::shipped_results;

/// Write the report of a run: one HTML page, or its text on standard output.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings report results/tahiti/2026-11-21T12-00-00Z\n  gcn-timings report shipped:tahiti --format text | less\n\n\
                  The page is DIR/report.html. It needs nothing from elsewhere and reads without JavaScript. The text has the sections of TIMINGS.md."
)]
pub struct Report {
    /// Folder of the run; for a text also shipped:NAME, such as shipped:tahiti
    dir: PathBuf,
    /// HTML goes to DIR/report.html, every other format to standard output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The form of the report.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Format {
    #[default]
    Html,
    Markdown,
    Text,
    Json,
}

pub(super) fn run(arguments: &Report) -> anyhow::Result<()> {
    let load = || load_or_shipped(&arguments.dir);
    match arguments.format {
        Format::Html => write_page(&arguments.dir),
        Format::Markdown => Ok(write!(std::io::stdout().lock(), "{}", document(&load()?).markdown())?),
        Format::Text => Ok(document_text::write(&mut Terminal::standard(), &document(&load()?))?),
        Format::Json => write_json(&load()?),
    }
}

fn write_page(folder: &Path) -> anyhow::Result<()> {
    if shipped_results(folder)?.is_some() {
        bail!("{}: has no folder for a page; `--format text` (or markdown, json) prints it", folder.display());
    }
    write_atomically(folder, "report.html", report_html(&load(folder)?))?;
    writeln!(std::io::stdout().lock(), "{}", folder.join("report.html").display())?;
    Ok(())
}

fn write_json(run: &Results) -> anyhow::Result<()> {
    let device = &run.record.device;
    let sections = document(run).sections;
    print_json(&json!({ "device": device.name, "simulated": device.is_simulated(), "sections": sections }))
}
