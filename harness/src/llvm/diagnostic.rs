//! One message of LLVM's assembler about one line of text.

use std::fmt::{Display, Formatter};

use serde::{Deserialize, Serialize};

/// A message about a place in the assembled text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Line of the text, from 1; 0 where LLVM names none.
    pub line: usize,
    /// Column of the line, from 1; 0 where LLVM names none.
    pub column: usize,
    /// LLVM's message.
    pub message: String,
}

impl Diagnostic {
    /// Reads LLVM's description `<inline asm>:LINE:COLUMN: message`, which the line itself and a caret follow.
    pub(super) fn parse(description: &str) -> Self {
        let first = description.lines().next().unwrap_or_default();
        Self::parse_located(first).unwrap_or_else(|| Self {
            line: 0,
            column: 0,
            message: first.strip_prefix("error: ").unwrap_or(first).to_owned(),
        })
    }

    fn parse_located(first: &str) -> Option<Self> {
        let (line, rest) = first.strip_prefix("<inline asm>:")?.split_once(':')?;
        let (column, message) = rest.split_once(": ")?;
        Some(Self { line: line.parse().ok()?, column: column.parse().ok()?, message: message.to_owned() })
    }
}

impl Display for Diagnostic {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Self { line, column, message } = self;
        if *line == 0 { f.write_str(message) } else { write!(f, "{line}:{column}: {message}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_line_column_and_message() {
        let read = Diagnostic::parse("<inline asm>:3:11: invalid operand: for instruction\nv_add_f64 v0\n   ^\n");
        assert_eq!(read, Diagnostic { line: 3, column: 11, message: "invalid operand: for instruction".to_owned() });
        assert_eq!(read.to_string(), "3:11: invalid operand: for instruction");
    }

    #[test]
    fn keeps_a_message_without_a_place() {
        let read = Diagnostic::parse("Undefined temporary symbol .Lx");
        assert_eq!(read, Diagnostic { line: 0, column: 0, message: "Undefined temporary symbol .Lx".to_owned() });
    }
}
