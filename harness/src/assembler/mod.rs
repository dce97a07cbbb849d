//! From kernels as text to one linked code object, fast: every distinct instruction is encoded once.
//!
//! The kernels of a run differ in few lines. Each distinct instruction line is encoded by LLVM once per target; the code
//! is laid out here (labels, alignment, data, repetition, branch distances) and written into the objects that LLVM makes
//! of everything else: symbols, kernel descriptors, metadata. LLVM gives every byte and checks every line; the tests
//! compare with LLVM's result for the whole text. What cannot be laid out here goes to LLVM whole.

mod assemble;
mod comment;
mod directive;
mod encoder;
mod encoding;
mod error;
mod job;
mod kernel;
mod layout;
mod line;
mod metadata;
mod object_file;
mod parse;
mod source;
mod statement;
mod text;

pub use assemble::Assembler;
pub use encoder::Encoder;
pub use error::{AssemblyError, LineError};
pub use source::{KernelSource, ModuleSource};
pub use text::{Origin, Text};
