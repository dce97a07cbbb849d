//! `trying.json`: the current attempt, for the finder of a run that died.

use std::fs;
use std::io;
use std::path::Path;

use gcn_analysis::run::sync_folder;
use gcn_analysis::write_atomically;
use gcn_model::regular_file;
use serde::{Deserialize, Serialize};

use super::RunError;

const TRYING: &str = "trying.json";

/// The current attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Attempt {
    /// 0 for the first time, then counted up.
    pub(super) round: u32,
    /// Number of the first launch.
    pub(super) first_launch: u64,
    /// The experiments: one on a card, some on the simulator.
    pub(super) experiments: Vec<String>,
    /// Since when, RFC 3339 in UTC.
    pub(super) since: String,
}

impl Attempt {
    /// Writes the note, in place of the one before; it is on disk when this comes back.
    pub(super) fn note(&self, folder: &Path) -> Result<(), RunError> {
        let text = serde_json::to_string(self)
            .map_err(|error| RunError::Write { path: folder.join(TRYING), cause: error.into() })?;
        Ok(write_atomically(folder, TRYING, format!("{text}\n"))?)
    }

    /// The note of a run that died, if there is one.
    pub(super) fn of(folder: &Path) -> Result<Option<Self>, RunError> {
        let path = folder.join(TRYING);
        match regular_file::read_to_string(&path, regular_file::MOST_OF_A_RUN) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(RunError::Read { path, cause }),
            Ok(text) => match serde_json::from_str(&text) {
                Ok(attempt) => Ok(Some(attempt)),
                Err(cause) => Err(RunError::Note { path, cause }),
            },
        }
    }

    /// Removes the note: the attempt has ended, one way or another.
    pub(super) fn clear(folder: &Path) -> Result<(), RunError> {
        let path = folder.join(TRYING);
        let removed = match fs::remove_file(&path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(()),
            // A power cut must not bring it back.
            removed => removed.and_then(|()| sync_folder(folder)),
        };
        removed.map_err(|cause| RunError::Write { path, cause })
    }
}
