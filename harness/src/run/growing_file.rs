//! A CSV file of a run that grows, and never beyond its complete rows for longer than it takes to complete them.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::RunError;

/// A file, its complete part, and the pending one.
#[derive(Debug)]
pub(super) struct GrowingFile {
    path: PathBuf,
    file: File,
    /// Bytes that are complete.
    complete: u64,
    /// The data after these.
    next: Vec<u8>,
    /// How much of that is on disk.
    stored: usize,
}

impl GrowingFile {
    /// Makes the file, with nothing but its header.
    pub(super) fn create(path: &Path, columns: &[&str]) -> Result<Self, RunError> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let mut growing = Self::of(path, file, 0)?;
        // The header is there from the start: a run in which everything failed is a run, too.
        growing.add(&columns)?;
        growing.store()?;
        growing.complete();
        Ok(growing)
    }

    /// Opens a file of which this many bytes are complete.
    pub(super) fn open(path: &Path, complete: u64) -> Result<Self, RunError> {
        Self::of(path, OpenOptions::new().append(true).open(path), complete)
    }

    fn of(path: &Path, file: io::Result<File>, complete: u64) -> Result<Self, RunError> {
        let file = file.map_err(|cause| RunError::Write { path: path.to_owned(), cause })?;
        Ok(Self { path: path.to_owned(), file, complete, next: Vec::new(), stored: 0 })
    }

    /// So many bytes are complete.
    pub(super) fn go_on_from(&mut self, complete: u64) {
        self.complete = complete;
    }

    /// The file itself, to be locked.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Bytes that come next, so far.
    pub(super) fn length(&self) -> usize {
        self.next.len()
    }

    /// What comes next, from some byte on.
    pub(super) fn from(&self, start: usize) -> &[u8] {
        &self.next[start..]
    }

    /// Adds a row to what comes next.
    pub(super) fn add(&mut self, row: &impl Serialize) -> Result<(), RunError> {
        self.add_all(std::slice::from_ref(row))
    }

    /// Adds rows to what comes next.
    pub(super) fn add_all(&mut self, rows: &[impl Serialize]) -> Result<(), RunError> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(&mut self.next);
        let added = rows.iter().try_for_each(|row| writer.serialize(row)).map_err(io::Error::from);
        let added = added.and_then(|()| writer.flush());
        drop(writer);
        added.map_err(|cause| self.failed(cause))
    }

    /// Adds rows as they are.
    pub(super) fn add_text(&mut self, rows: &[u8]) {
        self.next.extend_from_slice(rows);
    }

    /// Brings what comes next onto the disk, all the way.
    pub(super) fn store(&mut self) -> Result<(), RunError> {
        if self.stored < self.next.len() {
            let written = self.file.write_all(&self.next[self.stored..]).and_then(|()| self.file.sync_data());
            written.map_err(|cause| self.failed(cause))?;
            self.stored = self.next.len();
        }
        Ok(())
    }

    /// What came next is now complete.
    pub(super) fn complete(&mut self) {
        self.complete += self.next.len() as u64;
        self.next.clear();
        self.stored = 0;
    }

    /// Takes back whatever is not complete.
    pub(super) fn roll_back(&mut self) -> Result<(), RunError> {
        self.next.clear();
        self.stored = 0;
        self.file.set_len(self.complete).and_then(|()| self.file.sync_data()).map_err(|cause| self.failed(cause))
    }

    fn failed(&self, cause: io::Error) -> RunError {
        let folder = self.path.parent().unwrap_or(&self.path).to_owned();
        RunError::Store { path: self.path.clone(), cause, folder }
    }
}
