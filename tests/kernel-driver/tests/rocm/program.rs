//! Running a program under the library, and finding out whether ROCm is there.

use std::path::PathBuf;
use std::process::{Command, Output};

/// The library, which cargo builds before the tests and puts beside them.
pub(crate) fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let library = test.with_file_name("libgcn_kernel_driver.so");
    assert!(library.exists(), "{} is not there", library.display());
    library
}

/// A program under the library with a GPU; it is killed after a minute.
pub(crate) fn command(gpu: &str, program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", "60"]).arg(program);
    command.env("LD_PRELOAD", library()).env("GCN_TIMINGS_GPU", gpu);
    command
}

/// Whether a tool is installed; if not, the test says so, and fails where ROCm is needed.
pub(crate) fn has_tool(name: &str) -> bool {
    let is_there = Command::new("sh").args(["-c", &format!("command -v {name}")]).output().unwrap().status.success();
    let is_needed = std::env::var("GCN_TIMINGS_NEED_ROCM").is_ok_and(|value| value == "1");
    assert!(is_there || !is_needed, "{name} is not installed, and GCN_TIMINGS_NEED_ROCM is 1");
    if !is_there {
        println!("SKIPPED: {name} is not installed");
    }
    is_there
}

/// What a program wrote on stdout.
pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a program wrote on stderr.
pub(crate) fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
