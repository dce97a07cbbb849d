//! Why code that a user brings cannot be used.

use crate::llvm::{AssembleError, Diagnostic};

/// More lines than this say nothing new: the file is for something else.
const MOST_LINES: usize = 10;

/// Why code that a user brings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// A marker that is not where it can be.
    #[error("line {line}: {problem}")]
    Marker {
        /// Line of the text, from 1.
        line: usize,
        problem: String,
    },
    /// Lines that LLVM refuses.
    #[error("{}", first_lines(.0))]
    Lines(Vec<Diagnostic>),
    /// LLVM cannot assemble the text at all.
    #[error(transparent)]
    Assemble(AssembleError),
    /// The machine code is for another GPU.
    #[error("it is for {of_file}, and {gpu} is {of_gpu}: name a GPU of that target with --gpu")]
    OtherProcessor {
        /// What it is for.
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
    /// The file is none that is known here, or damaged.
    #[error("{0}")]
    Object(String),
}

impl From<AssembleError> for CodeError {
    fn from(error: AssembleError) -> Self {
        match error {
            AssembleError::Text(lines) => Self::Lines(lines),
            other => Self::Assemble(other),
        }
    }
}

fn first_lines(lines: &[Diagnostic]) -> String {
    let mut told: Vec<String> = lines.iter().take(MOST_LINES).map(ToString::to_string).collect();
    if let Some(more) = lines.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        told.push(format!("and {more} more"));
    }
    told.join("\n")
}
