//! `gcn-timings measure`.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::choice::{Choice, Destination, Ended, Selection};
use super::dry_run;
use super::interruption::Early;
use super::json_output::print_json;
use super::summary::SummaryForm;
use super::terminal::Terminal;
use crate::experiment::{Shard, Suite};

/// Measure a device and derive its tables.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    gcn-timings measure                                    the simulated Tahiti, every suite\n  \
    gcn-timings measure --device sim:vega10 --out vega10   into a folder of your choice\n  \
    gcn-timings measure --only 'V_CVT_*' --only V_ADD_F32  some instructions\n  \
    gcn-timings measure --device sim:my-card.toml          a GPU file of yours\n  \
    gcn-timings measure --dry-run                          what it would launch, and for how long\n  \
    gcn-timings measure --quick                            the quick set, in seconds\n  \
    gcn-timings measure --budget 30s                       until the intervals are narrow, on a busy card\n  \
    gcn-timings measure --out run --resume                 resume a run that was cut off\n  \
    gcn-timings measure --out run --resume --retry-failed  and try again what failed in it\n  \
    gcn-timings measure --shard 2/4 --out part-2           a quarter of a run, for `merge`")]
pub struct Measure {
    /// Folder for the run. Without --resume it must be empty or new [default: results/<gpu>/<UTC time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Resume the run in DIR. Options that you leave out are those of the run; different ones are refused. Without a run in DIR, --device starts
    /// one
    #[arg(long, requires = "out")]
    resume: bool,
    /// Retry the failed experiments of the run
    #[arg(long, requires = "resume")]
    retry_failed: bool,
    /// Measure part I of N: one of N equal cards
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Print the plan (experiments, kernels, launches by suite, estimated GPU time) and exit
    #[arg(long, conflicts_with_all = ["out", "resume"])]
    dry_run: bool,
    /// Measure the quick set, in seconds: as --suite quick
    #[arg(long, conflicts_with = "suite")]
    quick: bool,
    /// Print the summary, or the plan, as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    choice: Choice,
}

pub(super) fn run(arguments: &Measure) -> anyhow::Result<()> {
    let Measure { out, resume, retry_failed, shard, .. } = arguments;
    let mut choice = arguments.choice.clone();
    choice.selection = arguments.selection.clone();
    if arguments.quick {
        choice.selection.suite = vec![Suite::Quick];
    }
    if arguments.dry_run {
        let forecast = choice.forecast(*shard)?;
        if !arguments.json {
            return Ok(dry_run::write(&mut Terminal::standard(), &forecast)?);
        }
        return print_json(&forecast);
    }
    let place =
        Destination { out: out.clone(), resume: *resume, shard: *shard, retry_failed: *retry_failed, says_plan: true };
    let Ended { path, early, spent } = choice.measure(place)?;
    let analysis = gcn_analysis::analyze(&path)?;
    analysis.write(&path)?;
    let form = SummaryForm { json: arguments.json, verbose: choice.is_verbose() };
    form.print(&analysis, Some(&spent), &path)?;
    if let Some(Early { why, code }) = early {
        let command = choice.resume_command(&path, false);
        let why = format!("{why}: {} holds the readings so far; `{command}` resumes", path.display());
        return Err(Early { why, code }.into());
    }
    match &analysis.failed[..] {
        [] => Ok(()),
        failed => bail!(
            "{} of {} experiments failed, and their values are missing; `{}` retries them",
            failed.len(),
            analysis.experiments,
            choice.resume_command(&path, true)
        ),
    }
}
