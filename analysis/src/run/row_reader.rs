//! Reads the rows of a run's CSV file: what both files have in common.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{AnalysisError, RowProblem};

/// The text of a CSV file whose last line is whole.
pub(super) struct RowFile {
    path: PathBuf,
    text: Vec<u8>,
}

/// Goes through the rows of a file whose header is the schema's.
pub(super) struct RowReader<'f> {
    file: &'f RowFile,
    reader: csv::Reader<&'f [u8]>,
    header: csv::ByteRecord,
    row: csv::ByteRecord,
}

impl RowFile {
    /// Reads the file.
    ///
    /// # Errors
    /// It cannot be read, or its last line was cut off.
    pub(super) fn open(path: &Path) -> Result<Self, AnalysisError> {
        let text = fs::read(path).map_err(|source| AnalysisError::Read { path: path.to_owned(), source })?;
        let file = Self { path: path.to_owned(), text };
        match file.text.last() {
            None | Some(b'\n') => Ok(file),
            Some(_) => {
                let line = file.text.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
                Err(file.error(line, RowProblem::CutOff))
            }
        }
    }

    /// Its size: how many rows to make room for.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// What is wrong with a line.
    pub(super) fn error(&self, line: u64, problem: RowProblem) -> AnalysisError {
        AnalysisError::Row { path: self.path.clone(), line, problem }
    }

    /// Its rows; the header has to start with these columns, later versions may append some.
    ///
    /// # Errors
    /// Other columns.
    pub(super) fn rows(&self, columns: &[&str]) -> Result<RowReader<'_>, AnalysisError> {
        let mut reader = csv::Reader::from_reader(self.text.as_slice());
        let header = reader.byte_headers().map_err(|e| self.error(1, RowProblem::Csv(e.to_string())))?.clone();
        if columns.iter().enumerate().any(|(i, column)| header.get(i) != Some(column.as_bytes())) {
            let found: Vec<_> = header.iter().map(String::from_utf8_lossy).collect();
            let problem = RowProblem::Header { expected: columns.join(","), found: found.join(",") };
            return Err(self.error(1, problem));
        }
        Ok(RowReader { file: self, reader, header, row: csv::ByteRecord::new() })
    }
}

impl RowReader<'_> {
    /// The header, for rows that are read by column names.
    pub(super) fn header(&self) -> csv::ByteRecord {
        self.header.clone()
    }

    /// The next row with its line, counted from 1; `None` at the end.
    ///
    /// # Errors
    /// A row that has more or fewer fields than the header, or is no CSV.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &csv::ByteRecord)>, AnalysisError> {
        let line = self.reader.position().line();
        match self.reader.read_byte_record(&mut self.row) {
            Ok(false) => Ok(None),
            Ok(true) => Ok(Some((self.row.position().map_or(line, csv::Position::line), &self.row))),
            Err(error) => Err(self.file.error(line, csv_problem(&error))),
        }
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
