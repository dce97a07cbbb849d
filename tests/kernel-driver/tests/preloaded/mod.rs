//! Programs under the preloaded library, and how they end.

mod fault_case;

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Output};

pub(crate) use fault_case::FaultCase;

/// The library, which cargo builds before the tests into their folder.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let library = test.with_file_name("libgcn_kernel_driver.so");
    assert!(library.exists(), "{} is not there", library.display());
    library
}

/// A program under the library with a GPU; it is killed after some seconds.
pub(crate) fn command_for(gpu: &str, program: impl AsRef<OsStr>, seconds: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", seconds]).arg(program);
    command.env("LD_PRELOAD", library()).env("GCN_TIMINGS_GPU", gpu);
    command
}

/// A program under the library with a GPU; it is killed after an hour.
pub(crate) fn command(gpu: &str, program: impl AsRef<OsStr>) -> Command {
    command_for(gpu, program, "3600")
}

/// Whether something is there; if not, the test says so, and fails where the variable says that it is needed.
pub(crate) fn is_there(is_there: bool, what: &str, variable: &str) -> bool {
    let is_needed = std::env::var(variable).is_ok_and(|value| value == "1");
    assert!(is_there || !is_needed, "{what} is not installed, and {variable} is 1");
    if !is_there {
        println!("SKIPPED: {what} is not installed");
    }
    is_there
}

/// Whether a tool is installed.
pub(crate) fn has_tool(name: &str, variable: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {name}")]).output().unwrap().status.success();
    is_there(found, name, variable)
}

/// The program's stdout.
pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The program's stderr.
pub(crate) fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// How a process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// With this exit code.
    Code(i32),
    /// Aborted, by a library.
    Aborted,
    /// Not by itself.
    Never,
}

impl End {
    /// `timeout` returns the effect of a signal as 128 and its number.
    pub(crate) fn of(output: &Output) -> Self {
        match (output.status.code(), output.status.signal()) {
            (Some(134), _) | (_, Some(libc::SIGABRT)) => Self::Aborted,
            (Some(137), _) | (_, Some(libc::SIGKILL)) => Self::Never,
            (Some(code), _) => Self::Code(code),
            _ => panic!("{:?}", output.status),
        }
    }
}

/// Runs a command that has to succeed.
pub(crate) fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", errors(&output));
}
