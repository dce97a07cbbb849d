//! The place of a value in a launch file.

use std::path::Path;

/// File, line and column of a byte of a text.
pub(super) fn location(file: &Path, text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{}:{line}:{column}", file.display())
}
