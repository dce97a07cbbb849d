//! Lists the data folders, so that a generation or a GPU is there as soon as its files are.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let data = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("data");
    let mut files = Vec::new();
    walk(&data, &mut files)?;
    files.sort();
    let mut text = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&data).map_err(io::Error::other)?.to_string_lossy().replace('\\', "/");
        writeln!(text, "    ({name:?}, include_str!({:?})),", file.display().to_string()).map_err(io::Error::other)?;
    }
    text.push_str("]\n");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("data_files.rs"), text)
}

/// The data files below a folder; Cargo is told to look at the folder again when it changes.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "csv" || extension == "toml") {
            files.push(path);
        }
    }
    Ok(())
}
