//! `gcn-timings bundle`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use gcn_analysis::run::load_run_record;
use gcn_model::printable::Printable;

use super::json_output::print_json;
use super::terminal::Terminal;
use super::{summary, summary_json};
use crate::bundle::{Bundled, Checked, MOST_OF_A_BUNDLE, Manifest, Owner, bundle, check, default_file, destination};

/// Make one file of a run, to send to somebody, or check one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    gcn-timings bundle run                             one file of the run in the folder `run`\n  \
    gcn-timings bundle --check FILE                    whether it is whole, and what the run says\n  \
    gcn-timings bundle --unpack FILE --out run         the run's folder again, with its tables\n\n\
    A bundle holds run.json, experiments.csv, journal.csv and readings.csv, without names of the user and the machine, paths, serial \
    numbers and addresses; what was taken out is printed, and is in its manifest. It is a tar archive, compressed by Zstandard: any tool \
    shows what is in it. The exit code of --check is 0 if the bundle is whole and its run can be analysed.")]
pub struct Bundle {
    /// Folder of the run
    #[arg(required_unless_present_any = ["check", "unpack"], conflicts_with_all = ["check", "unpack"])]
    dir: Option<PathBuf>,
    /// File for the bundle, or folder for the unpacked run. Nothing is overwritten
    /// [default: gcn-timings-TARGET-TIME.tar.zst]
    #[arg(long, value_name = "PATH", conflicts_with = "check")]
    out: Option<PathBuf>,
    /// Check a bundle and print the summary of its run
    #[arg(long, value_name = "FILE", conflicts_with = "unpack")]
    check: Option<PathBuf>,
    /// With --check: print the manifest and the summary as JSON
    #[arg(long, requires = "check")]
    json: bool,
    /// Check a bundle and unpack its run
    #[arg(long, value_name = "FILE", requires = "out")]
    unpack: Option<PathBuf>,
    /// With --check or --unpack: the most bytes of the files in the bundle
    #[arg(long, value_name = "MIB", default_value_t = MOST_OF_A_BUNDLE >> 20)]
    limit: u64,
}

pub(super) fn run(arguments: &Bundle) -> anyhow::Result<()> {
    let Bundle { dir, out, check: to_check, unpack, json, limit } = arguments;
    let mut terminal = Terminal::standard();
    if let Some(file) = to_check.as_ref().or(unpack.as_ref()) {
        let checked = check(file, limit.saturating_mul(1 << 20))?;
        if let (Some(_), Some(folder)) = (unpack, out) {
            checked.unpack(folder)?;
        }
        if *json {
            return write_json(&checked, file);
        }
        write_contents(&mut terminal, &checked.manifest)?;
        match checked.differing.as_slice() {
            [] => writeln!(
                terminal,
                "whole: each file has its checksum, the run can be analysed, and its tables are those of the sender"
            )?,
            names => writeln!(
                terminal,
                "whole: each file has its checksum, and the run can be analysed; {} made other tables of it than this version: {}",
                Printable(&checked.manifest.tool),
                names.join(", ")
            )?,
        }
        let place = out.as_ref().unwrap_or(file);
        return Ok(summary::write(&mut terminal, &checked.analysis.summary(), None, place, false)?);
    }
    let Some(dir) = dir else { bail!("name the folder of a run") };
    let file = match out {
        Some(file) => file.clone(),
        None => default_file(&load_run_record(&dir.join("run.json"))?),
    };
    let Bundled { manifest, bytes, left } = bundle(dir, &file, &Owner::of_this_machine())?;
    write_contents(&mut terminal, &manifest)?;
    if left > 0 {
        let text = "a name of this user or machine is also a word of this tool, and the bundle has it as such";
        writeln!(terminal, "left      {left} times {text}")?;
    }
    writeln!(terminal, "{}: {bytes} bytes", file.display())?;
    writeln!(terminal, "to send   attach it to an issue of the project ({})", destination())?;
    Ok(terminal.flush()?)
}

/// Likewise for scripts: the manifest, the differing tables, and the summary.
fn write_json(checked: &Checked, file: &Path) -> anyhow::Result<()> {
    print_json(&serde_json::json!({
        "manifest": checked.manifest,
        "other_tables": checked.differing,
        "summary": summary_json::as_json(&checked.analysis.summary(), None, file)?,
    }))
}

/// The content of a bundle, and the removals.
fn write_contents(out: &mut impl Write, manifest: &Manifest) -> std::io::Result<()> {
    let [device, target, start] = [&manifest.device, &manifest.target, &manifest.start].map(|name| Printable(name));
    writeln!(out, "{device}, {target}, run {start}")?;
    for file in &manifest.files {
        writeln!(out, "inside    {:<16} {:>11} bytes", file.name, file.bytes)?;
    }
    if manifest.taken_out.is_empty() {
        writeln!(out, "taken out nothing: no name, path, serial number or address was in it")?;
    }
    for taken in &manifest.taken_out {
        writeln!(out, "taken out {:<21} {:>6} times", taken.what.to_string(), taken.times)?;
    }
    Ok(())
}
