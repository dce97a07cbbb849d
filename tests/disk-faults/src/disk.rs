//! The disk under a folder: its steps are counted, and the part that would outlast a power cut is known.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::fault::{Fault, Settings};

/// What becomes of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// It fails with this error number.
    Fails(i32),
    /// A write brings half of its bytes onto the disk; anything else is done.
    Half,
    /// The same, and the process is killed then.
    HalfThenKilled,
}

/// The effect of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Opens a file for writing.
    Open,
    Write,
    /// Brings a file, or the names of a folder, onto the disk.
    Sync,
    /// Cuts a file, renames or removes one.
    Other,
}

#[derive(Debug)]
pub(crate) struct Disk {
    settings: Settings,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    steps: u64,
    /// The synced part of each file, by its number.
    contents: BTreeMap<u64, Vec<u8>>,
    /// The names that were synced, with the files' numbers.
    names: BTreeMap<OsString, u64>,
}

/// Whether this library itself is at work: then nothing counts.
static OWN: AtomicBool = AtomicBool::new(false);

impl Disk {
    /// The disk of this process, if it has one.
    pub(crate) fn get() -> Option<&'static Self> {
        static DISK: OnceLock<Option<Disk>> = OnceLock::new();
        // Reading the environment opens no file, so that this is not entered twice.
        let disk = DISK
            .get_or_init(|| Settings::from_environment().map(|settings| Self { settings, state: Mutex::default() }));
        disk.as_ref().filter(|_| !OWN.load(Ordering::SeqCst))
    }

    /// Whether a path is in the folder, or the folder itself.
    pub(crate) fn has(&self, path: &Path) -> bool {
        // The log is no part of the run: what becomes of it is of no consequence.
        path.starts_with(&self.settings.folder) && !path.ends_with("log.txt")
    }

    /// Counts a step; says what becomes of it. It does not come back if the process ends here.
    pub(crate) fn step(&self, step: Step, path: &Path) -> Outcome {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.steps += 1;
        let number = state.steps;
        self.own(|| {
            if number == 1 {
                // The leftovers of an earlier process are on the disk.
                state.names = names(&self.settings.folder);
                let content = |(name, &number): (&OsString, &u64)| Some((number, fs::read(self.path(name)).ok()?));
                state.contents = state.names.iter().filter_map(content).collect();
            }
            if let Some(steps) = &self.settings.steps
                && let Ok(mut file) = OpenOptions::new().append(true).create(true).open(steps)
            {
                // A test that counts will find a missing line.
                let _ = writeln!(file, "{number} {step:?} {}", path.display());
            }
        });
        let Some((fault, at)) = self.settings.fault else { return Outcome::Done };
        let takes_room = matches!(step, Step::Open | Step::Write);
        match fault {
            Fault::Full if number > at && takes_room => Outcome::Fails(libc::ENOSPC),
            Fault::ReadOnly if number >= at && step == Step::Open => Outcome::Fails(libc::EROFS),
            _ if number != at => Outcome::Done,
            Fault::Kill => end_at_once(),
            Fault::Torn if step == Step::Write => Outcome::HalfThenKilled,
            Fault::Torn => end_at_once(),
            Fault::Dropped | Fault::Zeroed => {
                self.own(|| self.lose(&state, fault == Fault::Zeroed));
                end_at_once()
            }
            Fault::Error => Outcome::Fails(libc::EIO),
            Fault::Refused => Outcome::Fails(libc::ENOSPC),
            Fault::Full => Outcome::Half,
            Fault::ReadOnly => Outcome::Done,
        }
    }

    /// A file, or the folder, was synced.
    pub(crate) fn synced(&self, path: &Path) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.own(|| {
            if path == self.settings.folder {
                state.names = names(path);
            } else if let (Ok(metadata), Ok(content)) = (path.metadata(), fs::read(path)) {
                state.contents.insert(metadata.ino(), content);
            }
        });
    }

    /// Does something with the original functions.
    fn own<T>(&self, work: impl FnOnce() -> T) -> T {
        OWN.store(true, Ordering::SeqCst);
        let result = work();
        OWN.store(false, Ordering::SeqCst);
        result
    }

    /// Turns the folder into its state after the power is back.
    fn lose(&self, state: &State, zeros: bool) {
        let now = names(&self.settings.folder);
        let length = |name: &OsString| fs::metadata(self.path(name)).map_or(0, |metadata| metadata.len() as usize);
        let kept: Vec<(PathBuf, Vec<u8>)> = if zeros {
            // Names and lengths got to the disk, and the rest did not.
            let content = |(name, number): (&OsString, &u64)| {
                let mut content = state.contents.get(number).cloned().unwrap_or_default();
                content.resize(length(name), 0);
                (self.path(name), content)
            };
            now.iter().map(content).collect()
        } else {
            let content = |number: &u64| state.contents.get(number).cloned().unwrap_or_default();
            state.names.iter().map(|(name, number)| (self.path(name), content(number))).collect()
        };
        for name in now.keys() {
            // What cannot be removed is found by the test that it disturbs.
            let _ = fs::remove_file(self.path(name));
        }
        for (path, content) in kept {
            let _ = fs::write(path, content);
        }
    }

    fn path(&self, name: &OsString) -> PathBuf {
        self.settings.folder.join(name)
    }
}

/// The names in a folder, with the numbers of their files.
fn names(folder: &Path) -> BTreeMap<OsString, u64> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name(), entry.metadata().ok()?.ino()))).collect()
}

/// Ends this process as `kill -9` does.
#[expect(unsafe_code, reason = "a signal is sent")]
pub(crate) fn end_at_once() -> ! {
    // SAFETY: plain system calls on the own process.
    unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
    loop {
        std::thread::park();
    }
}
