//! `gcn-timings run`.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use gcn_model::gpu::Gpu;
use signal_hook::consts::SIGINT;
use signal_hook::flag;

use super::list::gpu;
use super::run_summary::RunSummary;
use super::run_values::Values;
use super::terminal::Terminal;
use crate::kernel_driver::driver_library;

/// Run a program of ROCm or OpenCL on a simulated card.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        gcn-timings run --gpu fiji -- rocminfo\n  \
        gcn-timings run --gpu rx7900xtx --values approximate -- env DEV=KFD+AMD:LLVM python3 program.py\n  \
        gcn-timings run --gpu vega10 --profile -- ./hip-program\n\n\
        This is a simulation: no card takes part, and a dispatch takes hundreds of times as long or more. The program finds the card \
        in place of the kernel's driver (LD_PRELOAD), so it has to be linked dynamically. Its exit code is that of this command, or 128 and the \
        number of the signal that ended it. docs/simulated-driver.md has the limits, and faults on demand.")]
pub struct Run {
    /// A GPU of `gcn-timings devices`, or a GPU file
    #[arg(long)]
    gpu: String,
    /// Reciprocals, roots, exponentials, logarithms and sines, which no manual gives to the bit: strict has them unknown, and a
    /// program never gets them; approximate has the host compute them
    #[arg(long, value_enum, default_value_t)]
    values: Values,
    /// Say which kernels took how many cycles, and why their waves waited; slower
    #[arg(long)]
    profile: bool,
    /// Print the summary as JSON, or write it into a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// The simulated driver [default: next to this program, or in ../lib/gcn-timings]
    #[arg(long, value_name = "FILE", env = "GCN_TIMINGS_KERNEL_DRIVER")]
    driver: Option<PathBuf>,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

pub(super) fn run(arguments: &Run) -> anyhow::Result<ExitCode> {
    let gpu = gpu(&arguments.gpu)?;
    let folder = tempfile::tempdir().context("a folder for the record of the card")?;
    let record = folder.path().join("dispatches");
    let mut command = command(arguments, &gpu)?;
    command.env("GCN_TIMINGS_CARD_RECORD", &record);
    command.env("GCN_TIMINGS_CARD_PROFILE", if arguments.profile { "1" } else { "0" });
    // An interrupt is for the program; the summary comes all the same.
    flag::register(SIGINT, Arc::new(AtomicBool::new(false))).context("the interrupt")?;
    let begin = Instant::now();
    let status = command.status().with_context(|| format!("{}", arguments.program[0].display()))?;
    let code = exit_code(status);
    let summary = RunSummary::read(&record, &gpu, arguments.values, (begin.elapsed(), code))?;
    match &arguments.json {
        None => summary.write(&mut Terminal::error(), arguments.profile)?,
        Some(path) if path.as_os_str() == "-" => summary.write_json(&mut std::io::stderr().lock())?,
        Some(path) => {
            let mut file = std::fs::File::create(path).with_context(|| path.display().to_string())?;
            summary.write_json(&mut file).with_context(|| path.display().to_string())?;
        }
    }
    Ok(ExitCode::from(code))
}

/// The program with the driver before its libraries.
fn command(arguments: &Run, gpu: &Gpu) -> anyhow::Result<Command> {
    let driver = driver_library(arguments.driver.as_deref())?;
    if driver.to_string_lossy().contains([' ', ':']) {
        bail!(
            "{}: LD_PRELOAD takes no path with a space or a colon: copy the library elsewhere and name it with --driver",
            driver.display()
        );
    }
    let mut preload = driver.into_os_string();
    if let Some(others) = std::env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()) {
        preload.push(":");
        preload.push(others);
    }
    // The program may start in another folder.
    let name = if Gpu::is_path(&arguments.gpu) {
        std::path::absolute(&arguments.gpu).with_context(|| arguments.gpu.clone())?.into_os_string()
    } else {
        gpu.name.clone().into()
    };
    let mut command = Command::new(&arguments.program[0]);
    command.args(&arguments.program[1..]).env("LD_PRELOAD", preload).env("GCN_TIMINGS_GPU", name);
    command.env("GCN_TIMINGS_VALUES", arguments.values.name());
    Ok(command)
}

/// As a shell has it.
fn exit_code(status: ExitStatus) -> u8 {
    let signal = || status.signal().map_or(1, |signal| 128 + signal);
    status.code().unwrap_or_else(signal) as u8
}
