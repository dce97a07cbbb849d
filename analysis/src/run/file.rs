//! Writes a file so that it is there whole or not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use crate::error::AnalysisError;

/// What the name of a file ends with until it is whole.
const UNFINISHED: &str = ".new";

/// Writes beside the target and renames: a reader, or a power cut, never meets half a file. It is on disk when this comes back.
///
/// # Errors
/// The file cannot be written; what was there before still is.
pub fn write_atomically(folder: &Path, name: &str, text: &str) -> Result<(), AnalysisError> {
    let path = folder.join(name);
    let beside = folder.join(format!(".{name}.{}{UNFINISHED}", std::process::id()));
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        drop(file);
        fs::rename(&beside, &path)?;
        sync_folder(folder)
    };
    write().map_err(|source| {
        // The failure to write is what the user has to hear of; a leftover is removed if it can be.
        let _ = fs::remove_file(&beside);
        AnalysisError::Write { path: path.clone(), source }
    })
}

/// The new name is in the folder, which is a file of its own; not every file system can be told to bring that onto the disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        result => result,
    }
}

/// Removes what a process that was killed while it wrote has left.
///
/// # Errors
/// It cannot be removed.
pub fn remove_leftovers(folder: &Path) -> Result<(), AnalysisError> {
    let failed = |path: &Path, source| AnalysisError::Write { path: path.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(|source| failed(folder, source))? {
        let path = entry.map_err(|source| failed(folder, source))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') && name.ends_with(UNFINISHED) {
            fs::remove_file(&path).map_err(|source| failed(&path, source))?;
        }
    }
    Ok(())
}

/// Removes a derived file that this run's readings do not give any more; none there is fine.
pub(crate) fn remove(folder: &Path, name: &str) -> Result<(), AnalysisError> {
    let path = folder.join(name);
    match fs::remove_file(&path) {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(AnalysisError::Write { path, source }),
        _ => Ok(()),
    }
}
