//! `gcn-timings predict --launch`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;
use gcn_model::code_object::LoadableObject;
use gcn_predict::{Argument, Card, LaunchPrediction, Start, launch_card, launch_text};
use serde::Serialize;

use super::code_file::CodeFile;
use super::json_output::print_json;
use super::prediction_format::{Heading, SIMULATED};
use crate::code::{AssemblyText, CodeError, TextOptions, UserFile, UserObject, chosen};
use crate::launch_file::LaunchFile;
use crate::llvm::{ConfinedLlvm, Linker, Llvm};

/// The version of the JSON; it changes with the meaning of a field.
const SCHEMA: &str = "gcn-timings-predict-launch-1";

/// A launch in place of a repeated block.
#[derive(Debug, Args)]
#[command(next_help_heading = "Launches")]
pub(super) struct LaunchOptions {
    /// Launch the kernel with the grid and the arguments of this file, instead of repeating a part of it
    #[arg(long, value_name = "LAUNCH.toml", conflicts_with_all = ["waves", "simds", "group_waves"])]
    launch: Option<PathBuf>,
    /// The most memory of all buffers
    #[arg(long = "launch-memory", value_name = "MIB", default_value = "128", requires = "launch")]
    launch_memory: u64,
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

/// The launch, and its GPU.
pub(super) struct Subject<'a> {
    pub(super) file: &'a Path,
    pub(super) card: &'a Card,
    pub(super) kernel: Option<&'a str>,
    /// What assembles text.
    pub(super) llvm: &'a ConfinedLlvm,
    /// Further inputs of the assembler.
    pub(super) text: &'a TextOptions,
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
    let name = subject.file.display();
    for dump in &options.dumps {
        if dump.file.symlink_metadata().is_ok() {
            bail!("{}: it exists already; name a new file", dump.file.display());
        }
    }
    let wanted = LaunchFile::read(launch_file, options.launch_memory.saturating_mul(1 << 20))?;
    for Dump { number, .. } in &options.dumps {
        if !matches!(wanted.arguments.arguments.get(number - 1), Some(Argument::Buffer(_))) {
            bail!("--dump {number}: argument {number} of {} is not a buffer", launch_file.display());
        }
    }
    let (object, kernel) = kernel(subject).map_err(|error| match error.downcast_ref() {
        Some(error) if CodeError::names_file(error) => anyhow::anyhow!("{error}"),
        _ => error.context(name.to_string()),
    })?;
    let launched = launch_card(subject.card, &object, &kernel, &wanted.arguments, &subject.start).map_err(|error| {
        let place = wanted.place_of(&error);
        match error {
            gcn_predict::PredictError::Simulation(_)
            | gcn_predict::PredictError::NoSuchKernel { .. }
            | gcn_predict::PredictError::Hidden(_)
            | gcn_predict::PredictError::Waves(_)
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

/// The kernel that is launched, and the code object that has it.
fn kernel(subject: &Subject<'_>) -> anyhow::Result<(LoadableObject, String)> {
    let file = CodeFile::open(subject.file)?;
    let gpu = &subject.card.gpu;
    let assembled;
    let objects = match file.holds(gpu)? {
        UserFile::Text(text) => {
            let text = AssemblyText::of(text, subject.file, subject.text, gpu)?;
            assembled = text.assemble(&|target, text| subject.llvm.assemble(target, text))?;
            vec![UserObject::read(&assembled)?]
        }
        UserFile::Objects(objects) => objects,
    };
    let mut loaded = Vec::new();
    for object in objects {
        let result = load(object.bytes, subject.llvm.library.as_deref());
        loaded.push(match object.at {
            Some(at) => result.with_context(|| format!("the code at byte {at}"))?,
            None => result?,
        });
    }
    let kernels: Vec<(usize, &str)> = (loaded.iter().enumerate())
        .flat_map(|(number, it)| it.object.kernels.iter().map(move |kernel| (number, kernel.name.as_str())))
        .collect();
    if kernels.is_empty() {
        bail!("it has no kernel: a launch needs one with a descriptor (`.amdhsa_kernel`)");
    }
    let names: Vec<&str> = kernels.iter().map(|(_, name)| *name).collect();
    let (number, name) = kernels[chosen(&names, subject.kernel)?];
    let name = name.to_owned();
    Ok((loaded.swap_remove(number), name))
}

/// Makes a code object ready to be launched: links it if needed.
fn load(bytes: &[u8], llvm: Option<&Path>) -> anyhow::Result<LoadableObject> {
    if LoadableObject::wants_linking(bytes) {
        let linked = Linker::find(None, &Llvm::find(llvm)?)?.link(&[bytes])?;
        return Ok(LoadableObject::read(&linked)?);
    }
    Ok(LoadableObject::read(bytes)?)
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow::anyhow!("{}: it exists already; name a new file", path.display()),
        _ => anyhow::Error::new(error).context(format!("{}: cannot be written", path.display())),
    })
}

fn print(subject: &Subject<'_>, prediction: &LaunchPrediction) -> anyhow::Result<()> {
    let gpu = &subject.card.gpu;
    if subject.prints_json {
        let heading = Heading::new(SCHEMA, subject.file.display().to_string(), gpu);
        return print_json(&Answer { heading, launch: prediction });
    }
    Ok(write!(std::io::stdout().lock(), "{SIMULATED}\n\n{}", launch_text(gpu, prediction))?)
}
