//! `gcn-timings predict`.

use std::io::{Read as _, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;
use gcn_model::gpu::Gpu;
use gcn_model::regular_file;
use gcn_predict::{Occupancy, Prediction, Question, Region, predict, text};
use serde::Serialize;

use super::list::gpu;
use super::predict_launch::{self, LaunchOptions, Subject};
use crate::code::{Function, UserCode};
use crate::llvm::Llvm;

/// The most bytes that are read of a file of code.
const MOST_BYTES: u64 = 256 << 20;
/// The version of the JSON; it changes with the meaning of a field.
const SCHEMA: &str = "gcn-timings-predict-1";

/// Predict how many cycles a loop or a piece of code takes, and why.
///
/// The code is repeated on the simulator until each time through takes as long as the one before. Its loops are found by
/// themselves; `; GCN-BEGIN name` and `; GCN-END`, or llvm-mca's markers, choose a part of an assembly text. Nothing is
/// computed: which branches are taken and that memory never conflicts is assumed, and said.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings predict kernel.s --gpu fiji --waves 4\n  gcn-timings predict kernel.hsaco --gpu vega10 --kernel sgemm --waves all\n  echo 'v_rcp_f32 v1, v0' | gcn-timings predict - --json\n  gcn-timings predict kernel.hsaco --gpu fiji --launch launch.toml --dump 1=out.bin"
)]
pub struct Predict {
    /// Assembly text, or an ELF file for AMDGPU; - is assembly text on standard input
    file: PathBuf,
    /// The GPU: a name that `gcn-timings devices` shows, or a GPU file
    #[arg(long, default_value = "tahiti")]
    gpu: String,
    /// The kernel or function, if there are several
    #[arg(long)]
    kernel: Option<String>,
    /// Waves of each SIMD: a number, `auto` for what the registers allow, `all` for each number up to that
    #[arg(long, default_value = "1")]
    waves: Waves,
    /// SIMDs of the compute unit that have waves [default: all]
    #[arg(long)]
    simds: Option<NonZeroU32>,
    /// Waves of a work-group, which wait for each other at S_BARRIER [default: all that there are]
    #[arg(long)]
    group_waves: Option<NonZeroU32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// LLVM's shared library, instead of searching for one; only assembly text needs it
    #[arg(long, value_name = "FILE", env = "GCN_TIMINGS_LLVM")]
    llvm: Option<PathBuf>,
    #[command(flatten)]
    launch: LaunchOptions,
}

/// How many waves a SIMD has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waves {
    Number(NonZeroU32),
    Auto,
    All,
}

impl FromStr for Waves {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "all" => Ok(Self::All),
            number => number.parse().map(Self::Number).map_err(|_| "a number from 1 on, `auto` or `all`".to_owned()),
        }
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Answer<'a> {
    schema: &'static str,
    version: &'static str,
    /// Always: no figure is a measurement.
    simulated: bool,
    file: String,
    gpu: &'a str,
    target: &'a str,
    predictions: Vec<Prediction>,
}

pub(super) fn run(arguments: &Predict) -> anyhow::Result<()> {
    let gpu = gpu(&arguments.gpu)?;
    let file = &arguments.file;
    if arguments.launch.is_wanted() {
        let (kernel, llvm) = (arguments.kernel.as_deref(), arguments.llvm.as_deref());
        return predict_launch::run(
            &arguments.launch,
            &Subject { file, gpu: &gpu, kernel, llvm, prints_json: arguments.json },
        );
    }
    let code = read(arguments, &gpu).with_context(|| file.display().to_string())?;
    if let Some(processor) = code.processor.filter(|processor| *processor != gpu.processor()) {
        bail!(
            "{} is for {}, and {} is {}: name a GPU of that target with --gpu",
            file.display(),
            processor.name(),
            gpu.name,
            gpu.gfx_target
        );
    }
    let mut predictions = Vec::new();
    for (function, region) in regions(&code, &gpu, arguments.kernel.as_deref(), file)? {
        let question = Question {
            simds: arguments.simds.map_or(gpu.registers.simds, NonZeroU32::get),
            waves_per_group: arguments.group_waves.map_or(0, NonZeroU32::get),
            ..Question::default()
        };
        let of = |waves_per_simd: u32| {
            predict(&gpu, &function.code, &region, Question { waves_per_simd, ..question })
                .with_context(|| file.display().to_string())
        };
        let room = || {
            let occupancy = Occupancy::of(&gpu, &function.code, &region).with_context(|| file.display().to_string())?;
            anyhow::Ok(occupancy.waves_per_simd)
        };
        let waves = match arguments.waves {
            Waves::Number(waves) => waves.get()..=waves.get(),
            Waves::Auto => room().map(|most| most..=most)?,
            Waves::All => 1..=room()?,
        };
        for waves in waves {
            predictions.push(of(waves)?);
        }
    }
    print(arguments, &gpu, predictions)
}

fn read(arguments: &Predict, gpu: &Gpu) -> anyhow::Result<UserCode> {
    let mut bytes = Vec::new();
    if arguments.file == Path::new("-") {
        std::io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes).context("standard input")?;
    } else {
        bytes = regular_file::read(&arguments.file, MOST_BYTES)?;
    }
    if bytes.starts_with(b"\x7fELF") || bytes.starts_with(b"__CLANG_OFFLOAD_BUNDLE__") {
        return Ok(UserCode::of_object(&bytes)?);
    }
    let text = String::from_utf8(bytes).context("it is neither an ELF file nor UTF-8 text")?;
    let llvm = Llvm::find(arguments.llvm.as_deref())?;
    Ok(UserCode::of_text(&text, &gpu.gfx_target, &llvm)?)
}

/// The regions to predict, each with its function.
fn regions<'a>(
    code: &'a UserCode,
    gpu: &Gpu,
    kernel: Option<&str>,
    file: &Path,
) -> anyhow::Result<Vec<(&'a Function, Region)>> {
    if !code.marked.is_empty() {
        return Ok(code.marked.iter().map(|(function, region)| (&code.functions[*function], region.clone())).collect());
    }
    let names = || code.functions.iter().map(|function| function.name.as_str()).collect::<Vec<_>>().join(", ");
    let function = match (kernel, code.functions.as_slice()) {
        (Some(name), functions) => functions
            .iter()
            .find(|function| function.name == name)
            .with_context(|| format!("{} has no kernel {name}; it has {}", file.display(), names()))?,
        (None, [only]) => only,
        (None, _) => bail!("{} has several kernels, choose one with --kernel: {}", file.display(), names()),
    };
    let regions = function.code.regions(gpu.processor()).with_context(|| file.display().to_string())?;
    Ok(regions.into_iter().map(|region| (function, region)).collect())
}

fn print(arguments: &Predict, gpu: &Gpu, predictions: Vec<Prediction>) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let answer = Answer {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            simulated: true,
            file: arguments.file.display().to_string(),
            gpu: &gpu.name,
            target: &gpu.gfx_target,
            predictions,
        };
        serde_json::to_writer_pretty(&mut out, &answer)?;
        writeln!(out)?;
        return Ok(());
    }
    writeln!(out, "Simulated: no figure here was measured on a card.\n")?;
    if arguments.waves == Waves::All {
        write!(out, "{}", table(&predictions))?;
        return Ok(());
    }
    for (index, prediction) in predictions.iter().enumerate() {
        write!(out, "{}{}", if index == 0 { "" } else { "\n" }, text(gpu, prediction))?;
    }
    Ok(())
}

/// A row for each number of waves.
fn table(predictions: &[Prediction]) -> String {
    use std::fmt::Write as _;
    let mut table = String::new();
    let mut region = None;
    for prediction in predictions {
        if region != Some(&prediction.region) {
            let _ = writeln!(table, "{}{}", if region.is_none() { "" } else { "\n" }, prediction.region.name);
            let _ = writeln!(table, "  waves  cycles of an iteration  of a wave's share  bound by");
            region = Some(&prediction.region);
        }
        let waves = prediction.question.waves_per_simd;
        let cycles = prediction.cycles_per_iteration.0;
        let bound = prediction.bounds.iter().find(|bound| bound.share >= gcn_predict::BINDS);
        let steady = if prediction.is_steady { "" } else { "  (not steady)" };
        let _ = writeln!(
            table,
            "  {waves:>5}  {cycles:>22.2}  {:>17.2}  {}{steady}",
            cycles / f64::from(waves),
            bound.map_or("no unit alone", |bound| bound.of),
        );
    }
    table
}
