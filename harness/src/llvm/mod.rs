//! LLVM's AMDGPU assembler and disassembler through its C interface, and the LLD linker.
//!
//! LLVM's shared library is loaded at run time, from wherever the machine has one ([`Llvm::find`]).

mod api;
mod assemble;
mod diagnostic;
mod disassembler;
mod error;
pub(crate) mod limited;
mod linker;
mod metadata_note;
mod place;
mod search;
mod target;

pub use diagnostic::Diagnostic;
pub use disassembler::Disassembler;
pub use error::{AssembleError, DisassemblerError, LinkError, LinkerError, LlvmError, Refusal};
pub use linker::Linker;
pub use search::Llvm;
