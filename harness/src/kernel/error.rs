//! What can be wrong with a kernel before it is assembled.

use std::path::PathBuf;

/// Why there is no text for a kernel.
#[derive(Debug, thiserror::Error)]
pub enum KernelError {
    /// A template is not well formed, or asks for something that it is not given.
    #[error("template {name}: {problem}")]
    Template {
        /// The template's file name.
        name: String,
        /// The fault, with the line.
        problem: String,
    },
    /// A file of the templates' folder cannot be read.
    #[error("cannot read the template {path}: {cause}; a templates folder needs all files of the one that ships")]
    Read { path: PathBuf, cause: std::io::Error },
}
