//! Running programs with the driver as the only one that the ICD loader sees.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::code_object::CodeObject;

/// The GPUs that are tried, with their targets: one of gfx8, one of gfx9.
pub(crate) const GPUS: [(&str, &str); 2] = [("fiji", "gfx803"), ("vega10", "gfx900")];

/// Whether something is there; if not, the test says so, and fails where OpenCL is needed.
fn is_there(is_there: bool, what: &str) -> bool {
    let is_needed = std::env::var("GCN_TIMINGS_NEED_OPENCL").is_ok_and(|value| value == "1");
    assert!(is_there || !is_needed, "{what} is not installed, and GCN_TIMINGS_NEED_OPENCL is 1");
    if !is_there {
        println!("SKIPPED: {what} is not installed");
    }
    is_there
}

/// Whether the ICD loader's library is there.
pub(crate) fn has_loader() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    // The program says so with a code of its own.
    let found = *FOUND.get_or_init(|| {
        program(env!("CARGO_BIN_EXE_opencl-host")).args(["/dev/null", "k"]).output().unwrap().status.code() != Some(5)
    });
    is_there(found, "libOpenCL.so.1")
}

/// Whether a tool is installed.
pub(crate) fn has_tool(name: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {name}")]).output().unwrap().status.success();
    has_loader() && is_there(found, name)
}

/// The folder with the `.icd` file that names the driver's library, which cargo builds before the tests into their folder.
fn vendors() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let make = || {
        let test = std::env::current_exe().unwrap();
        let library: PathBuf = test.with_file_name("libgcn_opencl_driver.so");
        assert!(library.exists(), "{} is not there", library.display());
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("gcn.icd"), format!("{}\n", library.display())).unwrap();
        folder
    };
    FOLDER.get_or_init(make).path()
}

/// A program under the driver; it is killed after this many seconds.
fn program_for(seconds: &str, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", seconds]).arg(program);
    command.env("OCL_ICD_VENDORS", vendors()).env("GCN_TIMINGS_GPU", "fiji");
    for variable in
        ["GCN_TIMINGS_FAULT", "GCN_TIMINGS_FAULT_COUNTS", "GCN_TIMINGS_OPENCL_LENIENT", "GCN_TIMINGS_OPENCL_LOG"]
    {
        command.env_remove(variable);
    }
    command
}

/// A program under the driver; it is killed after an hour.
pub(crate) fn program(program: impl AsRef<OsStr>) -> Command {
    program_for("3600", program)
}

/// The host program with a kernel of the code object.
pub(crate) fn host(object: &CodeObject, kernel: &str, mistake: Option<&str>) -> Command {
    let mut command = program(env!("CARGO_BIN_EXE_opencl-host"));
    command.arg(object.path()).arg(kernel).args(mistake);
    command
}

/// Likewise for ten seconds: it is expected to wait forever.
pub(crate) fn short_host(object: &CodeObject, kernel: &str) -> Command {
    let mut command = program_for("10", env!("CARGO_BIN_EXE_opencl-host"));
    command.arg(object.path()).arg(kernel);
    command
}

/// The output and the end of a program.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) out: String,
    pub(crate) error: String,
}

/// Runs a program to its end.
pub(crate) fn ended(mut command: Command) -> Ended {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    // `timeout` gives a signal that ended the program as 128 more, and SIGKILL as its own end.
    let code = status.code().filter(|code| *code < 128);
    let signal = status.signal().or(status.code().map(|code| code - 128).filter(|signal| *signal > 0));
    Ended { code, signal, out: text(stdout), error: text(stderr) }
}
