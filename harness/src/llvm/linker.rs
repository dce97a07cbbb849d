//! LLD, which makes a loadable code object of the assembler's objects.

use super::error::{LinkError, LinkerError, Refusal};
use super::{Llvm, limited, place};
use crate::scratch::Scratch;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// Linking takes milliseconds; a linker that takes this long will not end.
const LIMIT: Duration = Duration::from_secs(60);
/// What it is says a linker at once.
const VERSION_LIMIT: Duration = Duration::from_secs(10);

/// A linker that was found to be LLD.
#[derive(Debug, Clone)]
pub struct Linker {
    path: PathBuf,
    version: String,
}

impl Linker {
    /// Finds LLD: `explicit` (`ld.lld`, `lld` or `rust-lld`) and nothing else if given; otherwise the one next to the LLVM
    /// library, ROCm's, the system's, the Rust toolchain's.
    ///
    /// # Errors
    /// Every place looked at with the reason why it does not do.
    pub fn find(explicit: Option<&Path>, llvm: &Llvm) -> Result<Self, LinkerError> {
        if let Some(path) = explicit {
            // It is run from another folder later on, where a relative path would name nothing. A bare name is searched for in PATH.
            let is_bare = path.parent().is_none_or(|folder| folder.as_os_str().is_empty());
            let path = &if is_bare { path.to_owned() } else { std::path::absolute(path).unwrap_or(path.to_owned()) };
            return Self::try_file(path).map_err(|refused| LinkerError::Explicit { refused: vec![refused] });
        }
        let mut refused = Vec::new();
        for place in place::linkers(llvm.path()) {
            if place.files.is_empty() {
                refused.push(Refusal { place: place.name, reason: "not there".to_owned() });
            }
            for file in place.files {
                match Self::try_file(&file) {
                    Ok(linker) => return Ok(linker),
                    Err(reason) => refused.push(reason),
                }
            }
        }
        Err(LinkerError::NotFound { refused })
    }

    fn try_file(path: &Path) -> Result<Self, Refusal> {
        let refuse = |reason: String| Refusal { place: path.display().to_string(), reason };
        let mut command = command(path);
        command.arg("--version");
        let output = limited::output(command, VERSION_LIMIT).map_err(|error| refuse(error.to_string()))?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if output.status.success() && version.contains("LLD") {
            Ok(Self { path: path.to_owned(), version })
        } else {
            // One that cannot start, for want of memory or a library, says why.
            let said = said(&output);
            let why = said.lines().next().filter(|_| !output.status.success());
            Err(refuse(why.map_or("is not LLD".to_owned(), |why| format!("is not LLD: {why}"))))
        }
    }

    /// The linker's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The linker's statement about its version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Links objects, in this order, to one shared object; the same objects give the same bytes.
    ///
    /// # Errors
    /// The linker's message (undefined and duplicate symbols), or that it cannot be run.
    pub fn link(&self, objects: &[impl AsRef<[u8]>]) -> Result<Vec<u8>, LinkError> {
        let io = |source| LinkError::Io { linker: self.path.clone(), source };
        let folder = Scratch::new().map_err(io)?;
        // Relative names, so that no path gets into the output or the messages.
        let names: Vec<String> = (0..objects.len()).map(|number| format!("{number}.o")).collect();
        for (name, object) in names.iter().zip(objects) {
            std::fs::write(folder.path().join(name), object).map_err(io)?;
        }
        let mut command = command(&self.path);
        command.args(["-shared", "--no-undefined", "--build-id=none", "-o", "linked"]).args(&names);
        command.current_dir(folder.path());
        let output = limited::output(command, LIMIT).map_err(io)?;
        if !output.status.success() {
            return Err(LinkError::Failed { linker: self.path.clone(), message: said(&output) });
        }
        std::fs::read(folder.path().join("linked")).map_err(io)
    }
}

/// What a program that failed said; one that was killed says nothing.
fn said(output: &Output) -> String {
    match String::from_utf8_lossy(&output.stderr).trim() {
        "" => format!("it ended with {}", output.status),
        message => message.to_owned(),
    }
}

/// LLD chooses its kind by its name or, as `lld` and `rust-lld`, by `-flavor`.
fn command(path: &Path) -> Command {
    let mut command = Command::new(path);
    if path.file_stem().and_then(OsStr::to_str).is_some_and(|stem| ["lld", "rust-lld"].contains(&stem)) {
        command.args(["-flavor", "gnu"]);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_reports() {
        let llvm = Llvm::find(None).unwrap();
        let linker = Linker::find(None, &llvm).unwrap();
        let object = llvm.assemble("gfx803", ".text\n.globl k\n.type k,@function\nk:\ns_endpgm\n").unwrap();
        let linked = linker.link(&[&object]).unwrap();
        assert_eq!(linked[16..18], [3, 0], "ET_DYN");
        assert_eq!(linked, linker.link(&[&object]).unwrap());

        let error = linker.link(&[&object, &object]).unwrap_err().to_string();
        assert!(error.contains("duplicate symbol: k"), "{error}");
    }

    #[test]
    fn refuses_programs_other_than_lld() {
        let llvm = Llvm::find(None).unwrap();
        let error = Linker::find(Some(Path::new("/nowhere/ld.lld")), &llvm).unwrap_err().to_string();
        assert!(error.contains("/nowhere/ld.lld"), "{error}");
    }
}
