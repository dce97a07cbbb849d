//! The test program of OpenCL, and finding out whether clover is there.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::preloaded::{command_for, has_tool, is_there, run};

/// The variable that says that clover is needed.
pub(crate) const NEED_OPENCL: &str = "GCN_TIMINGS_NEED_OPENCL";
/// What tells the loader of OpenCL's drivers where clover is.
const CLOVER: &str = "/etc/OpenCL/vendors/mesa.icd";

/// A GPU, its chip as clang names it, and the generation of its instruction set.
pub(crate) type Chip = (&'static str, &'static str, u32);

/// Those that are tried: two of gfx6 and gfx7 each, one of gfx8 and gfx9.
pub(crate) const CHIPS: [Chip; 6] = [
    ("tahiti", "tahiti", 6),
    ("pitcairn", "pitcairn", 6),
    ("bonaire", "bonaire", 7),
    ("hawaii", "hawaii", 7),
    ("tonga", "tonga", 8),
    ("vega10", "gfx900", 9),
];

/// Whether clover is there.
pub(crate) fn has_clover() -> bool {
    is_there(Path::new(CLOVER).exists(), "mesa-opencl-icd", NEED_OPENCL)
}

/// A program under the library with a GPU and no OpenCL but clover; it is killed after some seconds.
pub(crate) fn with_clover(gpu: &str, program: impl AsRef<std::ffi::OsStr>, seconds: &str) -> Command {
    let mut command = command_for(gpu, program, seconds);
    command.env("OCL_ICD_VENDORS", CLOVER).env_remove("GCN_TIMINGS_FAULT").env_remove("GCN_TIMINGS_FAULT_COUNTS");
    command
}

/// The test program and its kernels, built once.
pub(crate) struct Built {
    folder: TempDir,
}

impl Built {
    /// Builds them; nothing if clover or a compiler is not there.
    pub(crate) fn get() -> Option<&'static Self> {
        static BUILT: OnceLock<Option<Built>> = OnceLock::new();
        let has_headers = Path::new("/usr/include/CL/cl.h").exists();
        // Each test has to say for itself that it is skipped.
        let is_complete = has_clover()
            && is_there(has_headers, "ocl-icd-opencl-dev", NEED_OPENCL)
            && ["clang", "cc"].iter().all(|tool| has_tool(tool, NEED_OPENCL));
        is_complete.then(|| BUILT.get_or_init(|| Some(Self::build())).as_ref())?
    }

    fn build() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clover/programs");
        let mut host = Command::new("cc");
        host.args(["-std=gnu11", "-o"]).arg(folder.path().join("program"));
        run(host.arg(sources.join("program.c")).arg("-lOpenCL"));
        for (gpu, chip, generation) in CHIPS {
            let mut device = Command::new("clang");
            device.args(["-target", "amdgcn-mesa-mesa3d", "-c", "-o"]).arg(folder.path().join(gpu));
            device.arg(format!("-mcpu={chip}")).arg(format!("-Wa,-defsym,GENERATION={generation}"));
            run(device.arg(sources.join("kernels.s")));
        }
        Self { folder }
    }

    /// The program on a GPU for some seconds.
    pub(crate) fn command(&self, gpu: &str, seconds: &str) -> Command {
        with_clover(gpu, self.folder.path().join("program"), seconds)
    }

    /// The kernels for a GPU: an object file.
    pub(crate) fn kernels(&self, gpu: &str) -> PathBuf {
        self.folder.path().join(gpu)
    }
}
