//! Why words are not an instruction.

use std::fmt;

use crate::isa::Processor;

/// Words that do not decode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No instruction of the processor has this encoding.
    #[error("{address:#x}: {} is not an instruction of {}", Words(.words), Owner(*.processor))]
    NotAnInstruction {
        /// Byte address of the first word.
        address: u64,
        /// The processor asked for.
        processor: Processor,
        /// The words from there on, two at most.
        words: Vec<u32>,
    },
    /// The code ends inside an instruction.
    #[error("{address:#x}: the code ends inside an instruction of {} that begins with {}", Owner(*.processor), Words(.words))]
    Truncated {
        /// Byte address of the first word.
        address: u64,
        /// The processor asked for.
        processor: Processor,
        /// The words that are there; none if the code ended before.
        words: Vec<u32>,
    },
}

/// `GCN 1.4 (gfx906)`: processors of the same generation differ in some instructions.
struct Owner(Processor);

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0.generation.title(), self.0.name())
    }
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
