//! A table of a run, as its file says it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A file of a run that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    #[error("{}: {cause}; was the run analyzed?", path.display())]
    Table { path: PathBuf, cause: csv::Error },
    /// `dpfactor.json`.
    #[error("{}: {cause}; was the run analyzed?", path.display())]
    Json { path: PathBuf, cause: serde_json::Error },
    /// A file that is there and cannot be read.
    #[error("{}: {cause}", path.display())]
    File { path: PathBuf, cause: std::io::Error },
}

/// Rows by column name; a table that is not there has none.
#[derive(Debug, Default)]
pub(super) struct Table {
    columns: HashMap<String, usize>,
    rows: Vec<csv::StringRecord>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    columns: &'a HashMap<String, usize>,
    record: &'a csv::StringRecord,
}

impl Table {
    pub(super) fn read(folder: &Path, name: &str) -> Result<Self, ScoreError> {
        let path = folder.join(name);
        if !path.exists() {
            return Ok(Self::default());
        }
        let failed = |cause| ScoreError::Table { path: path.clone(), cause };
        let mut reader = csv::Reader::from_path(&path).map_err(failed)?;
        let header = reader.headers().map_err(failed)?;
        let columns = header.iter().enumerate().map(|(position, name)| (name.to_owned(), position)).collect();
        let rows = reader.records().collect::<Result<_, _>>().map_err(failed)?;
        Ok(Self { columns, rows })
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|record| Row { columns: &self.columns, record })
    }
}

impl<'a> Row<'a> {
    /// A cell; empty if there is no such column.
    pub(super) fn text(self, column: &str) -> &'a str {
        self.columns.get(column).and_then(|position| self.record.get(*position)).unwrap_or_default()
    }

    pub(super) fn number(self, column: &str) -> Option<f64> {
        self.text(column).parse().ok()
    }

    pub(super) fn whole(self, column: &str) -> Option<u32> {
        self.text(column).parse().ok()
    }

    /// Value and interval in `name`, `low` and `high`.
    pub(super) fn measured(self, [value, low, high]: [&str; 3]) -> Option<[f64; 3]> {
        Some([self.number(value)?, self.number(low)?, self.number(high)?])
    }
}
