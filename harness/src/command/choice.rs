//! The choices of a measurement: the options that `measure` and `dpfactor` share.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum as _};
use gcn_analysis::run::load_run_record;
use gcn_model::isa::{Generation, GroupMode};
use gcn_model::record::{OptionsRecord, RunRecord};
use glob::Pattern;

use super::assembler::CodeArguments;
use super::interruption::{Early, Interruption};
use super::progress::Bar;
use super::similar_names::did_you_mean;
use super::threads::MOST_THREADS;
use crate::device::{ChildLimits, Chosen, Device, DeviceName, OpenOptions, open};
use crate::experiment::{MeasureOptions, Shard, Suite};
use crate::run::{DeviceCost, Forecast, RunFolder, default_folder, measure, now};

/// The GPU that is measured if none is named.
const DEFAULT_GPU: &str = "tahiti";

/// The choices of a measurement.
#[derive(Debug, Clone, Args)]
pub(super) struct Choice {
    /// The device [default: sim:tahiti]
    #[arg(long, value_name = "D")]
    pub device: Option<DeviceName>,
    /// Lanes of a wave, 32 or 64, on a device with both [default: 32]
    #[arg(long, value_name = "LANES")]
    pub wave_size: Option<u32>,
    /// Work-group mode of an RDNA device: one compute unit (cu) or both of a work-group processor (wgp) [default: cu]
    #[arg(long, value_name = "cu|wgp")]
    pub mode: Option<GroupMode>,
    /// Only instructions whose name matches, as in 'V_*_F64'; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<Pattern>,
    /// Readings of each block length and wave, over all sweeps [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    samples: Option<u32>,
    /// Passes over all experiments, each in another order [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    sweeps: Option<u32>,
    /// Seed of the order of each sweep [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Time for repeating experiments that are unsettled or coarser than ±0.25 cycles or ±2 %, such as 30s [default: at most three repeats]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,
    /// Threads for assembling and simulating [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    threads: Option<u32>,
    /// Time limit of one launch on a card, such as 10s or 500ms. A longer launch is ended, and its experiment fails
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    launch_timeout: Duration,
    /// Consecutive faults of a card (abort, hang) that end the run. One bad instruction causes up to eight
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    max_faults_in_a_row: u32,
    /// Print only errors on standard error: no plan, no progress
    #[arg(short, long)]
    quiet: bool,
    /// Print each step on standard error, and the whole summary. log.txt has the main lines in any case
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    /// Drive the simulator, too, from a process of its own
    #[arg(long, hide = true)]
    isolate: bool,
    #[command(flatten)]
    code: CodeArguments,
    /// The choices that only `measure` offers.
    #[arg(skip)]
    pub selection: Selection,
}

/// Which experiments a run has, but for their instructions.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Selection {
    /// Group of experiments; may be repeated
    #[arg(long, value_enum)]
    pub suite: Vec<Suite>,
    /// Waves per SIMD of the throughput experiments [default: 1,2,4,8,10, or 1,2,4,8,16 on a SIMD with 16 slots]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=most_waves()))]
    pub waves: Option<Vec<u32>>,
    /// Include instructions that can hang a card or damage data
    #[arg(long)]
    dangerous: bool,
}

/// Where a run goes.
#[derive(Debug, Default)]
pub(super) struct Destination {
    /// The folder.
    pub out: Option<PathBuf>,
    /// Whether an existing run is resumed.
    pub resume: bool,
    /// Which part of it is measured.
    pub shard: Option<Shard>,
    /// Whether what failed in it is tried again.
    pub retry_failed: bool,
    /// Whether the plan's cost is printed before the start.
    pub says_plan: bool,
}

/// What came of measuring.
pub(super) struct Ended {
    /// The run's folder.
    pub path: PathBuf,
    /// Why the run ended early, if it did.
    pub early: Option<Early>,
    /// Its cost.
    pub spent: DeviceCost,
}

/// A path as a shell takes it for one word.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:=,@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Waves that a SIMD of any generation has slots for.
fn most_waves() -> i64 {
    let slots = |generation: Generation| i64::from(generation.waves.slots);
    Generation::all().into_iter().map(slots).max().unwrap_or(1)
}

/// A time as people write it; longer than nothing.
fn duration(text: &str) -> Result<Duration, String> {
    if text.parse::<u64>().is_ok() {
        return Err(format!("{text} of what? Write {text}s, {text}m or {text}ms"));
    }
    let parsed = text.parse::<jiff::SignedDuration>().map_err(|error| error.to_string())?;
    match Duration::try_from(parsed) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("a time above 0 is needed, such as 10s".into()),
    }
}

impl Choice {
    /// Whether all of the summary is printed.
    pub(super) const fn is_verbose(&self) -> bool {
        self.verbose
    }

    fn options(&self, place: &Destination, generation: Generation) -> MeasureOptions {
        let default = MeasureOptions::default();
        let mut waves = self.selection.waves.clone().unwrap_or_else(|| MeasureOptions::waves_of(generation));
        waves.sort_unstable();
        waves.dedup();
        MeasureOptions {
            suites: self.selection.suite.clone(),
            only: self.only.clone(),
            waves,
            samples: self.samples.unwrap_or(default.samples),
            sweeps: self.sweeps.unwrap_or(default.sweeps),
            seed: self.seed.unwrap_or(default.seed),
            budget: self.budget,
            dangerous: self.selection.dangerous,
            shard: place.shard,
            retry_failed: place.retry_failed,
        }
    }

    /// Options that are not given are those of the resumed run.
    fn complete_from(&mut self, record: &RunRecord, place: &mut Destination) -> anyhow::Result<()> {
        let OptionsRecord { suites, only, waves, samples, sweeps, seed, budget, dangerous } = &record.options;
        let of_run = |what: &str| format!("run.json: {what} of the run is not known to this version; name it");
        if self.device.is_none() {
            let device = record.device.device.parse();
            self.device = Some(device.map_err(|error: String| anyhow!("{}: {error}", of_run("--device")))?);
        }
        self.wave_size = self.wave_size.or(record.device.wave_size);
        self.mode = self.mode.or(record.device.mode);
        if self.selection.suite.is_empty() {
            let parsed: Result<_, String> = suites.iter().map(|suite| Suite::from_str(suite, true)).collect();
            self.selection.suite = parsed.map_err(|error| anyhow!("{}: {error}", of_run("--suite")))?;
        }
        if self.only.is_empty() {
            self.only = only
                .iter()
                .map(|text| Pattern::new(text))
                .collect::<Result<_, _>>()
                .with_context(|| of_run("--only"))?;
        }
        self.selection.waves.get_or_insert_with(|| waves.clone());
        self.samples.get_or_insert(*samples);
        self.sweeps.get_or_insert(*sweeps);
        self.seed.get_or_insert(*seed);
        if let (None, Some(budget)) = (self.budget, budget) {
            self.budget = Some(duration(budget).map_err(|error| anyhow!("{}: {error}", of_run("--budget")))?);
        }
        self.selection.dangerous |= dangerous;
        if let (None, Some(shard)) = (place.shard, &record.shard) {
            place.shard = Some(format!("{}/{}", shard.index, shard.of).parse().with_context(|| of_run("--shard"))?);
        }
        Ok(())
    }

    /// The command that resumes a run: device and options are in its folder, and other given options are not.
    pub(super) fn resume_command(&self, folder: &Path, retry_failed: bool) -> String {
        let mut words = vec!["gcn-timings measure --resume".to_owned()];
        if retry_failed {
            words.push("--retry-failed".into());
        }
        words.push(format!("--out {}", quoted(folder)));
        let assembling = &self.code.assembler;
        for (name, file) in [
            ("llvm", &assembling.llvm),
            ("lld", &assembling.linker),
            ("templates", &assembling.templates),
            ("kernels", &self.code.kernels),
        ] {
            words.extend(file.as_ref().map(|file| format!("--{name} {}", quoted(file))));
        }
        words.extend(self.threads.map(|threads| format!("--threads {threads}")));
        let limits = ChildLimits::default();
        if self.launch_timeout != limits.launch {
            words.push(format!("--launch-timeout {:?}", self.launch_timeout));
        }
        if self.max_faults_in_a_row != limits.faults_in_a_row {
            words.push(format!("--max-faults-in-a-row {}", self.max_faults_in_a_row));
        }
        if self.isolate {
            words.push("--isolate".into());
        }
        words.join(" ")
    }

    /// A pattern without a match is a typing mistake: name similar ones.
    fn check_names(&self, device: &dyn Device) -> anyhow::Result<()> {
        let information = device.information();
        for pattern in &self.only {
            let only = MeasureOptions { only: vec![pattern.clone()], ..MeasureOptions::default() };
            if !information.instructions().any(|instruction| only.wants(&instruction.name)) {
                let hint = did_you_mean(pattern.as_str(), information.instructions(), "`gcn-timings list` shows all");
                bail!("no instruction of {} matches --only {pattern}: {hint}", information.target);
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
        let default = || DeviceName::Simulated(DEFAULT_GPU.into());
        let name = self.device.clone().unwrap_or_else(default);
        let device = open(&name, OpenOptions { isolate: self.isolate, limits })?;
        let device = match self.wave_size {
            Some(lanes) => Box::new(Chosen::in_waves_of(device, lanes)?),
            None => device,
        };
        Ok(match self.mode {
            Some(mode) => Box::new(Chosen::in_mode(device, mode)?),
            None => device,
        })
    }

    /// The lanes of a wave, where the device has other waves that are the usual ones: their lanes.
    ///
    /// # Errors
    /// The device does not open.
    pub(super) fn unusual_lanes(&self) -> anyhow::Result<Option<u32>> {
        let Some(lanes) = self.wave_size else { return Ok(None) };
        let usual = self.open()?.information().generation.lanes();
        Ok((lanes != usual).then_some(usual))
    }

    /// What measuring would ask of the device, which is opened, and on which nothing is launched.
    pub(super) fn forecast(&self, shard: Option<Shard>) -> anyhow::Result<Forecast> {
        let device = self.open()?;
        self.check_names(&*device)?;
        let place = Destination { shard, ..Destination::default() };
        let options = self.options(&place, device.information().generation);
        Ok(Forecast::new(device.information(), &options)?)
    }

    /// Measures into a folder.
    pub(super) fn measure(&self, place: Destination) -> anyhow::Result<Ended> {
        let (mut choice, mut place) = (self.clone(), place);
        if let (true, Some(folder)) = (place.resume, &place.out) {
            let path = folder.join("run.json");
            if path.exists() {
                choice.complete_from(&load_run_record(&path)?, &mut place)?;
            } else if self.device.is_none() && RunFolder::is_of_no_run(folder) {
                // A typo, or a run that ended before its first reading, must not start a whole run on the default device.
                bail!(
                    "{folder}: no run to resume; to start one, name its device: \
                     `gcn-timings measure --device DEVICE --out {folder}`",
                    folder = folder.display()
                );
            }
        }
        choice.measure_into(place)
    }

    fn measure_into(&self, place: Destination) -> anyhow::Result<Ended> {
        if let Some(threads) = self.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads as usize)
                .build_global()
                .context("cannot start the threads")?;
        }
        let device = self.open()?;
        self.check_names(&*device)?;
        let templates = self.code.assembler.templates()?;
        let source = self.code.object_source(&device.information().target)?;
        let options = self.options(&place, device.information().generation);
        let default = |now| {
            let name = device.information().record.device.rsplit(['/', ':']).next().unwrap_or("gpu").to_owned();
            let path = default_folder(name.trim_end_matches(".toml"), now);
            match place.shard {
                // Shards of a run may start in the same second.
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
        let interruption = Interruption::listen().context("cannot listen for Ctrl-C")?;
        let mut bar = Bar::new(place.says_plan, self.quiet, self.verbose);
        let measured = measure(&*device, &*source, &templates, &options, &mut folder, &interruption.flag, &mut bar);
        bar.finish();
        let measured = measured.inspect_err(|error| bar.stopped(&error.to_string())).map_err(|error| anyhow!(error))?;
        bar.ended(&measured);
        let early = match measured.lost {
            Some(why) => Some(Early { why: format!("the device is lost: {why}"), code: 1 }),
            None => measured.interrupted.then(|| interruption.early()),
        };
        Ok(Ended { path, early, spent: measured.spent })
    }
}
