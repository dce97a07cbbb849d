//! The text of the page, line by line.

use std::fmt::Write;

/// The text so far.
#[derive(Default)]
pub(super) struct Page {
    text: String,
}

impl Page {
    pub(super) fn line(&mut self, line: &str) {
        // Writing to a String does not fail.
        let _ = writeln!(self.text, "{}", line.trim_end_matches(' '));
    }

    /// A head line of a table with its rule.
    pub(super) fn head(&mut self, columns: &[&str]) {
        self.line(&format!("\n{}\n{}", columns.join(" | "), vec!["---"; columns.len()].join("|")));
    }

    pub(super) fn row(&mut self, cells: &[String]) {
        self.line(&cells.join(" | "));
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}
