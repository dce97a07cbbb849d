//! The program with its HIP device, and the simulated GPU behind the kernel driver's interface.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Set to make a missing ROCm a failure instead of a skipped test.
const NEED_ROCM: &str = "GCN_TIMINGS_NEED_ROCM";
/// HIP's library as ROCm 5, 6 and 7 name it.
const LIBRARIES: [&str; 3] = ["libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7"];

/// `gcn-timings`, built with its HIP device.
#[derive(Debug)]
pub struct Rocm {
    program: PathBuf,
    driver: PathBuf,
}

impl Rocm {
    /// The program; `None`, with a line that says so, where ROCm is not installed.
    ///
    /// # Panics
    /// If ROCm is there and the program cannot be built, or if it is not there and `GCN_TIMINGS_NEED_ROCM` is set.
    pub fn find() -> Option<&'static Self> {
        static ROCM: OnceLock<Option<Rocm>> = OnceLock::new();
        let rocm = ROCM.get_or_init(|| home().map(|home| build_both(&home)));
        if rocm.is_none() {
            assert!(
                env::var_os(NEED_ROCM).is_none(),
                "{NEED_ROCM} is set, and HIP's header files or library are not there"
            );
            println!("SKIPPED: HIP's header files or library are not there ({NEED_ROCM}=1 makes this a failure)");
        }
        rocm.as_ref()
    }

    /// The program, with no GPU but what the machine has.
    pub fn program(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env_remove("LD_PRELOAD").env_remove("GCN_TIMINGS_LLVM").env_remove("GCN_TIMINGS_LLD");
        command.stdin(Stdio::null());
        command
    }

    /// The library that stands in for the kernel driver.
    pub fn driver(&self) -> &Path {
        &self.driver
    }
}

/// Where HIP's header files are, if its library is there as well.
fn home() -> Option<PathBuf> {
    let given = ["HIP_PATH", "ROCM_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let homes = given.chain(["/opt/rocm", "/usr"].map(PathBuf::from));
    let home = homes.into_iter().find(|home| home.join("include/hip/hip_runtime_api.h").is_file())?;
    let folders = ["lib", "lib/x86_64-linux-gnu", "lib64"].map(|folder| home.join(folder));
    let is_there = |folder: &PathBuf| LIBRARIES.iter().any(|library| folder.join(library).exists());
    folders.iter().any(is_there).then_some(home)
}

fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).stdin(Stdio::null()).env_remove("LD_PRELOAD");
    command
}

/// Builds what two tests need, as `cargo test --workspace` does: another selection would have other features and so compile all crates
/// again. The one needs the program, the other the driver's library. Gives the files that were built.
fn build(arguments: &[&str], home: &Path) -> Vec<PathBuf> {
    let output = cargo()
        .args(["test", "--workspace", "--no-run", "--message-format=json-render-diagnostics"])
        .args(["--test", "device_child", "--test", "rocm"])
        .args(arguments)
        .env("HIP_PATH", home)
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo test {} failed", arguments.join(" "));
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let files = messages.flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default());
    files.filter_map(|name| name.as_str().map(PathBuf::from)).collect()
}

/// Builds the program with the feature, and the library that stands in for the kernel driver. The program is kept under a name of its
/// own: the plain program has its place back afterwards, for whatever test runs it next.
fn build_both(home: &Path) -> Rocm {
    let built = build(&["--features", "gcn-timings/hip"], home);
    let find = |wanted: &str| {
        let is_it = |file: &&PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy() == wanted);
        built.iter().find(is_it).unwrap_or_else(|| panic!("cargo built no {wanted}")).clone()
    };
    let (program, driver) = (find("gcn-timings"), find("libgcn_kernel_driver.so"));
    let kept = program.with_file_name("gcn-timings-with-hip");
    // Two tests may do this at the same time: a copy takes its place whole.
    let new = program.with_file_name(format!("gcn-timings-with-hip.{}", std::process::id()));
    fs::copy(&program, &new).and_then(|_| fs::rename(&new, &kept)).expect("a copy of the program");
    build(&[], home);
    Rocm { program: kept, driver }
}
