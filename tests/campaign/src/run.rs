//! Runs of the program on a GPU file, as a user would make them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::family::Family;
use crate::truth::Truth;

/// A run that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The program cannot be started, or its output not be written.
    #[error("{}: {cause}; is it there, and may it be started or written?", path.display())]
    File {
        /// The program, or the file that it should write.
        path: PathBuf,
        cause: io::Error,
    },
    /// The program ended with an error.
    #[error("{program} on {file}: {said}", program = program.display(), file = file.display())]
    Failed {
        program: PathBuf,
        /// The GPU file.
        file: PathBuf,
        /// Its output.
        said: String,
    },
}

/// Measures a GPU file with a program into `out/rules` and `out/instructions`, each with the program's output as `printed.txt`.
///
/// # Errors
/// The program cannot be started, or fails.
pub fn run(program: &Path, file: &Path, truth: &Truth, family: Family, out: &Path) -> Result<(), RunError> {
    let only: Vec<&str> = family.selection().into_iter().filter(|name| truth.find(name).is_some()).collect();
    let lanes = (family == Family::Rdna).then(|| format!("--wave-size={}", truth.lanes));
    let rules = (family.rules(), Vec::new());
    let instructions = (family.instructions(), only);
    for (name, (suites, only)) in [("rules", rules), ("instructions", instructions)] {
        let folder = out.join(name);
        let device = format!("sim:{}", file.display());
        let output = Command::new(program)
            .args(["measure", "--verbose", "--device", &device, "--out"])
            .arg(&folder)
            .args(suites.iter().flat_map(|suite| ["--suite", suite]))
            .args(only.into_iter().flat_map(|name| ["--only", name]))
            .args(&lanes)
            .output()
            .map_err(|cause| RunError::File { path: program.to_owned(), cause })?;
        // A card with few registers has no room for some experiments: the program says which failed, prints its summary and ends with an error.
        if !output.status.success() && output.stdout.is_empty() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(RunError::Failed { program: program.to_owned(), file: file.to_owned(), said });
        }
        keep(&folder, &output.stdout)?;
    }
    Ok(())
}

/// Derives the tables of both runs again with another version of the program, from the readings that are stored.
///
/// # Errors
/// The program cannot be started, or fails.
pub fn analyze(program: &Path, out: &Path) -> Result<(), RunError> {
    for name in ["rules", "instructions"] {
        let folder = out.join(name);
        let output = Command::new(program)
            .args(["analyze", "--verbose"])
            .arg(&folder)
            .output()
            .map_err(|cause| RunError::File { path: program.to_owned(), cause })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(RunError::Failed { program: program.to_owned(), file: folder, said });
        }
        keep(&folder, &output.stdout)?;
    }
    Ok(())
}

/// The program's output, next to the run's folder, which is the program's own.
fn keep(folder: &Path, printed: &[u8]) -> Result<(), RunError> {
    let path = folder.with_extension("txt");
    fs::write(&path, printed).map_err(|cause| RunError::File { path, cause })
}
