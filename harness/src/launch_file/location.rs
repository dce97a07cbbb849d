//! The places of values in a launch file.

use std::path::Path;

/// A text by its lines.
pub(super) struct Lines<'a> {
    file: &'a Path,
    text: &'a str,
    /// The byte at which each line begins.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(file: &'a Path, text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { file, text, starts }
    }

    /// File, line and column of a byte.
    pub(super) fn place(&self, offset: usize) -> String {
        let line = self.starts.partition_point(|start| *start <= offset);
        let before = self.text.get(self.starts[line - 1]..offset).unwrap_or_default();
        format!("{}:{line}:{}", self.file.display(), before.chars().count() + 1)
    }
}
