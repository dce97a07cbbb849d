//! Lines that do not assemble.

use super::{Origin, Text};
use crate::llvm::{AssembleError, LinkError};
use std::fmt::{Display, Formatter};

/// As many errors are shown; one mistake in a template is often a mistake in a thousand kernels.
const SHOWN: usize = 20;

/// A line that does not assemble.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    /// Where the line comes from; `None` if LLVM names no line.
    pub origin: Option<Origin>,
    pub message: String,
    /// The line as rendered.
    pub line: String,
    /// Column of the line, from 1, where known.
    pub column: Option<usize>,
    /// The line's kernel, if it has one.
    pub kernel: Option<String>,
}

impl LineError {
    /// An error of a line of a text, which is counted from 0.
    pub(super) fn at(text: &Text, line: usize, message: String) -> Self {
        let rendered = text.as_str().lines().nth(line).unwrap_or_default().to_owned();
        Self { origin: text.origin(line), message, line: rendered, column: None, kernel: None }
    }

    /// The same in a kernel.
    pub(super) fn in_kernel(self, kernel: Option<&str>) -> Self {
        Self { kernel: kernel.map(str::to_owned), ..self }
    }

    /// As above, at a column, counted from 1; 0 means no column.
    pub(super) fn at_column(self, column: usize) -> Self {
        Self { column: Some(column).filter(|column| *column > 0), ..self }
    }
}

impl Display for LineError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match &self.origin {
            Some(origin) => write!(f, "{origin}: {}", self.message)?,
            None => f.write_str(&self.message)?,
        }
        if let Some(kernel) = &self.kernel {
            write!(f, " (in kernel {kernel})")?;
        }
        if !self.line.is_empty() {
            write!(f, "\n    {}", self.line)?;
        }
        if let Some(column) = self.column {
            // Tabs stay tabs, so that the caret stands below its column.
            let blank = |c: char| if c == '\t' { '\t' } else { ' ' };
            let before: String = self.line.chars().take(column.saturating_sub(1)).map(blank).collect();
            write!(f, "\n    {before}^")?;
        }
        Ok(())
    }
}

/// A module that does not become a code object.
#[derive(Debug, thiserror::Error)]
pub enum AssemblyError {
    /// Lines that are wrong, in the order of the module.
    #[error("{}", Shown(.0))]
    Lines(Vec<LineError>),
    /// LLVM failed, other than on a line.
    #[error(transparent)]
    Llvm(#[from] AssembleError),
    /// The objects do not link.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// LLVM's object is not laid out as was computed here: a defect of this program.
    #[error("the assembler's layout of {kernels} disagrees with LLVM: {message}; please report this")]
    Layout {
        /// First and last kernel of the object.
        kernels: String,
        /// What disagrees.
        message: String,
    },
}

struct Shown<'a>(&'a [LineError]);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        for (index, error) in self.0.iter().take(SHOWN).enumerate() {
            write!(f, "{}{error}", if index == 0 { "" } else { "\n" })?;
        }
        match self.0.len().checked_sub(SHOWN) {
            Some(more @ 1..) => write!(f, "\n… and {more} more"),
            _ => Ok(()),
        }
    }
}

/// The errors, if there are any.
pub(super) fn fail_on(errors: Vec<LineError>) -> Result<(), AssemblyError> {
    if errors.is_empty() { Ok(()) } else { Err(AssemblyError::Lines(errors)) }
}
