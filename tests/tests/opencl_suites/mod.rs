//! Programs of OpenCL that nobody here wrote, on Mesa's clover and AMD's OpenCL with the simulated card: piglit's tests and clpeak.
//!
//! `.ci/rocm-roots` unpacks them, and `docs/peer-suites.md` has what came out. They take minutes: `GCN_TIMINGS_TESTS=all` turns them on.

mod clpeak;
mod piglit;

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use gcn_tests::{OpenCl, Rocm, RocmVersion, Tier};
use serde::Deserialize;

use crate::peer_suites::ended_within;

/// Clover's entry for OpenCL's loader.
const CLOVER: &str = "/etc/OpenCL/vendors/mesa.icd";
/// The version of ROCm whose OpenCL driver runs them.
const AMD: &str = "7.2";
/// Where Debian puts piglit.
const PIGLIT: &str = "usr/lib/x86_64-linux-gnu/piglit";

/// A driver of OpenCL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Driver {
    Clover,
    Amd,
}

impl Driver {
    /// As the page has it.
    const fn name(self) -> &'static str {
        match self {
            Self::Clover => "clover",
            Self::Amd => "AMD",
        }
    }
}

/// The programs, and what they run on.
struct Suites {
    root: PathBuf,
    rocm: &'static Rocm,
    version: RocmVersion,
}

impl Suites {
    /// `None`, with a line that says so, in lower tiers and where something is not there.
    fn find() -> Option<Self> {
        if !Tier::All.runs("piglit and clpeak on OpenCL's drivers") {
            return None;
        }
        OpenCl::find()?;
        let rocm = Rocm::find()?;
        let version = RocmVersion::unpacked().into_iter().find(|version| version.name == AMD)?;
        let root = RocmVersion::folder("opencl")?;
        if !Path::new(CLOVER).exists() {
            assert!(env::var_os("GCN_TIMINGS_NEED_OPENCL").is_none(), "{CLOVER} is not there");
            println!("SKIPPED: {CLOVER} is not there (GCN_TIMINGS_NEED_OPENCL=1 makes this a failure)");
            return None;
        }
        Some(Self { root, rocm, version })
    }

    /// A program on a card, with further libraries before all others.
    fn command(&self, driver: Driver, gpu: &str, program: &Path, libraries: &[PathBuf]) -> Command {
        let mut command = match driver {
            Driver::Clover => Command::new(program),
            Driver::Amd => self.version.foreign(self.rocm, program),
        };
        let vendors = match driver {
            Driver::Clover => CLOVER.into(),
            Driver::Amd => self.version.opencl_vendors().expect("a version that is unpacked"),
        };
        let preloaded = [self.rocm.driver()].into_iter().chain(libraries.iter().map(PathBuf::as_path));
        command.env("LD_PRELOAD", env::join_paths(preloaded).unwrap()).env("OCL_ICD_VENDORS", vendors);
        command.env("GCN_TIMINGS_GPU", gpu).stdin(Stdio::null());
        command
    }
}

/// How a program ended, and what it said; no end if it took longer than that.
fn run(mut command: Command, limit: Duration) -> (Option<ExitStatus>, String) {
    let folder = tempfile::tempdir().unwrap();
    let said = folder.path().join("said");
    let file = File::create(&said).unwrap();
    command.stdout(file.try_clone().unwrap()).stderr(file);
    let ended = ended_within(command, limit);
    (ended, String::from_utf8_lossy(&fs::read(said).unwrap()).into_owned())
}
