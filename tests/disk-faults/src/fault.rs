//! What goes wrong, and when: the environment's word.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

/// What happens at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The process is killed before it.
    Kill,
    /// The same, with half of the data written.
    Torn,
    /// The power goes; unsynced data is gone.
    Dropped,
    /// The power goes; zeros replace unsynced data.
    Zeroed,
    /// It fails with EIO.
    Error,
    /// It fails with ENOSPC.
    Refused,
    /// From here on there is no room.
    Full,
    /// From here on nothing is opened for writing.
    ReadOnly,
}

impl FromStr for Fault {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Ok(match text {
            "kill" => Self::Kill,
            "torn" => Self::Torn,
            "dropped" => Self::Dropped,
            "zeroed" => Self::Zeroed,
            "error" => Self::Error,
            "refused" => Self::Refused,
            "full" => Self::Full,
            "read-only" => Self::ReadOnly,
            _ => return Err(()),
        })
    }
}

/// The fault by the environment.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The folder whose files count.
    pub(crate) folder: PathBuf,
    /// What happens, and at which step.
    pub(crate) fault: Option<(Fault, u64)>,
    /// Where steps are written down.
    pub(crate) steps: Option<PathBuf>,
}

impl Settings {
    /// Nothing, for a process that does not belong to a test.
    pub(crate) fn from_environment() -> Option<Self> {
        let folder = PathBuf::from(std::env::var_os("GCN_DISK_FOLDER")?);
        let fault = std::env::var("GCN_DISK_FAULT").ok().and_then(|text| {
            let (fault, step) = text.split_once('@')?;
            Some((fault.parse().ok()?, step.parse().ok()?))
        });
        let steps = std::env::var_os("GCN_DISK_STEPS").map(|name: OsString| name.into());
        Some(Self { folder, fault, steps })
    }
}
