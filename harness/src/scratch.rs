//! Temporary folders. A process that is killed cannot remove its own; the next one does.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::Once;

use tempfile::TempDir;

/// What their names begin with.
const PREFIX: &str = "gcn-timings-";
/// The file in each of them that its process has locked as long as it lives.
const LOCK: &str = ".gcn-timings-in-use";

/// A folder that goes with its owner.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
    /// Held, never read.
    _lock: File,
}

impl Scratch {
    /// Makes the folder; the first time, those of processes that are gone are removed.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn new() -> io::Result<Self> {
        static CLEANED: Once = Once::new();
        CLEANED.call_once(|| remove_abandoned(&std::env::temp_dir()));
        Self::within(&std::env::temp_dir())
    }

    fn within(parent: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        // Locked before it has its name: under that name it is never met unlocked while its process lives.
        let (beside, path) = (folder.path().join("lock.new"), folder.path().join(LOCK));
        let lock = OpenOptions::new().write(true).create_new(true).open(&beside)?;
        lock.try_lock().map_err(io::Error::from)?;
        fs::rename(beside, path)?;
        Ok(Self { folder, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the folders whose processes are gone. What cannot be removed, or is somebody else's, stays: no run needs it gone.
fn remove_abandoned(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_named_so = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        // A folder itself, and no link to one.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_named_so && is_folder && is_own(&entry.path()) && is_abandoned(&entry.path()) {
            // It may be gone by now: another run has removed it.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether the folder is this user's.
fn is_own(folder: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let own = rustix::process::geteuid().as_raw();
        folder.symlink_metadata().is_ok_and(|metadata| metadata.uid() == own)
    }
    #[cfg(not(unix))]
    folder.is_dir()
}

/// Whether it has the lock's file, which no process has locked.
fn is_abandoned(folder: &Path) -> bool {
    let path = folder.join(LOCK);
    let is_file = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    is_file && OpenOptions::new().write(true).open(&path).is_ok_and(|lock| lock.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_leftovers_of_killed_processes_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let make = |name: &str, file: &str| {
            let folder = parent.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join(file), "x").unwrap();
            folder
        };
        let living = Scratch::within(parent.path()).unwrap();
        fs::write(living.path().join("0.o"), "code").unwrap();
        let abandoned = make("gcn-timings-abcdef", LOCK);
        let others = [make("gcn-timings-notes", "thesis.txt"), make("other", LOCK)];
        let link = parent.path().join("gcn-timings-link");
        #[cfg(unix)]
        std::os::unix::fs::symlink(&others[1], &link).unwrap();
        remove_abandoned(parent.path());
        assert!(!abandoned.exists());
        assert!(living.path().join("0.o").exists() && others.iter().all(|folder| folder.exists()));
        assert!(link.is_symlink() && others[1].join(LOCK).exists());
        // It goes with its owner.
        let path = living.path().to_owned();
        drop(living);
        assert!(!path.exists());
    }
}
