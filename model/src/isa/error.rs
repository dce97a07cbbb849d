//! What can be wrong with the files of a generation.

use super::OperandError;
use super::data_file::DataFile;

/// A file of a generation that cannot be read; names the file and, where there is one, the line.
#[derive(Debug, thiserror::Error)]
pub enum IsaError {
    /// A file that is not there.
    #[error("{folder}: there is no {file}; a generation has one (model/data/generations/README.md)")]
    Missing {
        /// The generation's folder.
        folder: String,
        file: &'static str,
    },
    /// Not a TOML file with the keys that a generation has.
    #[error("{file}: {source}")]
    Toml {
        file: String,
        /// The TOML reader's message, with the line.
        source: Box<toml::de::Error>,
    },
    /// Not a CSV file with the columns that it should have.
    #[error("{file}: {source}")]
    Csv {
        file: String,
        /// The CSV reader's message, with the line.
        source: csv::Error,
    },
    /// A bad value in one column.
    #[error("{file}, line {line}, column {column}: `{value}`: {expected}")]
    Value {
        file: String,
        /// Line in the file, counted from 1.
        line: u64,
        /// The column's name in the header.
        column: &'static str,
        /// The cell's text.
        value: String,
        /// The expected text.
        expected: &'static str,
    },
    /// A bad operand.
    #[error("{file}, line {line}, column operands: {source}")]
    Operand {
        file: String,
        /// Line in the file, counted from 1.
        line: u64,
        source: OperandError,
    },
    /// Two rows of a generation that have a name or an opcode in common.
    #[error(
        "{file}, line {line}: {first} and {second} have the same {what}; give one of them another, take it out, or name features that no target has both of"
    )]
    Twice {
        file: String,
        /// Line of the second one, counted from 1.
        line: u64,
        /// `name` or `opcode`.
        what: &'static str,
        /// The row that came first.
        first: String,
        /// The row that came second.
        second: String,
    },
    /// A generation of a name that another one has.
    #[error("{name}: there is a generation of this name; give the new one another")]
    Known { name: String },
}

impl IsaError {
    pub(super) fn value(
        file: &DataFile<'_>,
        line: u64,
        column: &'static str,
        value: &str,
        expected: &'static str,
    ) -> Self {
        Self::Value { file: file.0.to_owned(), line, column, value: value.to_owned(), expected }
    }
}
