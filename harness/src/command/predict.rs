//! `gcn-timings predict`.

use std::io::Write;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use gcn_model::gpu::Gpu;
use gcn_model::isa::Processor;
use gcn_predict::{
    Card, Occupancy, PredictError, Prediction, Question, Region, advised, predict_between, predict_card, timeline,
};
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use rayon::prelude::*;

use super::code_file::may_be_text;
use super::list::gpu;
use super::predict_code::{CodeOptions, Placed};
use super::predict_compare::{self, CompareOptions};
use super::predict_found::Found;
use super::predict_input::Input;
use super::predict_launch::{self, LaunchOptions, Subject};
use super::predict_questions::Questions;
use super::predict_sides::Sides;
use super::predict_trip::TripOptions;
use super::prediction_format::Format;
use crate::bundle::is_bundle;
use crate::code::{Function, RegionChoice, UserCode};
use crate::device::ChildProgram;
use crate::llvm::ConfinedLlvm;
use crate::mca::{Comparison, LlvmMca};
use crate::run_card::run_card;

/// The longest part of a run that is shown.
const MOST_CYCLES: i64 = 100_000;
/// Exit code if a prediction breaks a given limit.
const OBJECTED: u8 = 3;

/// Predict how many cycles a loop or a piece of code takes, and why.
///
/// The code is repeated on the simulator until each time through takes as long as the one before. Its loops are found by
/// themselves; `; GCN-BEGIN name` and `; GCN-END`, or llvm-mca's markers, choose a part of an assembly text. Nothing is
/// computed: which branches are taken and that memory never conflicts is assumed, and said.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings predict kernel.s --gpu fiji --waves 4\n  gcn-timings predict kernel.hsaco --gpu vega10 --kernel sgemm --waves all\n  gcn-timings predict kernel.s --format html > kernel.html\n  echo 'v_rcp_f32 v1, v0' | gcn-timings predict - --json\n  gcn-timings predict kernel.hsaco --gpu fiji --launch launch.toml --dump 1=out.bin\n  gcn-timings predict kernel.s --gpu tahiti --align all\n  gcn-timings predict kernel.s --gpu fiji --memory l1,smem=100..200\n  gcn-timings predict kernel.s --gpu fiji --max-estimated 10\n  gcn-timings predict kernel.s --gpu fiji --region .LBB0_2..0x9c\n  gcn-timings predict kernel.s --gpu fiji --trip 1000 --start cold=dram\n  gcn-timings predict before.s --gpu fiji --compare after.s --fail-above 2\n\nThe exit code is 3 if more rests on estimates than --max-estimated says, the other file takes longer than --fail-above says, or --deny-hazards finds one."
)]
pub struct Predict {
    /// Assembly text, an ELF file for AMDGPU, an offload bundle, or a program or library with HIP kernels; - is standard input
    file: PathBuf,
    /// The GPU: a name that `gcn-timings devices` shows, a GPU file, or the folder of a run, whose measured timings then count
    #[arg(long, default_value = "tahiti")]
    gpu: String,
    /// The kernel or function, if there are several: its name, or a part that no other name has
    #[arg(long)]
    kernel: Option<String>,
    /// Predict this part: the name of a region, the label of a loop, LABEL..LABEL or 0xSTART..0xEND, the end after its last
    /// instruction; may be repeated
    #[arg(long = "region", value_name = "REGION", conflicts_with = "launch")]
    regions: Vec<RegionChoice>,
    /// Waves of each SIMD: a number, `auto` for what registers and LDS allow, `all` for each number up to that
    #[arg(long, default_value = "1", help_heading = "Waves")]
    waves: Waves,
    /// SIMDs of the compute unit that have waves [default: all]
    #[arg(long, help_heading = "Waves")]
    simds: Option<NonZeroU32>,
    /// Waves of a work-group, which wait for each other at S_BARRIER [default: all that there are]
    #[arg(long, help_heading = "Waves")]
    group_waves: Option<NonZeroU32>,
    /// Output format: `html` is a page with pictures, `trace` is for Perfetto, `csv` has a row for each instruction
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json", help_heading = "Output")]
    format: Format,
    /// Short for --format json
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Shader cycles that a trace or a page shows of each prediction, once its waves repeat [default: 5000 in a trace, 2
    /// iterations on a page, or fewer if there is much to draw]
    #[arg(
        long,
        value_name = "CYCLES",
        value_parser = clap::value_parser!(u32).range(1..=MOST_CYCLES),
        help_heading = "Output"
    )]
    trace_window: Option<u32>,
    /// LLVM's shared library, instead of searching for one; only assembly text needs it
    #[arg(long, value_name = "FILE", env = "GCN_TIMINGS_LLVM")]
    llvm: Option<PathBuf>,
    /// Let llvm-mca predict the same, and name the causes of the differences; it simulates one wave
    #[arg(long, help_heading = "Questions")]
    against_mca: bool,
    #[command(flatten)]
    code: CodeOptions,
    #[command(flatten)]
    questions: Questions,
    #[command(flatten)]
    trip: TripOptions,
    #[command(flatten)]
    compare: CompareOptions,
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

impl Predict {
    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// Shader cycles that are shown of a prediction, if any are.
    fn window(&self, prediction: &Prediction) -> Option<u64> {
        let default = self.format().cycles(prediction)?;
        Some(self.trace_window.map_or(default, u64::from))
    }

    /// The machine for a function, and how a region of it is repeated, but for the number of waves.
    fn placed(&self, card: &Card, code: &UserCode, function: &Function) -> anyhow::Result<Placed> {
        let Placed { card, question } = self.code.placed(card, code, function)?;
        let simds = self.simds.map_or(question.simds, NonZeroU32::get);
        let waves_per_group = self.group_waves.or(question.waves_per_group);
        Ok(Placed { card, question: Question { simds, waves_per_group, ..question } })
    }

    /// The occupancy: by the kernel's needs, or else by the registers that the region names.
    fn occupancy(
        gpu: &Gpu,
        function: &Function,
        region: &Region,
        question: &Question,
    ) -> Result<Occupancy, PredictError> {
        let of_kernel = function.needs.as_ref().and_then(|needs| Occupancy::of_kernel(gpu, needs, question));
        of_kernel.map_or_else(|| Occupancy::of(gpu, &function.code, region), Ok)
    }

    /// The numbers of waves that a region is predicted for.
    fn waves_of(&self, occupancy: Occupancy) -> anyhow::Result<RangeInclusive<u32>> {
        Ok(match (self.waves, occupancy.waves_per_simd) {
            (Waves::Number(waves), _) => waves.get()..=waves.get(),
            (_, 0) => bail!("no wave fits: {}", occupancy.words()),
            (Waves::Auto, most) => most..=most,
            (Waves::All, most) => 1..=most,
        })
    }

    /// llvm-mca, if a comparison with it was asked for.
    fn mca(&self) -> anyhow::Result<Option<LlvmMca>> {
        if !self.against_mca {
            return Ok(None);
        }
        if self.waves != Waves::Number(NonZeroU32::MIN) {
            bail!("llvm-mca simulates one wave: omit --waves with --against-mca");
        }
        self.format().must_be_plain("a comparison with llvm-mca")?;
        Ok(Some(LlvmMca::find()?))
    }
}

/// A GPU by its name or file, or the measured timings of a run's folder.
fn card(name: &str) -> anyhow::Result<Card> {
    // A folder in the way of a GPU's name is meant by its path alone.
    let is_gpu = Gpu::meant(name).is_some() || Processor::find(name).is_some();
    if !is_gpu && (Path::new(name).is_dir() || is_bundle(Path::new(name))) {
        return Ok(run_card(Path::new(name))?);
    }
    Ok(Card::from(&gpu(name)?))
}

pub(super) fn run(arguments: &Predict) -> anyhow::Result<ExitCode> {
    if arguments.trace_window.is_some() && !arguments.format().shows_time() {
        bail!("--trace-window is the time that a picture shows: add --format trace or --format html");
    }
    // LLVM is loaded while the tables of the card are read.
    let llvm = arguments.llvm()?;
    let mut card = card(&arguments.gpu)?;
    if arguments.launch.is_wanted() {
        return arguments.launch(&card, &llvm);
    }
    let (gpu, questions) = (card.likeliest(), &arguments.questions);
    let is_table = arguments.waves == Waves::All;
    questions.check(&gpu, arguments.format(), is_table)?;
    arguments.trip.check(arguments.format(), is_table)?;
    card.gpu = questions.gpu(arguments.trip.start().gpu(&card.gpu))?;
    let card = arguments.code.card(&card)?;
    let gpu = card.likeliest();
    let input = Input {
        file: &arguments.file,
        gpu: &gpu,
        kernel: arguments.kernel.as_deref(),
        llvm: &llvm,
        text: &arguments.code.text(),
        regions: &arguments.regions,
    };
    if arguments.compare.is_wanted() {
        return arguments.compare(&card, input);
    }
    let code = input.read()?;
    let mca = arguments.mca()?;
    let waiting = waiting();
    let of = |(function, region)| arguments.predict(&card, (&code, function), region, mca.as_ref());
    let regions: Vec<anyhow::Result<Found>> = input.regions_of(&code)?.into_par_iter().map(of).collect();
    let mut found = Found::default();
    for region in regions {
        found.add(region.with_context(|| arguments.file.display().to_string())?);
    }
    waiting.finish_and_clear();
    let objections = found.objections(&arguments.file, arguments.code.deny_hazards);
    found.print(arguments.format(), (&arguments.file, &gpu), questions.header(&gpu)?, is_table)?;
    ended(&objections)
}

/// A sign on a terminal that the prediction goes on: with many waves of long loops it takes seconds.
fn waiting() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} predicting, {elapsed}").expect("a constant template");
    let sign = ProgressBar::new_spinner().with_style(style).with_finish(ProgressFinish::AndClear);
    sign.enable_steady_tick(Duration::from_millis(200));
    sign
}

impl Predict {
    fn llvm(&self) -> anyhow::Result<ConfinedLlvm> {
        let program = ChildProgram::this([])?;
        let llvm = ConfinedLlvm::new(program, self.llvm.clone(), self.code.limits());
        if may_be_text(&self.file) {
            llvm.start_ahead();
        }
        Ok(llvm)
    }

    fn launch(&self, card: &Card, llvm: &ConfinedLlvm) -> anyhow::Result<ExitCode> {
        if self.against_mca {
            bail!("llvm-mca has no launches: omit --launch or --against-mca");
        }
        self.format().must_be_plain("a launch")?;
        let subject = Subject {
            file: &self.file,
            card,
            kernel: self.kernel.as_deref(),
            llvm,
            text: &self.code.text(),
            prints_json: self.format() == Format::Json,
            start: self.trip.start(),
        };
        predict_launch::run(&self.launch, &subject)?;
        Ok(ExitCode::SUCCESS)
    }

    fn compare(&self, card: &Card, before: Input<'_>) -> anyhow::Result<ExitCode> {
        if self.waves == Waves::All {
            bail!("two files are compared at a single number of waves, not --waves all");
        }
        let placed = |code: &UserCode, function: &Function, region: &Region| -> anyhow::Result<Placed> {
            let Placed { card, question } = self.placed(card, code, function)?;
            let occupancy = Self::occupancy(&card.likeliest(), function, region, &question)?;
            let waves = self.waves_of(occupancy)?;
            Ok(Placed { card, question: Question { waves_per_simd: *waves.end(), ..question } })
        };
        let sides =
            Sides { before, placed: &placed, format: self.format(), header: self.questions.header(&card.likeliest())? };
        ended(&predict_compare::run(&self.compare, &sides)?)
    }

    /// A region for each wanted number of waves.
    fn predict(
        &self,
        card: &Card,
        (code, function): (&UserCode, &Function),
        region: Region,
        mca: Option<&LlvmMca>,
    ) -> anyhow::Result<Found> {
        let Placed { card, question } = self.placed(card, code, function)?;
        let gpu = card.likeliest();
        let occupancy = Self::occupancy(&gpu, function, &region, &question)?;
        let names = code.names(function);
        let of = |waves_per_simd: u32| {
            let (code, question) = (&function.code, Question { waves_per_simd, ..question });
            // A table of all numbers of waves has no room for the ends.
            let prediction = match self.waves {
                Waves::All => Prediction { occupancy, ..predict_card(&card, code, &region, question)? },
                _ => {
                    let between = predict_between(&card, code, &region, question)?;
                    advised(Prediction { occupancy, ..between }, &card, code)?
                }
            };
            anyhow::Ok(prediction.named(&names))
        };
        let waves = self.waves_of(occupancy)?;
        // Of more waves than one each is a run of its own.
        let predictions: Vec<Prediction> = if waves.start() == waves.end() {
            vec![of(*waves.end())?]
        } else {
            waves.into_par_iter().map(of).collect::<anyhow::Result<_>>()?
        };
        let mut found = Found::default();
        for prediction in &predictions {
            if let Some(window) = self.window(prediction) {
                found.timelines.push(timeline(&gpu, &function.code, prediction, window)?);
            }
            let mut answered = self.questions.answers(&gpu, &function.code, prediction)?;
            answered.trip = self.trip.answer(&card, &function.code, prediction)?;
            answered.mca = mca.map(|mca| Comparison::of(mca, &gpu, &function.code, prediction)).transpose()?;
            found.answers.push(answered);
        }
        Ok(Found { predictions, ..found })
    }
}

/// States the breach of a given limit.
fn ended(objections: &[String]) -> anyhow::Result<ExitCode> {
    for objection in objections {
        writeln!(std::io::stderr(), "gcn-timings: {objection}")?;
    }
    Ok(if objections.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(OBJECTED) })
}
