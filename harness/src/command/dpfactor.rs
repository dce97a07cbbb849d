//! `gcn-timings dpfactor`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use gcn_analysis::{DpClass, dpfactor_json};
use glob::{Pattern, PatternError};

use super::choice::{Choice, Destination, Ended};
use super::document_text;
use super::tables::load_or_shipped;
use super::terminal::Terminal;
use crate::experiment::MeasureOptions;
use crate::scratch::Scratch;

/// Find the double-precision class of a device or a run.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings dpfactor --device sim:hawaii\n  gcn-timings dpfactor results/tahiti/2026-11-21T12-00-00Z --json\n\n\
                  The exit code is 3 if the readings leave several factors, or none that is whole or published, else 1 if a \
                  double-precision experiment failed."
)]
pub struct Dpfactor {
    /// Folder of a run, or shipped:NAME, instead of a device
    #[arg(conflicts_with = "device")]
    dir: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: Choice,
}

/// Enough instructions: the published rows that depend on DPFACTOR are among these.
const DOUBLE_PRECISION: [&str; 6] = ["V_*_F64*", "V_*_I64", "V_*_B64", "V_CVT_F64_*", "V_CMP*_U64", "V_*_F32_F64"];

/// Exit code if the readings leave several factors, or none: a script must not take the mean for an answer.
const UNDECIDED: u8 = 3;

fn double_precision() -> Result<Vec<Pattern>, PatternError> {
    DOUBLE_PRECISION.iter().map(|pattern| Pattern::new(pattern)).collect()
}

/// The options of a measurement that finds DPFACTOR: it needs the cycles of a single wave only.
///
/// # Errors
/// None: the patterns are this program's own.
pub(super) fn only_dpfactor() -> Result<MeasureOptions, PatternError> {
    Ok(MeasureOptions { waves: Vec::new(), only: double_precision()?, ..MeasureOptions::default() })
}

/// Whether DPFACTOR rests on an experiment: on those of double-precision instructions, and on the fillers.
fn is_evidence(experiment: &str, double_precision: &[Pattern]) -> bool {
    let (instruction, rest) = experiment.split_once('/').unwrap_or((experiment, ""));
    rest == "filler" || double_precision.iter().any(|pattern| pattern.matches(instruction))
}

/// The run to look at: the one that was named, or a new one in the scratch folder.
fn folder(arguments: &Dpfactor, scratch: &mut Option<Scratch>) -> anyhow::Result<PathBuf> {
    if let Some(dir) = &arguments.dir {
        return Ok(dir.clone());
    }
    if let Some(usual) = arguments.choice.unusual_lanes()? {
        bail!("the published cycles that contain DPFACTOR are of waves of {usual} lanes: leave out --wave-size");
    }
    let scratch = scratch.insert(Scratch::new()?);
    let mut choice = arguments.choice.clone();
    let MeasureOptions { waves, only, .. } = only_dpfactor()?;
    choice.selection.waves = Some(waves);
    if choice.only.is_empty() {
        choice.only = only;
    }
    let out = Destination { out: Some(scratch.path().join("run")), ..Destination::default() };
    let Ended { path, early, .. } = choice.measure(out)?;
    match early {
        Some(early) => Err(early.into()),
        None => Ok(path),
    }
}

pub(super) fn run(arguments: &Dpfactor) -> anyhow::Result<ExitCode> {
    let mut scratch = None;
    let analysis = load_or_shipped(&folder(arguments, &mut scratch)?)?;
    let found = match analysis.dpfactor.as_ref() {
        Ok(found) => found,
        Err(why) => bail!("no DPFACTOR: {why}"),
    };
    let patterns = double_precision()?;
    let lost: Vec<_> = analysis.failed.iter().filter(|failed| is_evidence(&failed.experiment, &patterns)).collect();
    if let [first, ..] = lost.as_slice() {
        writeln!(
            std::io::stderr(),
            "gcn-timings: {} double-precision experiments failed, and their values are missing: {}: {}",
            lost.len(),
            first.experiment,
            first.why
        )?;
    }
    if arguments.json {
        let text = dpfactor_json(found, &analysis.record.dp_rate_field);
        writeln!(std::io::stdout().lock(), "{}", text.trim_end())?;
    } else {
        document_text::write(&mut Terminal::standard(), &analysis.dpfactor_document()?)?;
    }
    Ok(match found.class {
        DpClass::Undecided => ExitCode::from(UNDECIDED),
        _ if !lost.is_empty() => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    })
}
