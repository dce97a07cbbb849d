//! What makes objects of text.

use crate::llvm::{AssembleError, Llvm};
use std::fmt::Debug;

/// Makes a relocatable ELF object of assembly text: LLVM, or a stand-in for targets that LLVM does not know.
pub trait Encoder: Debug + Send + Sync {
    /// The object of a text for a target.
    ///
    /// # Errors
    /// Every line that is wrong, an unknown target.
    fn assemble(&self, target: &str, text: &str) -> Result<Vec<u8>, AssembleError>;
}

impl Encoder for Llvm {
    fn assemble(&self, target: &str, text: &str) -> Result<Vec<u8>, AssembleError> {
        Self::assemble(self, target, text)
    }
}
