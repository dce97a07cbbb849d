//! A CSV file of a run, row by row: what all of them have in common.

use std::ops::Range;
use std::path::{Path, PathBuf};

use gcn_model::regular_file;

use crate::error::{AnalysisError, RowProblem};

/// What some programs put before a text that they save.
const MARK_OF_UTF_8: &[u8] = b"\xef\xbb\xbf";

/// The text of a CSV file, and how much of it counts.
#[derive(Debug, Clone)]
pub(super) struct RowFile {
    path: PathBuf,
    text: Vec<u8>,
    /// The rest was cut off while it was written.
    end: usize,
}

/// The data after the rows that count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Torn {
    /// Lines, whole and torn.
    pub lines: u64,
    /// The experiments of those that are whole, in their order, each with the first line of it.
    pub experiments: Vec<(u64, String)>,
}

/// The id of the experiment that a row is of: a CSV field, which is quoted if it has commas in it.
fn first_field(row: &[u8]) -> Result<String, csv::Error> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(row);
    let mut fields = csv::ByteRecord::new();
    reader.read_byte_record(&mut fields)?;
    Ok(String::from_utf8_lossy(fields.get(0).unwrap_or_default()).into_owned())
}

/// A row and where it is.
pub(super) struct Row<'r> {
    /// Its line, counted from 1.
    pub(super) line: u64,
    /// Its fields: as many as the header has.
    pub(super) fields: &'r csv::ByteRecord,
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

    /// Ignores the data after some byte.
    pub(super) fn cut(&mut self, end: usize) {
        self.end = end.min(self.text.len());
    }

    /// Ignores a last line that has no end, and a line with zeros and everything after it: when the power goes, some file systems leave
    /// zeros in place of unsynced data. More lines than a run brings to the disk at once can not have been lost that way.
    ///
    /// # Errors
    /// More than `most` lines with zeros and after them.
    pub(super) fn cut_torn_lines(&mut self, most: usize) -> Result<(), AnalysisError> {
        self.end = self.text().iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let Some(zero) = self.text().iter().position(|&byte| byte == 0) else { return Ok(()) };
        let start = self.text()[..zero].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if self.text()[start..].iter().filter(|&&byte| byte == b'\n').count() > most {
            return Err(self.error(self.line_of(start), RowProblem::Zeros));
        }
        self.end = start;
        Ok(())
    }

    /// The data after that, as an interrupted run leaves it: the number of lines, torn ones included, and the experiments of the others.
    ///
    /// # Errors
    /// A row that is no CSV, and those of more than `most` experiments.
    pub(super) fn torn(&self, most: usize) -> Result<Torn, AnalysisError> {
        let mut torn = Torn::default();
        // No row of a run has a line break in it, so that a torn one ends with its line.
        let rows = self.text[self.end..].split_inclusive(|&byte| byte == b'\n');
        for (line, row) in (self.line_of(self.end)..).zip(rows) {
            torn.lines += 1;
            if row.last() != Some(&b'\n') || row.contains(&0) {
                continue;
            }
            let id = first_field(row).map_err(|error| self.error(line, RowProblem::Csv(error.to_string())))?;
            if !torn.experiments.iter().any(|(_, known)| *known == id) {
                torn.experiments.push((line, id));
            }
            if torn.experiments.len() > most {
                return Err(self.error(line, RowProblem::Unexpected));
            }
        }
        Ok(torn)
    }

    /// The line of a byte, counted from 1.
    pub(super) fn line_of(&self, at: usize) -> u64 {
        self.text[..at].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1
    }

    /// The fault of a line.
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
            return Err(self.error(self.line_of(self.end), RowProblem::CutOff));
        }
        if self.text().starts_with(MARK_OF_UTF_8) {
            return Err(self.error(1, RowProblem::Mark));
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
            if !reader.read_byte_record(&mut fields).map_err(|error| self.error(line, RowProblem::of_csv(&error)))? {
                return Ok(());
            }
            let line = fields.position().map_or(line, csv::Position::line);
            take(&Row { line, fields: &fields, header: &header }).map_err(|problem| self.error(line, problem))?;
        }
    }

    /// The rows after the header in a few parts of about the same size; `None` if the header is not just these columns, or the last line
    /// is cut off.
    pub(super) fn parts(&self, columns: &[&str]) -> Option<Vec<&[u8]>> {
        let header = format!("{}\n", columns.join(","));
        let mut rest = self.text().strip_prefix(header.as_bytes())?;
        if rest.last().is_some_and(|&last| last != b'\n') {
            return None;
        }
        let size = (rest.len() / rayon::current_num_threads()).max(1 << 20);
        let mut parts = Vec::new();
        while !rest.is_empty() {
            let middle = size.min(rest.len());
            // No row of a run has a line break in it; a row with a line break would have too few fields in both halves.
            let end = rest[middle..].iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| middle + at + 1);
            let (rows, behind) = rest.split_at(end);
            parts.push(rows);
            rest = behind;
        }
        Some(parts)
    }

    /// The place of the rows after the header, in bytes, and the line of each.
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
