//! `gcn-timings report`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use gcn_analysis::{document, report_html, write_atomically};
use serde_json::json;

use super::document_text;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    #[default]
    Html,
    Markdown,
    Text,
    Json,
}

pub(super) fn run(arguments: &Report) -> anyhow::Result<()> {
    if arguments.format == Format::Html {
        let dir = &arguments.dir;
        if shipped_results(dir)?.is_some() {
            bail!("{}: has no folder for a page; `--format text` (or markdown, json) prints it", dir.display());
        }
        let run = load(&arguments.dir)?;
        write_atomically(&arguments.dir, "report.html", report_html(&run)?)?;
        let path = arguments.dir.join("report.html");
        writeln!(std::io::stdout().lock(), "{}", path.display())?;
        return Ok(());
    }
    let run = load_or_shipped(&arguments.dir)?;
    let page = document(&run);
    let mut out = std::io::stdout().lock();
    match arguments.format {
        Format::Json => {
            let device = &run.record.device;
            let report =
                json!({ "device": device.name, "simulated": device.is_simulated(), "sections": page.sections });
            serde_json::to_writer_pretty(&mut out, &report)?;
            writeln!(out)?;
        }
        Format::Text => document_text::write(&mut Terminal::standard(), &page)?,
        Format::Html | Format::Markdown => write!(out, "{}", page.markdown())?,
    }
    Ok(())
}
