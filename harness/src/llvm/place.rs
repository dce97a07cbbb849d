//! Where LLVM's library and linker may be, in the order in which they are tried (design, "Assembling").

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Folder patterns of ROCm's LLVM libraries.
const ROCM_LIBRARIES: [&str; 2] = ["/opt/rocm*/lib/llvm/lib", "/opt/rocm*/llvm/lib"];

/// Folder patterns of the system's LLVM libraries: Debian, Fedora, Arch, own builds, Homebrew.
const SYSTEM_LIBRARIES: [&str; 8] = [
    "/usr/lib/llvm-*/lib",
    "/usr/lib/*-linux-gnu",
    "/usr/lib64/llvm*/lib",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/lib",
    "/opt/homebrew/opt/llvm*/lib",
    "/usr/local/opt/llvm*/lib",
];

/// A place that may have the library: the pattern as it is shown to the user, and the files found.
pub(super) struct SearchPlace {
    pub(super) name: String,
    pub(super) files: Vec<PathBuf>,
}

/// Every place with LLVM libraries, best first; the libraries of a place newest first.
pub(super) fn libraries() -> impl Iterator<Item = SearchPlace> {
    let patterns = ROCM_LIBRARIES.iter().chain(&SYSTEM_LIBRARIES);
    let of_system =
        patterns.map(|pattern| SearchPlace { name: (*pattern).to_owned(), files: libraries_of(&folders(pattern)) });
    // Asking rustc takes longer than loading a library: only where nothing before has one.
    of_system.chain(std::iter::once_with(of_toolchains).flatten())
}

fn of_toolchains() -> Vec<SearchPlace> {
    if toolchains().is_empty() {
        return vec![no_toolchain()];
    }
    let folders = toolchains().iter().map(|toolchain| toolchain.join("lib"));
    folders.map(|folder| SearchPlace { name: folder.display().to_string(), files: libraries_of(&[folder]) }).collect()
}

fn no_toolchain() -> SearchPlace {
    SearchPlace { name: "Rust toolchains (rustc on the path, RUSTUP_HOME, ~/.rustup)".to_owned(), files: Vec::new() }
}

/// LLVM libraries of a folder, newest first; the file itself where a file is named.
pub(super) fn libraries_in(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() { libraries_of(&[path.to_owned()]) } else { vec![path.to_owned()] }
}

fn libraries_of(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in folders {
        let Ok(entries) = folder.read_dir() else { continue };
        let named = entries.flatten().map(|entry| entry.path()).filter(|path| is_library(path));
        found.extend(named.filter_map(|path| path.canonicalize().ok()));
    }
    found.sort_by(|a, b| major_version(b).cmp(&major_version(a)).then_with(|| a.cmp(b)));
    found.dedup();
    found
}

/// `libLLVM.so.22.1`, `libLLVM-19.so.1`, `libLLVM.dylib`; not a component such as `libLLVMCore.so`.
fn is_library(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.strip_prefix("libLLVM").is_some_and(|rest| {
        rest.starts_with(['.', '-']) && (rest.contains(".so") || rest.ends_with(".dylib")) && !rest.ends_with(".a")
    })
}

/// LLVM's major version by the name of its library, where the name has one.
pub(super) fn major_version(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?.strip_prefix("libLLVM")?;
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Folders of Rust toolchains: the one in use, then all of rustup's.
pub(super) fn toolchains() -> &'static [PathBuf] {
    static TOOLCHAINS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    TOOLCHAINS.get_or_init(|| {
        let mut found: Vec<PathBuf> = sysroot().into_iter().collect();
        let home = std::env::var_os("RUSTUP_HOME")
            .map(PathBuf::from)
            .or_else(|| std::env::home_dir().map(|home| home.join(".rustup")));
        if let Some(home) = home {
            let mut installed = folders(&format!("{}/toolchains/*", home.display()));
            installed.sort();
            installed.retain(|folder| !found.contains(folder));
            found.extend(installed);
        }
        found
    })
}

/// The sysroot of the `rustc` on the path, asked in a folder whose toolchain file cannot change the answer.
fn sysroot() -> Option<PathBuf> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "sysroot"]).current_dir(std::env::temp_dir()).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    Some(PathBuf::from(path.trim())).filter(|path| output.status.success() && path.is_dir())
}

/// Places with a linker, best first. The linker next to the library in use comes first, for it has the same version.
pub(super) fn linkers(library: &Path) -> Vec<SearchPlace> {
    let mut places = Vec::new();
    let mut add = |pattern: String| {
        let mut files = folders(&pattern);
        files.sort_by(|a, b| b.cmp(a));
        places.push(SearchPlace { name: pattern, files });
    };
    if let Some(folder) = library.parent() {
        let folder = folder.display();
        add(format!("{folder}/../bin/ld.lld"));
        add(format!("{folder}/rustlib/*/bin/rust-lld"));
        if let Some(version) = major_version(library) {
            add(format!("/usr/lib/llvm-{version}/bin/ld.lld"));
        }
    }
    for pattern in ["/opt/rocm*/lib/llvm/bin/ld.lld", "/opt/rocm*/llvm/bin/ld.lld"] {
        add(pattern.to_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    for folder in std::env::split_paths(&path).filter(|folder| folder.is_absolute()) {
        add(format!("{}/ld.lld", folder.display()));
        add(format!("{}/ld.lld-[0-9]*", folder.display()));
    }
    add("/usr/lib/llvm-*/bin/ld.lld".to_owned());
    for toolchain in toolchains() {
        add(format!("{}/lib/rustlib/*/bin/rust-lld", toolchain.display()));
    }
    if toolchains().is_empty() {
        places.push(no_toolchain());
    }
    places
}

fn folders(pattern: &str) -> Vec<PathBuf> {
    glob::glob(pattern).map(|paths| paths.flatten().collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_libraries_and_their_versions_by_name() {
        for (name, version) in [
            ("libLLVM.so.22.1-rust-1.95.0-stable", Some(22)),
            ("libLLVM-14.so.1", Some(14)),
            ("libLLVM.so.19.1", Some(19)),
            ("libLLVM.so", None),
            ("libLLVM.dylib", None),
        ] {
            assert!(is_library(Path::new(name)), "{name}");
            assert_eq!(major_version(Path::new(name)), version, "{name}");
        }
        for name in ["libLLVMCore.so", "libLLVM-22.a", "libLTO.so.22"] {
            assert!(!is_library(Path::new(name)), "{name}");
        }
    }
}
