//! The program with its card drivers, and the simulated GPU under the kernel driver's interface.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::tier::Tier;

/// Set to make a missing ROCm a failure instead of a skipped test.
const NEED_ROCM: &str = "GCN_TIMINGS_NEED_ROCM";
/// Set to make a missing OpenCL a failure instead of a skipped test.
const NEED_OPENCL: &str = "GCN_TIMINGS_NEED_OPENCL";
/// HIP's library as ROCm 5, 6 and 7 name it.
const HIP_LIBRARIES: [&str; 3] = ["libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7"];
/// OpenCL's loader.
const OPENCL_LIBRARIES: [&str; 1] = ["libOpenCL.so.1"];

/// `gcn-timings`, built with its HIP device.
#[derive(Debug)]
pub struct Rocm {
    program: PathBuf,
    driver: PathBuf,
}

/// `gcn-timings`, built with its OpenCL device.
#[derive(Debug)]
pub struct OpenCl {
    program: PathBuf,
    driver: PathBuf,
    strict_driver: PathBuf,
}

/// One build of the program has the devices of all drivers that are there.
#[derive(Debug)]
struct Built {
    rocm: Option<Rocm>,
    opencl: Option<OpenCl>,
}

impl Built {
    fn get() -> &'static Self {
        static BUILT: OnceLock<Built> = OnceLock::new();
        BUILT.get_or_init(|| match (hip(), opencl()) {
            (None, false) => Self { rocm: None, opencl: None },
            (hip, opencl) => build_all(hip.as_deref(), opencl),
        })
    }
}

impl Rocm {
    /// The program; `None`, with a line that says so, in the quick tier and where ROCm is not installed.
    ///
    /// # Panics
    /// If ROCm is there and the program cannot be built, or if it is not there and `GCN_TIMINGS_NEED_ROCM` is set.
    pub fn find() -> Option<&'static Self> {
        if !Tier::Most.runs("the program on ROCm and the simulated card") {
            return None;
        }
        needed(Built::get().rocm.as_ref(), NEED_ROCM, "HIP's header files or library")
    }

    /// The program, with no GPU but the machine's, and no OpenCL driver.
    pub fn program(&self) -> Command {
        without_opencl(plain(&self.program))
    }

    /// A dynamic loader that gets words, of which the last is [`Rocm::program`]'s; the rest as there.
    pub fn program_under(&self, loader: &Path, words: &[OsString]) -> Command {
        let mut command = plain(loader);
        command.args(words);
        without_opencl(command)
    }

    /// The library that replaces the kernel driver.
    pub fn driver(&self) -> &Path {
        &self.driver
    }
}

impl OpenCl {
    /// The program; `None`, with a line that says so, in the quick tier and where OpenCL's loader is not installed.
    ///
    /// # Panics
    /// If it is there and the program cannot be built, or if it is not there and `GCN_TIMINGS_NEED_OPENCL` is set.
    pub fn find() -> Option<&'static Self> {
        if !Tier::Most.runs("the program on OpenCL and the simulated card") {
            return None;
        }
        needed(Built::get().opencl.as_ref(), NEED_OPENCL, "OpenCL's loader libOpenCL.so.1")
    }

    /// The program, with the OpenCL drivers of a folder of `.icd` files.
    pub fn program(&self, vendors: &Path) -> Command {
        let mut command = plain(&self.program);
        command.env("OCL_ICD_VENDORS", vendors);
        command
    }

    /// The library that replaces the kernel driver.
    pub fn driver(&self) -> &Path {
        &self.driver
    }

    /// The library that replaces AMD's OpenCL driver.
    pub fn strict_driver(&self) -> &Path {
        &self.strict_driver
    }
}

fn plain(program: &Path) -> Command {
    let mut command = Command::new(program);
    for variable in ["LD_PRELOAD", "GCN_TIMINGS_LLVM", "GCN_TIMINGS_LLD", "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES"] {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null());
    command
}

fn without_opencl(mut command: Command) -> Command {
    // A folder without `.icd` files.
    command.env("OCL_ICD_VENDORS", concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    command
}

fn needed<T>(found: Option<&'static T>, need: &str, what: &str) -> Option<&'static T> {
    if found.is_none() {
        assert!(env::var_os(need).is_none(), "{need} is set, and {what} is not there");
        println!("SKIPPED: {what} is not there ({need}=1 makes this a failure)");
    }
    found
}

/// Where HIP's header files are, if its library is there as well.
fn hip() -> Option<PathBuf> {
    let given = ["HIP_PATH", "ROCM_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let homes = given.chain(["/opt/rocm", "/usr"].map(PathBuf::from));
    let home = homes.into_iter().find(|home| home.join("include/hip/hip_runtime_api.h").is_file())?;
    has_library(&home, &HIP_LIBRARIES).then_some(home)
}

fn opencl() -> bool {
    ["/usr", "/usr/local", "/opt/rocm"].into_iter().any(|home| has_library(Path::new(home), &OPENCL_LIBRARIES))
}

fn has_library(home: &Path, libraries: &[&str]) -> bool {
    let folders = ["lib", "lib/x86_64-linux-gnu", "lib64"].map(|folder| home.join(folder));
    folders.iter().any(|folder| libraries.iter().any(|library| folder.join(library).exists()))
}

fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).stdin(Stdio::null()).env_remove("LD_PRELOAD");
    command
}

/// Builds what three tests need, as `cargo test --workspace` does: another selection would have other features and so compile all crates
/// again. The first needs the program, the others the libraries of the simulated drivers. Gives the files that were built.
fn build(arguments: &[&str], hip: Option<&Path>) -> Vec<PathBuf> {
    let mut cargo = cargo();
    cargo
        .args(["test", "--workspace", "--no-run", "--message-format=json-render-diagnostics"])
        .args(["--test", "device_child", "--test", "rocm", "--test", "strict"])
        .args(arguments)
        .stderr(Stdio::inherit());
    if let Some(home) = hip {
        cargo.env("HIP_PATH", home);
    }
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "cargo test {} failed", arguments.join(" "));
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let files = messages.flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default());
    files.filter_map(|name| name.as_str().map(PathBuf::from)).collect()
}

/// Builds the program with the features of the installed packages, and the library that replaces the kernel driver. Where the tests were
/// built without these features, the program is kept under a name of its own: the plain program has its place back afterwards, for
/// whatever test runs it next.
fn build_all(hip: Option<&Path>, opencl: bool) -> Built {
    let features = [(hip.is_some(), "gcn-tests/hip"), (opencl, "gcn-tests/opencl")];
    let features: Vec<_> = features.into_iter().filter_map(|(is_there, feature)| is_there.then_some(feature)).collect();
    let built = build(&["--features", &features.join(",")], hip);
    let find = |wanted: &str| {
        let is_it = |file: &&PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy() == wanted);
        built.iter().find(is_it).unwrap_or_else(|| panic!("cargo built no {wanted}")).clone()
    };
    let (program, driver) = (find("gcn-timings"), find("libgcn_kernel_driver.so"));
    let strict_driver = find("libgcn_opencl_driver.so");
    let is_built_so = (cfg!(feature = "hip"), cfg!(feature = "opencl")) == (hip.is_some(), opencl);
    let kept = if is_built_so { program } else { kept_beside_the_plain_one(&program, hip) };
    Built {
        rocm: hip.map(|_| Rocm { program: kept.clone(), driver: driver.clone() }),
        opencl: opencl.then_some(OpenCl { program: kept, driver, strict_driver }),
    }
}

/// Copies the program to a name of its own and builds the plain one in its place.
fn kept_beside_the_plain_one(program: &Path, hip: Option<&Path>) -> PathBuf {
    let kept = program.with_file_name("gcn-timings-with-cards");
    // Two tests may do this at the same time: a copy takes its place whole.
    let new = program.with_file_name(format!("gcn-timings-with-cards.{}", std::process::id()));
    fs::copy(program, &new).and_then(|_| fs::rename(&new, &kept)).expect("a copy of the program");
    build(&[], hip);
    kept
}
