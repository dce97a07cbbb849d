//! Packs the results of the GPUs that ship (`results/reference`), so that the program has them wherever it is.
//!
//! With the feature `opencl`: lets the program be linked where there is no `libOpenCL.so`, and so without needing one to start.
//!
//! The crate `cl-sys`, below `ocl`, asks the linker for `-lOpenCL`. All functions of that library are defined in
//! `src/device/opencl/forward/`, which looks them up when the program runs; an empty archive of that name answers the linker.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// An archive without members.
const EMPTY_ARCHIVE: &[u8] = b"!<arch>\n";

/// A folder for each GPU that ships, with the tables of a run of the simulator.
const REFERENCE: &str = "../results/reference";
/// As far as it has to look back for what two GPUs have in common, and no more work than a build script without optimisation can do.
const WINDOW_LOG: u32 = 23;
const LEVEL: i32 = 9;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={REFERENCE}");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR: cargo sets it")?);
    let results = pack_results().map_err(|error| format!("{REFERENCE}: {error}"))?;
    fs::write(out.join("reference.tar.zst"), results)?;
    if env::var_os("CARGO_FEATURE_OPENCL").is_some() && env::var("CARGO_CFG_TARGET_OS")? == "linux" {
        fs::write(out.join("libOpenCL.a"), EMPTY_ARCHIVE)?;
        println!("cargo::rustc-link-search=native={}", out.display());
    }
    Ok(())
}

/// The tables and their page, as an archive of `<gpu>/<file>`; the same files give the same bytes.
fn pack_results() -> io::Result<Vec<u8>> {
    let mut stream = zstd::Encoder::new(Vec::new(), LEVEL)?;
    stream.window_log(WINDOW_LOG)?;
    stream.long_distance_matching(true)?;
    let mut archive = tar::Builder::new(stream);
    for gpu in sorted(Path::new(REFERENCE))? {
        for file in sorted(&gpu)? {
            let bytes = fs::read(&file)?;
            let name = file.strip_prefix(REFERENCE).map_err(io::Error::other)?;
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, name, bytes.as_slice())?;
        }
    }
    archive.into_inner()?.finish()
}

/// The files of a folder, in the order of the names; hidden files do not belong to a run.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    let is_hidden = |path: &PathBuf| path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
    let mut paths: Vec<PathBuf> = entries.into_iter().filter(|path| !is_hidden(path)).collect();
    paths.sort();
    Ok(paths)
}
