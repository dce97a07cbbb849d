//! Writes a file so that it is there whole or not at all.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use crate::error::AnalysisError;

/// Writes beside the target and renames: a reader, or a power cut, never meets half a table.
pub(crate) fn write_atomically(folder: &Path, name: &str, text: &str) -> Result<(), AnalysisError> {
    let path = folder.join(name);
    let beside = folder.join(format!(".{name}.{}.new", std::process::id()));
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        drop(file);
        fs::rename(&beside, &path)
    };
    write().map_err(|source| {
        // The failure to write is what the user has to hear of; a leftover is removed if it can be.
        let _ = fs::remove_file(&beside);
        AnalysisError::Write { path: path.clone(), source }
    })
}

/// Removes a derived file that this run's readings do not give any more; none there is fine.
pub(crate) fn remove(folder: &Path, name: &str) -> Result<(), AnalysisError> {
    let path = folder.join(name);
    match fs::remove_file(&path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(AnalysisError::Write { path, source }),
        _ => Ok(()),
    }
}
