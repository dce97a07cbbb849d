//! A CSV file of a run, row by row: what all of them have in common.

use std::ops::Range;
use std::path::{Path, PathBuf};

use gcn_model::regular_file;

use crate::error::{AnalysisError, RowProblem};

/// The text of a CSV file, and how much of it counts.
#[derive(Debug, Clone)]
pub(super) struct RowFile {
    path: PathBuf,
    text: Vec<u8>,
    /// What is behind this was cut off while it was written.
    end: usize,
}

/// A row and where it is.
pub(super) struct Row<'r> {
    /// Its line, counted from 1.
    pub(super) line: u64,
    /// Its fields: as many as the header has.
    pub(super) fields: &'r csv::ByteRecord,
    /// The first line.
    pub(super) header: &'r csv::ByteRecord,
}

impl RowFile {
    /// Reads the file.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn open(path: &Path) -> Result<Self, AnalysisError> {
        let text = regular_file::read(path, regular_file::MOST_OF_A_RUN)
            .map_err(|source| AnalysisError::Read { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), end: text.len(), text })
    }

    /// What counts of it.
    pub(super) fn text(&self) -> &[u8] {
        &self.text[..self.end]
    }

    /// What is behind that.
    pub(super) fn tail(&self) -> &[u8] {
        &self.text[self.end..]
    }

    /// Leaves what is behind some byte out of account.
    pub(super) fn cut(&mut self, end: usize) {
        self.end = end.min(self.text.len());
    }

    /// Leaves a last line that has no end out of account.
    pub(super) fn cut_torn_line(&mut self) {
        self.end = self.text().iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    }

    /// What is wrong with a line.
    pub(super) fn error(&self, line: u64, problem: RowProblem) -> AnalysisError {
        AnalysisError::Row { path: self.path.clone(), line, problem }
    }

    /// Goes through the rows. The header has to start with these columns, later versions may append some.
    ///
    /// # Errors
    /// Other columns, a last line that was cut off, a row with more or fewer fields than the header or that is no CSV, and
    /// whatever `take` says of a row, with its line.
    pub(super) fn each(
        &self,
        columns: &[&str],
        mut take: impl FnMut(&Row<'_>) -> Result<(), RowProblem>,
    ) -> Result<(), AnalysisError> {
        if self.text().last().is_some_and(|&last| last != b'\n') {
            let line = self.text().iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            return Err(self.error(line, RowProblem::CutOff));
        }
        let mut reader = csv::Reader::from_reader(self.text());
        let header = reader.byte_headers().map_err(|e| self.error(1, RowProblem::Csv(e.to_string())))?.clone();
        if columns.iter().enumerate().any(|(i, column)| header.get(i) != Some(column.as_bytes())) {
            let found: Vec<_> = header.iter().map(String::from_utf8_lossy).collect();
            let problem = RowProblem::Header { expected: columns.join(","), found: found.join(",") };
            return Err(self.error(1, problem));
        }
        let mut fields = csv::ByteRecord::new();
        loop {
            let line = reader.position().line();
            if !reader.read_byte_record(&mut fields).map_err(|error| self.error(line, csv_problem(&error)))? {
                return Ok(());
            }
            let line = fields.position().map_or(line, csv::Position::line);
            take(&Row { line, fields: &fields, header: &header }).map_err(|problem| self.error(line, problem))?;
        }
    }

    /// Where the rows behind the header are, in bytes, and the line of each.
    pub(super) fn places(&self) -> impl Iterator<Item = (u64, Range<usize>)> {
        let text = self.text();
        let (mut start, mut line) = (0, 1);
        std::iter::from_fn(move || {
            let mut is_quoted = false;
            let first = line;
            for (at, &byte) in text.iter().enumerate().skip(start) {
                match byte {
                    b'"' => is_quoted = !is_quoted,
                    b'\n' => {
                        line += 1;
                        if !is_quoted {
                            let row = start..at + 1;
                            start = at + 1;
                            return Some((first, row));
                        }
                    }
                    _ => {}
                }
            }
            None
        })
        .skip(1)
    }
}

/// A failure of the CSV reader itself.
fn csv_problem(error: &csv::Error) -> RowProblem {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            RowProblem::FieldCount { expected: *expected_len as usize, found: *len as usize }
        }
        _ => RowProblem::Csv(error.to_string()),
    }
}
