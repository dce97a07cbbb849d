//! Places in the text of GPU files.

use std::fmt;
use std::sync::Arc;

/// A file's text, by the name that messages give it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) file: String,
    pub(super) text: String,
}

impl Source {
    pub(super) fn new(file: &str, text: &str) -> Arc<Self> {
        Arc::new(Self { file: file.to_owned(), text: text.to_owned() })
    }
}

/// A place in a GPU file. Line and column are counted when they are asked for: a file has thousands of places, and a message one.
#[derive(Clone, PartialEq, Eq)]
pub struct Location {
    pub(super) source: Arc<Source>,
    pub(super) offset: usize,
}

impl Location {
    /// The file's name as it was given.
    pub fn file(&self) -> &str {
        &self.source.file
    }
}

impl fmt::Display for Location {
    /// `file:line:column`; line and column (in characters) count from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.source.text.get(..self.offset).unwrap_or(&self.source.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let (line, column) = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
        write!(f, "{}:{line}:{column}", self.source.file)
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
