//! Writes a file so that it is there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use crate::error::AnalysisError;
use crate::tables::described_files;

/// The suffix of a file's name until it is whole.
const UNFINISHED: &str = ".new";

/// The stored data of a run: nothing else is evidence.
pub const RECORDS: [&str; 5] = ["run.json", "experiments.csv", "readings.csv", "journal.csv", "trying.json"];

/// Derived files that are no tables.
const OTHERS: [&str; 4] = ["TIMINGS.md", "dpfactor.json", "csv-metadata.json", "report.html"];

/// Derived files, which can be derived again: the tables that are no records, and the others.
pub fn derived() -> impl Iterator<Item = &'static str> {
    let tables = described_files().map(|told| told.file.as_str());
    tables.filter(|table| !RECORDS.contains(table)).chain(OTHERS)
}

/// Writes a temporary file and renames it: a reader, or a power cut, never meets half a file, and no link is followed. It is on disk when this
/// comes back.
///
/// # Errors
/// The file cannot be written; the old content is still there.
pub fn write_atomically(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> Result<(), AnalysisError> {
    let path = folder.join(name);
    let beside = folder.join(format!(".{name}.{}{UNFINISHED}", std::process::id()));
    let create = || OpenOptions::new().write(true).create_new(true).open(&beside);
    let write = || {
        let mut file = match create() {
            // An earlier process with this number left it.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                fs::remove_file(&beside)?;
                create()?
            }
            created => created?,
        };
        file.write_all(text.as_ref())?;
        file.sync_all()?;
        drop(file);
        fs::rename(&beside, &path)?;
        sync_folder(folder)
    };
    write().map_err(|source| {
        // The failure to write is the message for the user; a leftover is removed if possible.
        let _ = fs::remove_file(&beside);
        AnalysisError::Write { path: path.clone(), source }
    })
}

/// The new name is in the folder, which is a file of its own; not every file system can be told to bring that onto the disk.
///
/// # Errors
/// The file system says so.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        result => result,
    }
}

/// Removes the leftovers of a process that was killed while it wrote to a run's folder: `.NAME.PROCESS.new`, where NAME is a file of a run and no other
/// process of that number is there. All else stays, whatever it is called.
///
/// # Errors
/// It cannot be removed.
pub fn remove_leftovers(folder: &Path) -> Result<(), AnalysisError> {
    let failed = |path: &Path, source| AnalysisError::Write { path: path.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(|source| failed(folder, source))? {
        let entry = entry.map_err(|source| failed(folder, source))?;
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && entry.file_name().to_str().is_some_and(is_leftover) {
            fs::remove_file(entry.path()).map_err(|source| failed(&entry.path(), source))?;
        }
    }
    Ok(())
}

/// Whether a name is that of a file which a process that is gone, or one before this one, did not bring to its end.
fn is_leftover(name: &str) -> bool {
    let parts = name.strip_prefix('.').and_then(|rest| rest.strip_suffix(UNFINISHED)?.rsplit_once('.'));
    let Some((of, Ok(process))) = parts.map(|(of, process)| (of, process.parse::<u32>())) else { return false };
    let is_gone = || Path::new("/proc/self").exists() && !Path::new("/proc").join(process.to_string()).exists();
    RECORDS.into_iter().chain(derived()).any(|known| known == of) && (process == std::process::id() || is_gone())
}

/// Removes whatever is derived: the records that it was derived from grow.
///
/// # Errors
/// A file cannot be removed.
pub fn remove_derived(folder: &Path) -> Result<(), AnalysisError> {
    derived().try_for_each(|name| remove(folder, name))
}

/// Removes a derived file that this run's readings do not give any more; none there is fine.
pub(crate) fn remove(folder: &Path, name: &str) -> Result<(), AnalysisError> {
    let path = folder.join(name);
    match fs::remove_file(&path) {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(AnalysisError::Write { path, source }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unfinished_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        // No process has that number: it is beyond the largest that Linux gives.
        let own = [".run.json.4194999.new".to_owned(), format!(".timings.csv.{}.new", std::process::id())];
        let others = [
            ".thesis.txt.4194999.new",
            ".run.json.new",
            ".run.json.x.new",
            ".run.json.1.new",
            "run.json.4194999.new",
            ".timings.csv.4194999",
        ];
        for name in own.iter().map(String::as_str).chain(others) {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        fs::create_dir(folder.path().join(".clock.csv.4194999.new")).unwrap();
        remove_leftovers(folder.path()).unwrap();
        let is_there = |name: &str| folder.path().join(name).exists();
        assert!(own.iter().all(|name| !is_there(name)));
        assert!(others.into_iter().all(is_there) && is_there(".clock.csv.4194999.new"));
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        fs::write(&other, "kept").unwrap();
        let beside = format!(".timings.csv.{}.new", std::process::id());
        for name in ["timings.csv", beside.as_str()] {
            std::os::unix::fs::symlink(&other, folder.path().join(name)).unwrap();
        }
        write_atomically(folder.path(), "timings.csv", "new").unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "kept");
        assert_eq!(fs::read_to_string(folder.path().join("timings.csv")).unwrap(), "new");
        assert!(!folder.path().join("timings.csv").is_symlink());
    }
}
