//! Programs that nobody here wrote, started with `gcn-timings run`.

mod management;
mod out_of_bounds;
mod summary;
mod tinygrad;

use std::path::{Path, PathBuf};
use std::process::Command;

use gcn_tests::Rocm;

/// A file of the programs' folder.
fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simulated_programs/programs").join(name)
}

/// `gcn-timings run` on a GPU, to which options and a program are added.
fn run_on(rocm: &Rocm, gpu: &str) -> Command {
    let mut command = rocm.program();
    command.args(["run", "--gpu", gpu, "--driver"]).arg(rocm.driver());
    command
}
