//! The library that puts a simulated card in place of the kernel's driver: `gcn-kernel-driver`, which is built with this program.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// Its file.
const LIBRARY: &str = "libgcn_kernel_driver.so";
/// Where packages have it, from the folder of the program.
const INSTALLED: &str = "../lib/gcn-timings";

/// The library: the one that is named, or the one that comes with this program.
///
/// # Errors
/// It is not there.
pub(crate) fn driver_library(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(named) = named {
        return named.canonicalize().with_context(|| named.display().to_string());
    }
    let program =
        env::current_exe().and_then(|program| program.canonicalize()).context("the folder of this program")?;
    let folder = program.parent().unwrap_or(Path::new("."));
    let places = [folder.join(LIBRARY), folder.join(INSTALLED).join(LIBRARY)];
    let Some(found) = places.iter().find(|place| place.is_file()) else {
        let [beside, installed] = places.map(|place| place.display().to_string());
        bail!(
            "the simulated driver is neither {beside} nor {installed}: build it with \
             `cargo build --release -p gcn-kernel-driver`, or name it with --driver"
        );
    };
    found.canonicalize().with_context(|| found.display().to_string())
}
