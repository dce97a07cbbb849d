//! `gcn-timings measure`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use gcn_model::isa;
use glob::Pattern;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::assembler::AssemblerArguments;
use super::progress::Bar;
use super::summary;
use super::terminal::Terminal;
use crate::device::{ChildLimits, Device, DeviceName, OpenOptions, open};
use crate::experiment::{MeasureOptions, Shard, Suite};
use crate::run::{RunFolder, default_folder, measure, now};

/// Waves that a SIMD of any generation has slots for.
const MOST_WAVES: u32 = 10;

/// Measure a device and derive its tables.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    gcn-timings measure                                    the reference Tahiti, all scalar and vector ALU instructions\n  \
    gcn-timings measure --device sim:vega10 --out vega10   into a folder of your choice\n  \
    gcn-timings measure --only 'V_CVT_*' --only V_ADD_F32  some instructions\n  \
    gcn-timings measure --device sim:my-card.toml          a GPU file of yours\n  \
    gcn-timings measure --budget 30s                       until the intervals are narrow, on a busy card\n  \
    gcn-timings measure --out run --resume                 go on with a run that was cut off\n  \
    gcn-timings measure --shard 2/4 --out part-2           a quarter of a run, for `merge`")]
pub struct Measure {
    /// Folder for the run; without --resume it must be empty or not there [default: results/<gpu>/<UTC time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run in DIR, whatever made it end, with the same device and options; start one if there is none
    #[arg(long, requires = "out")]
    resume: bool,
    /// Measure only part I of N, for one of N equal cards
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: Choice,
}

/// What is measured, with what.
#[derive(Debug, Clone, Args)]
pub(super) struct Choice {
    /// The device
    #[arg(long, value_name = "D", default_value = "sim:tahiti")]
    pub device: DeviceName,
    /// Group of experiments; may be repeated
    #[arg(long, value_enum)]
    suite: Vec<Suite>,
    /// Only instructions whose name matches, as in 'V_*_F64'; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<Pattern>,
    /// Waves per SIMD of the throughput experiments
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,2,4,8,10", value_parser = clap::value_parser!(u32).range(1..=MOST_WAVES as i64))]
    pub waves: Vec<u32>,
    /// Readings kept of each length and wave, of all sweeps together
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    samples: u32,
    /// Sweeps: times that all experiments are gone through, each time in another order
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1000))]
    sweeps: u32,
    /// Seed of the order in which each sweep goes through them
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Time, such as 30s, for measuring again what does not settle or is known less finely than published figures (±0.25 cycles, ±2 % of
    /// a throughput); without it, that is done three times at most
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,
    /// Launch instructions that can hang a card or damage data as well
    #[arg(long)]
    dangerous: bool,
    /// Threads for assembling and simulating [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Longest time for one launch on a card, such as 10s or 500ms; one that takes longer is ended, and its experiment failed
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    launch_timeout: Duration,
    /// Faults of a card in a row (abort, hang) that end the run; one bad instruction makes up to eight
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    max_faults_in_a_row: u32,
    /// Drive the reference model, too, from a process of its own
    #[arg(long, hide = true)]
    isolate: bool,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

/// Where a run goes.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// The folder.
    pub out: Option<PathBuf>,
    /// Whether a run that is there is gone on with.
    pub resume: bool,
    /// Which part of it is measured.
    pub shard: Option<Shard>,
}

/// What came of measuring.
pub(super) struct Ended {
    /// The run's folder.
    pub path: PathBuf,
    /// Why the run did not come to its end, if it did not.
    pub early: Option<String>,
}

/// Ctrl-C and what ends a job, and the exit code of a program that one of them ends at once: 128 and its number.
const ENDING: [(i32, i32); 2] = [(SIGINT, 128 + SIGINT), (SIGTERM, 128 + SIGTERM)];

/// Sets the flag at the first of these signals. The second one ends the program at once; what is on disk stays usable.
///
/// SIGHUP is left as it was, so that `nohup` works.
fn listen(interrupt: &Arc<AtomicBool>) -> std::io::Result<()> {
    for (signal, code) in ENDING {
        // In this order: the first signal finds the flag unset.
        flag::register_conditional_shutdown(signal, code, Arc::clone(interrupt))?;
        flag::register(signal, Arc::clone(interrupt))?;
    }
    Ok(())
}

/// A time as people write it; longer than nothing.
fn duration(text: &str) -> Result<Duration, String> {
    let parsed = text.parse::<jiff::SignedDuration>().map_err(|error| error.to_string())?;
    match Duration::try_from(parsed) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("a time longer than nothing is needed, such as 10s".into()),
    }
}

impl Choice {
    fn options(&self) -> MeasureOptions {
        let mut waves = self.waves.clone();
        waves.sort_unstable();
        waves.dedup();
        MeasureOptions {
            suites: self.suite.clone(),
            only: self.only.clone(),
            waves,
            samples: self.samples,
            sweeps: self.sweeps,
            seed: self.seed,
            budget: self.budget,
            dangerous: self.dangerous,
            shard: None,
        }
    }

    /// A pattern that names nothing is a slip of the pen: say what is near.
    fn check_names(&self, device: &dyn Device) -> anyhow::Result<()> {
        let generation = device.information().generation;
        for pattern in &self.only {
            let only = MeasureOptions { only: vec![pattern.clone()], ..MeasureOptions::default() };
            if !isa::of(generation).any(|instruction| only.wants(&instruction.name)) {
                let near = isa::similar(pattern.as_str(), generation);
                let hint = match near.as_slice() {
                    [] => "`gcn-timings list` shows all".into(),
                    near => format!("did you mean {}?", near.join(", ")),
                };
                bail!("no instruction of {} matches --only {pattern}: {hint}", generation.title());
            }
        }
        Ok(())
    }

    fn open(&self) -> anyhow::Result<Box<dyn Device>> {
        let limits = ChildLimits {
            launch: self.launch_timeout,
            faults_in_a_row: self.max_faults_in_a_row,
            ..ChildLimits::default()
        };
        Ok(open(&self.device, OpenOptions { isolate: self.isolate, limits })?)
    }

    /// Measures into a folder.
    pub(super) fn measure(&self, place: Place) -> anyhow::Result<Ended> {
        if let Some(threads) = self.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads as usize)
                .build_global()
                .context("cannot start the threads")?;
        }
        let device = self.open()?;
        self.check_names(&*device)?;
        let templates = self.assembler.templates()?;
        let assembler = self.assembler.assembler()?;
        let options = MeasureOptions { shard: place.shard, ..self.options() };
        let default = |now| {
            let name = device.information().record.device.rsplit(['/', ':']).next().unwrap_or("gpu").to_owned();
            let path = default_folder(name.trim_end_matches(".toml"), now);
            match place.shard {
                // Shards of one run may well start in the same second.
                Some(shard) => {
                    let mut path = path.into_os_string();
                    path.push(format!(".{}-of-{}", shard.index(), shard.of()));
                    path.into()
                }
                None => path,
            }
        };
        let path = match place.out {
            Some(path) => path,
            None => default(now()?),
        };
        let mut folder = if place.resume { RunFolder::resume(&path)? } else { RunFolder::create(&path)? };
        let interrupt = Arc::new(AtomicBool::new(false));
        listen(&interrupt).context("cannot listen for Ctrl-C")?;
        let mut bar = Bar::new();
        let measured = measure(&*device, &assembler, &templates, &options, &mut folder, &interrupt, &mut bar);
        bar.finish();
        let measured = measured.map_err(|error| anyhow!(error))?;
        let early = match measured.lost {
            Some(why) => Some(format!("the device is lost: {why}")),
            None => measured.interrupted.then(|| "interrupted".to_owned()),
        };
        Ok(Ended { path, early })
    }
}

pub(super) fn run(arguments: &Measure) -> anyhow::Result<()> {
    let place = Place { out: arguments.out.clone(), resume: arguments.resume, shard: arguments.shard };
    let Ended { path, early } = arguments.choice.measure(place)?;
    let analysis = gcn_analysis::analyze(&path)?;
    analysis.write(&path)?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        summary::write_json(&mut out, &analysis.summary(), &path)?;
    } else {
        summary::write(&mut Terminal::standard(), &analysis.summary(), &path)?;
    }
    out.flush()?;
    if let Some(why) = early {
        bail!("{why}: {0} holds what was measured so far; `measure --resume --out {0}` goes on", path.display());
    }
    Ok(())
}
