//! The results of the GPUs that ship, which are in the program: the simulator's, not a card's.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use gcn_analysis::{AnalysisError, Results};

/// `results/reference` as it was when the program was built; `build.rs` packs it.
const ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/reference.tar.zst"));

/// What stands before the name of a GPU whose results are meant.
const PREFIX: &str = "shipped:";

/// Why there are no results under a name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShippedResultsError {
    /// No results of that name ship.
    #[error("shipped:{name}: no such results; there are {}", known.join(", "))]
    Unknown {
        /// The requested name.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The program's own archive cannot be read.
    #[error("the results in the program cannot be read: {0}")]
    Archive(#[from] io::Error),
    /// A malformed table of them.
    #[error(transparent)]
    Results(#[from] AnalysisError),
}

/// Files by GPU and name.
type Files = BTreeMap<String, BTreeMap<String, String>>;

fn files() -> io::Result<Files> {
    let mut files = Files::new();
    let mut archive = tar::Archive::new(zstd::Decoder::new(ARCHIVE)?);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.to_string_lossy().into_owned();
        let mut text = String::new();
        entry.read_to_string(&mut text)?;
        if let Some((gpu, name)) = path.split_once('/') {
            files.entry(gpu.to_owned()).or_default().insert(name.to_owned(), text);
        }
    }
    Ok(files)
}

/// The tables that a word names: those of `shipped:tahiti`, and of `tahiti` unless a file or folder has that name. `None` if it names none.
///
/// # Errors
/// No results of a name after `shipped:`, or the program's own cannot be read.
pub fn shipped_results(word: &Path) -> Result<Option<Results>, ShippedResultsError> {
    let text = word.to_string_lossy();
    let name = match text.strip_prefix(PREFIX) {
        Some(name) => name,
        None if word.symlink_metadata().is_ok() || text.contains(['/', '\\']) => return Ok(None),
        None => &*text,
    };
    let files = files()?;
    match files.get(name) {
        Some(of_gpu) => {
            let place = format!("{PREFIX}{name}");
            Ok(Some(Results::of_kept(Path::new(&place), |file| of_gpu.get(file).cloned())?))
        }
        None if text.starts_with(PREFIX) => {
            Err(ShippedResultsError::Unknown { name: name.to_owned(), known: files.into_keys().collect() })
        }
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_that_of_results_and_a_path_is_not() {
        let tables = shipped_results(Path::new("shipped:tahiti")).unwrap().unwrap();
        assert_eq!(tables.record.device.target, "gfx600");
        assert!(tables.record.device.is_simulated());
        assert_eq!(shipped_results(Path::new("tahiti")).unwrap().unwrap().timings, tables.timings);
        for path in ["./tahiti", "results/tahiti", "no-such-gpu", "src"] {
            assert!(shipped_results(Path::new(path)).unwrap().is_none(), "{path}");
        }
        let error = shipped_results(Path::new("shipped:tahitti")).unwrap_err().to_string();
        assert!(error.contains("shipped:tahitti") && error.contains("bonaire") && error.contains("tahiti"), "{error}");
    }
}
