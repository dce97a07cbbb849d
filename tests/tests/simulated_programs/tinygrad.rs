//! tinygrad as PyPI has it, which speaks to the kernel driver without ROCm: its results on the card against the processor's.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use gcn_tests::{Rocm, Tier, ended, part_of, text};
use tempfile::TempDir;

use super::{run_on, source};

/// The release that is tried.
const RELEASE: &str = "tinygrad==0.14.0";
/// A card of each generation that it knows: two families, then another of RDNA.
const GPUS: [&str; 3] = ["rx7900xtx", "mi300x", "rx9070xt"];
/// Versions of LLVM that know the targets of all of them.
const LLVM: std::ops::RangeInclusive<u32> = 19..=22;
/// Set to make a missing tinygrad or LLVM a failure.
const NEED: &str = "GCN_TIMINGS_NEED_TINYGRAD";

/// A fresh virtual environment with tinygrad, and LLVM's library.
struct Environment {
    folder: TempDir,
    llvm: PathBuf,
}

impl Environment {
    fn new() -> Option<Self> {
        let library = |version| PathBuf::from(format!("/usr/lib/x86_64-linux-gnu/libLLVM.so.{version}.1"));
        let found = LLVM.rev().map(library).find(|path| path.is_file());
        let folder = tempfile::tempdir().unwrap();
        let python = folder.path().join("bin/python");
        let made = is_done(Command::new("python3").args(["-m", "venv"]).arg(folder.path()))
            && is_done(Command::new(python).args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-input",
                "--timeout",
                "30",
                RELEASE,
            ]));
        let environment = found.filter(|_| made).map(|llvm| Self { folder, llvm });
        if environment.is_none() {
            let what = format!("LLVM {} or later, or {RELEASE} of PyPI, is not there", LLVM.start());
            assert!(env::var_os(NEED).is_none(), "{NEED} is set, and {what}");
            println!("SKIPPED: {what} ({NEED}=1 makes this a failure)");
        }
        environment
    }

    /// The program on a card, with further options.
    fn command(&self, rocm: &Rocm, gpu: &str, options: &[&str]) -> Command {
        let mut command = run_on(rocm, gpu);
        command.args(options).arg("--").arg(self.folder.path().join("bin/python")).arg(source("tensors.py"));
        command.env("DEV", "KFD+AMD:LLVM;CPU:LLVM").env("LLVM_PATH", &self.llvm);
        // It keeps what it has compiled.
        command.env("XDG_CACHE_HOME", self.folder.path());
        command
    }
}

fn is_done(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[test]
fn it_computes_what_the_processor_does() {
    let Some(rocm) = Rocm::find() else { return };
    let Some(environment) = Environment::new() else { return };
    let is_whole = Tier::All.runs("more operations and a small network");
    for gpu in part_of(&GPUS, 2, "tinygrad on a second card of RDNA") {
        let mut command = environment.command(rocm, gpu, &["--values", "approximate", "--profile"]);
        if is_whole {
            command.arg("all");
        }
        let output = ended(command, 0);
        let (printed, summary) = (text(&output.stdout), text(&output.stderr));
        assert!(printed.contains("softmax: right\n") && !printed.contains("WRONG"), "{gpu}: {printed}{summary}");
        assert!(summary.contains("a simulation of") && summary.contains("no card took part"), "{gpu}: {summary}");
        assert!(summary.contains("WAITCNT"), "{gpu}: {summary}");
    }
}

#[test]
fn an_unknown_value_is_reported_with_its_instruction_and_is_no_memory_fault() {
    let Some(rocm) = Rocm::find() else { return };
    let Some(environment) = Environment::new() else { return };
    let output = ended(environment.command(rocm, "rx7900xtx", &[]), 1);
    let errors = text(&output.stderr);
    assert!(errors.contains("stored what the simulator does not know"), "{errors}");
    assert!(errors.contains("HW fault") && !errors.contains("MMU fault"), "{errors}");
    assert!(!text(&output.stdout).contains("softmax"), "{}", text(&output.stdout));
}
