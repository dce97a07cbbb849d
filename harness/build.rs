//! With the feature `opencl`: lets the program be linked where there is no `libOpenCL.so`, and so without needing one to start.
//!
//! The crate `cl-sys`, below `ocl`, asks the linker for `-lOpenCL`. All functions of that library are defined in
//! `src/device/opencl/forward.rs`, which looks them up when the program runs; an empty archive of that name answers the linker.

use std::path::PathBuf;
use std::{env, fs};

/// An archive without members.
const EMPTY_ARCHIVE: &[u8] = b"!<arch>\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_OPENCL").is_some() && env::var("CARGO_CFG_TARGET_OS")? == "linux" {
        let folder = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR: cargo sets it")?);
        fs::write(folder.join("libOpenCL.a"), EMPTY_ARCHIVE)?;
        println!("cargo::rustc-link-search=native={}", folder.display());
    }
    Ok(())
}
