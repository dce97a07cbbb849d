//! The test program of HIP, and finding out whether ROCm is there.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::preloaded::{self, command, command_for, is_there, run, text};

/// The variable that says that ROCm is needed.
const NEED_ROCM: &str = "GCN_TIMINGS_NEED_ROCM";

/// Whether a tool is installed.
pub(crate) fn has_tool(name: &str) -> bool {
    preloaded::has_tool(name, NEED_ROCM)
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
        let is_complete = is_there(has_hip, "libamdhip64-dev", NEED_ROCM) && has_tool("clang") && has_tool("cc");
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
