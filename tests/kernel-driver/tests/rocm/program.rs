//! Running programs under the library, and finding out whether ROCm is there.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tempfile::TempDir;

/// The library, which cargo builds before the tests and puts beside them.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let library = test.with_file_name("libgcn_kernel_driver.so");
    assert!(library.exists(), "{} is not there", library.display());
    library
}

/// A program under the library with a GPU; it is killed after some seconds.
fn command_for(gpu: &str, program: impl AsRef<OsStr>, seconds: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", seconds]).arg(program);
    command.env("LD_PRELOAD", library()).env("GCN_TIMINGS_GPU", gpu);
    command
}

/// A program under the library with a GPU; it is killed after some minutes.
pub(crate) fn command(gpu: &str, program: impl AsRef<OsStr>) -> Command {
    command_for(gpu, program, "180")
}

/// Whether something is there; if not, the test says so, and fails where ROCm is needed.
fn is_there(is_there: bool, what: &str) -> bool {
    let is_needed = std::env::var("GCN_TIMINGS_NEED_ROCM").is_ok_and(|value| value == "1");
    assert!(is_there || !is_needed, "{what} is not installed, and GCN_TIMINGS_NEED_ROCM is 1");
    if !is_there {
        println!("SKIPPED: {what} is not installed");
    }
    is_there
}

/// Whether a tool is installed.
pub(crate) fn has_tool(name: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {name}")]).output().unwrap().status.success();
    is_there(found, name)
}

/// What a program wrote on stdout.
pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a program wrote on stderr.
pub(crate) fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The test program and its kernels, built once.
pub(crate) struct Built {
    folder: TempDir,
}

impl Built {
    /// Builds them; nothing if HIP or a compiler is not there.
    pub(crate) fn get() -> Option<&'static Self> {
        static BUILT: OnceLock<Option<Built>> = OnceLock::new();
        let has_hip = Path::new("/usr/include/hip/hip_runtime_api.h").exists();
        // Each test has to say for itself that it is skipped.
        let is_complete = is_there(has_hip, "libamdhip64-dev") && has_tool("clang") && has_tool("cc");
        is_complete.then(|| BUILT.get_or_init(|| Some(Self::build())).as_ref())?
    }

    fn build() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rocm/programs");
        let mut host = Command::new("cc");
        host.args(["-std=gnu11", "-Wno-deprecated-declarations", "-D__HIP_PLATFORM_AMD__", "-o"]);
        run(host.arg(folder.path().join("program")).arg(sources.join("program.c")).arg("-lamdhip64"));
        for (target, name) in [("gfx803", "fiji"), ("gfx900:xnack-", "vega10")] {
            let mut device = Command::new("clang");
            device.args(["-target", "amdgcn-amd-amdhsa", "-nogpulib", "-x", "assembler"]);
            device.arg(format!("-mcpu={target}")).arg(format!("-B{}", linker_folder().display()));
            run(device.arg(sources.join("kernels.s")).arg("-o").arg(folder.path().join(name)));
        }
        Self { folder }
    }

    /// The program on a GPU.
    pub(crate) fn command(&self, gpu: &str) -> Command {
        command(gpu, self.folder.path().join("program"))
    }

    /// The program on a GPU for some seconds.
    pub(crate) fn command_for(&self, gpu: &str, seconds: &str) -> Command {
        command_for(gpu, self.folder.path().join("program"), seconds)
    }

    /// The code object for a GPU.
    pub(crate) fn kernels(&self, gpu: &str) -> PathBuf {
        self.folder.path().join(gpu)
    }
}

/// Where the Rust toolchain has its `ld.lld`, for a clang that comes without one.
fn linker_folder() -> PathBuf {
    let output = Command::new("rustc").args(["--print", "target-libdir"]).output().unwrap();
    Path::new(text(&output).trim()).join("../bin/gcc-ld")
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", errors(&output));
}
