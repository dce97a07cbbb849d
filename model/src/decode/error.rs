//! Why words are not an instruction.

use std::fmt;

use crate::isa::Generation;

/// Words that do not decode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No instruction of the generation has this encoding.
    #[error("{address:#x}: {} is not an instruction of {}", Words(.words), .generation.title())]
    NotAnInstruction {
        /// Byte address of the first word.
        address: u64,
        /// The generation asked for.
        generation: Generation,
        /// The words from there on, two at most.
        words: Vec<u32>,
    },
    /// The code ends inside an instruction.
    #[error("{address:#x}: the code ends inside an instruction of {} that begins with {}", .generation.title(), Words(.words))]
    Truncated {
        /// Byte address of the first word.
        address: u64,
        /// The generation asked for.
        generation: Generation,
        /// The words that are there; none if the code ended before.
        words: Vec<u32>,
    },
}

struct Words<'a>(&'a [u32]);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing");
        }
        for (n, word) in self.0.iter().enumerate() {
            write!(f, "{}{word:08X}", if n == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}
