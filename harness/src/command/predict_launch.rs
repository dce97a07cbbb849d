//! `gcn-timings predict --launch`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Read as _, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;
use gcn_model::code_object::LoadableObject;
use gcn_model::gpu::Gpu;
use gcn_model::regular_file;
use gcn_predict::{Argument, LaunchPrediction, Start, launch_from, launch_text};
use serde::Serialize;

use super::prediction_format::Heading;
use crate::launch_file::LaunchFile;
use crate::llvm::{Linker, Llvm};

/// The most bytes that are read of a file of code.
const MOST_BYTES: u64 = 256 << 20;
/// The version of the JSON; it changes with the meaning of a field.
const SCHEMA: &str = "gcn-timings-predict-launch-1";

/// A launch in place of a repeated block.
#[derive(Debug, Args)]
#[command(next_help_heading = "Launches")]
pub(super) struct LaunchOptions {
    /// Launch the kernel with the grid and the arguments of this file, in place of repeating a part of it
    #[arg(long, value_name = "LAUNCH.toml", conflicts_with_all = ["waves", "simds", "group_waves"])]
    launch: Option<PathBuf>,
    /// Write a buffer to a new file after the launch: the number of the argument, counted from 1
    #[arg(long = "dump", value_name = "NUMBER=FILE", requires = "launch")]
    dumps: Vec<Dump>,
}

/// A buffer that is written to a file.
#[derive(Debug, Clone)]
struct Dump {
    /// Number of the argument, counted from 1.
    number: usize,
    file: PathBuf,
}

impl FromStr for Dump {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').filter(|(_, file)| !file.is_empty());
        let number = parts.and_then(|(number, _)| number.parse().ok()).filter(|number| *number > 0);
        match (number, parts) {
            (Some(number), Some((_, file))) => Ok(Self { number, file: file.into() }),
            _ => Err("the number of an argument from 1 on, =, and a file".to_owned()),
        }
    }
}

/// What is launched, and on what.
pub(super) struct Subject<'a> {
    pub(super) file: &'a Path,
    pub(super) gpu: &'a Gpu,
    pub(super) kernel: Option<&'a str>,
    pub(super) llvm: Option<&'a Path>,
    pub(super) prints_json: bool,
    pub(super) start: Start,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    heading: Heading<'a>,
    launch: &'a LaunchPrediction,
}

impl LaunchOptions {
    /// Whether a launch is wanted.
    pub(super) fn is_wanted(&self) -> bool {
        self.launch.is_some()
    }
}

pub(super) fn run(options: &LaunchOptions, subject: &Subject<'_>) -> anyhow::Result<()> {
    let Some(launch_file) = &options.launch else { return Ok(()) };
    let (gpu, name) = (subject.gpu, subject.file.display());
    for dump in &options.dumps {
        if dump.file.symlink_metadata().is_ok() {
            bail!("{}: it is there already; name a new file", dump.file.display());
        }
    }
    let wanted = LaunchFile::read(launch_file)?;
    for Dump { number, .. } in &options.dumps {
        if !matches!(wanted.arguments.arguments.get(number - 1), Some(Argument::Buffer(_))) {
            bail!("--dump {number}: argument {number} of {} is no buffer", launch_file.display());
        }
    }
    let object = object(subject).with_context(|| name.to_string())?;
    if let Some(processor) = object.object.processor().filter(|processor| *processor != gpu.processor()) {
        let (of_file, of_gpu) = (processor.name(), &gpu.gfx_target);
        bail!("{name} is for {of_file}, and {} is {of_gpu}: name a GPU of that target with --gpu", gpu.name);
    }
    let kernels = &object.object.kernels;
    let names = || kernels.iter().map(|kernel| kernel.name.as_str()).collect::<Vec<_>>().join(", ");
    let kernel = match (subject.kernel, kernels.as_slice()) {
        (Some(kernel), _) => kernel,
        (None, [only]) => &only.name,
        (None, []) => bail!("{name} has no kernel: a launch wants one with a descriptor (`.amdhsa_kernel`)"),
        (None, _) => bail!("{name} has several kernels, choose one with --kernel: {}", names()),
    };
    let launched = launch_from(gpu, &object, kernel, &wanted.arguments, &subject.start).map_err(|error| {
        let place = wanted.place_of(&error);
        match error {
            gcn_predict::PredictError::Simulation(_)
            | gcn_predict::PredictError::NoSuchKernel { .. }
            | gcn_predict::PredictError::Hidden(_)
            | gcn_predict::PredictError::Metadata { .. } => anyhow::Error::new(error).context(name.to_string()),
            of_file => anyhow::Error::new(of_file).context(place),
        }
    })?;
    // All of them are read before any is written.
    let contents: Vec<Vec<u8>> =
        options.dumps.iter().map(|dump| launched.buffer(dump.number)).collect::<Result<_, _>>()?;
    for (dump, content) in options.dumps.iter().zip(&contents) {
        write_new(&dump.file, content)?;
    }
    print(subject, &launched.prediction)
}

/// The code object of the file: a text is assembled, and what is not linked is linked.
fn object(subject: &Subject<'_>) -> anyhow::Result<LoadableObject> {
    let mut bytes = Vec::new();
    if subject.file == Path::new("-") {
        std::io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes).context("standard input")?;
    } else {
        bytes = regular_file::read(subject.file, MOST_BYTES)?;
    }
    if bytes.starts_with(b"__CLANG_OFFLOAD_BUNDLE__") {
        bail!("an offload bundle: take a code object out of it with `clang-offload-bundler --unbundle --type=o`");
    }
    if !bytes.starts_with(b"\x7fELF") {
        let text = String::from_utf8(bytes).context("it is neither an ELF file nor UTF-8 text")?;
        bytes = Llvm::find(subject.llvm)?.assemble(&subject.gpu.gfx_target, &text)?;
    }
    if LoadableObject::wants_linking(&bytes) {
        bytes = Linker::find(None, &Llvm::find(subject.llvm)?)?.link(&[bytes])?;
    }
    Ok(LoadableObject::read(&bytes)?)
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow::anyhow!("{}: it is there already; name a new file", path.display()),
        _ => anyhow::Error::new(error).context(format!("{}: cannot be written", path.display())),
    })
}

fn print(subject: &Subject<'_>, prediction: &LaunchPrediction) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if subject.prints_json {
        let answer = Answer {
            heading: Heading::new(SCHEMA, subject.file.display().to_string(), subject.gpu),
            launch: prediction,
        };
        serde_json::to_writer_pretty(&mut out, &answer)?;
        writeln!(out)?;
        return Ok(());
    }
    writeln!(out, "Simulated: the cycles of this code were measured on no card.\n")?;
    write!(out, "{}", launch_text(subject.gpu, prediction))?;
    Ok(())
}
