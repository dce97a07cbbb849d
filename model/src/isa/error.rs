//! What can be wrong with an ISA file.

use super::{Generation, OperandError};

/// An ISA file that cannot be read; names the file and the line.
#[derive(Debug, thiserror::Error)]
pub enum IsaError {
    /// Not a CSV file with the columns that its encoding has.
    #[error("{file}: {source}")]
    Csv {
        /// The file.
        file: &'static str,
        /// What the CSV reader says, with the line.
        source: csv::Error,
    },
    /// A bad value in one column.
    #[error("{file}, line {line}, column {column}: `{value}`: {expected}")]
    Value {
        /// The file.
        file: &'static str,
        /// Line in the file, counted from 1.
        line: u64,
        /// The column's name in the header.
        column: &'static str,
        /// What stands there.
        value: String,
        /// What has to stand there.
        expected: &'static str,
    },
    /// A bad operand.
    #[error("{file}, line {line}, column operands: {source}")]
    Operand {
        /// The file.
        file: &'static str,
        /// Line in the file, counted from 1.
        line: u64,
        /// What is wrong with it.
        source: OperandError,
    },
    /// Two rows that have a name or an opcode in common in one generation.
    #[error("{file}: {first} and {second} have the same {what} in GCN {}; give one of them another, or none there", .generation.name())]
    Twice {
        /// The file.
        file: &'static str,
        /// `name` or `opcode`.
        what: &'static str,
        /// The row that came first.
        first: String,
        /// The row that came second.
        second: String,
        /// The generation in which they meet.
        generation: Generation,
    },
}
