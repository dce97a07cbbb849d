//! Why code that a user brings cannot be used.

use std::fmt::{Display, Formatter};

use crate::llvm::{AssembleError, MOST_ERRORS};

/// More lines than this say nothing new: the file is for something else.
const MOST_LINES: usize = 10;
/// The most characters that are shown of a line.
const MOST_CHARACTERS: usize = 200;

/// Why code that a user brings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// Lines that are wrong; each names its file.
    #[error("{}", first_lines(.0))]
    Lines(Vec<TextProblem>),
    /// LLVM cannot assemble the text at all.
    #[error(transparent)]
    Assemble(AssembleError),
    /// The machine code is for another GPU.
    #[error("it is for {of_file}, but {gpu} is {of_gpu}: name a GPU of that target with --gpu")]
    OtherProcessor {
        of_file: String,
        gpu: String,
        /// The target of the GPU.
        of_gpu: String,
    },
    /// There is no kernel of a name.
    #[error("it has no kernel {name}; {instead}")]
    NoSuchKernel {
        name: String,
        /// The kernels that there are.
        instead: String,
    },
    /// There are several kernels, and none is named.
    #[error("it has {count} kernels, choose one with --kernel: {names}")]
    SeveralKernels {
        count: usize,
        /// The first of them.
        names: String,
    },
    /// A region that was chosen and is not there.
    #[error("{0}")]
    Region(String),
    /// The file's format is unknown, or it is damaged.
    #[error("{0}")]
    Object(String),
}

/// A problem of a line of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextProblem {
    pub file: String,
    /// From 1; 0 where no line is named.
    pub line: usize,
    /// From 1; 0 where no column is named.
    pub column: usize,
    pub message: String,
    /// The line itself.
    pub text: String,
    /// Its meaning, if it is for another assembler.
    pub hint: Option<String>,
}

impl Display for TextProblem {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Self { file, line, column, message, text, hint } = self;
        match (line, column) {
            (0, _) => return write!(f, "{file}: {message}"),
            (_, 0) => write!(f, "{file}:{line}: {message}")?,
            _ => write!(f, "{file}:{line}:{column}: {message}")?,
        }
        if let Some(hint) = hint {
            write!(f, "\n  {hint}")?;
        }
        let shown: String = text.chars().take(MOST_CHARACTERS).collect();
        let more = if shown.len() < text.len() { "…" } else { "" };
        write!(f, "\n    {shown}{more}")?;
        let Some(before) = column.checked_sub(1).filter(|before| *before < MOST_CHARACTERS) else { return Ok(()) };
        // Tabs stay, so that the mark is below its place.
        let space = text.chars().take(before).map(|it| if it == '\t' { '\t' } else { ' ' });
        write!(f, "\n    {}^", space.collect::<String>())
    }
}

impl CodeError {
    /// Whether another text of the same lines meets it as well: what assembles has no time left, or cannot start.
    pub(super) fn is_of_all(&self) -> bool {
        matches!(self, Self::Assemble(AssembleError::Limit(_) | AssembleError::Process(_)))
    }

    /// Whether its words begin with the file.
    pub fn names_file(&self) -> bool {
        matches!(self, Self::Lines(_))
    }
}

fn first_lines(lines: &[TextProblem]) -> String {
    let mut told: Vec<String> = lines.iter().take(MOST_LINES).map(ToString::to_string).collect();
    if let Some(more) = lines.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        let at_least = if lines.len() < MOST_ERRORS { "" } else { "at least " };
        told.push(format!("and {at_least}{more} more"));
    }
    told.join("\n")
}
