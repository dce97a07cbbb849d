//! LLVM's AMDGPU assembler and disassembler through its C interface, and the LLD linker.
//!
//! LLVM's shared library is loaded at run time, from wherever the machine has one ([`Llvm::find`]). The text of a user is assembled in a
//! process of its own ([`ConfinedLlvm`]): LLVM ends its process at some texts, and never ends at others.

mod api;
mod assemble;
mod confined;
mod confined_process;
mod diagnostic;
mod disassembler;
mod error;
pub(crate) mod limited;
mod linker;
mod metadata_note;
mod place;
mod search;
mod target;
mod text_limits;

pub use confined::ConfinedLlvm;
pub(crate) use confined_process::MOST_ERRORS;
pub use confined_process::serve_text;
pub use diagnostic::Diagnostic;
pub use disassembler::Disassembler;
pub use error::{AssembleError, DisassemblerError, LinkError, LinkerError, LlvmError, Refusal};
pub use linker::Linker;
pub use search::Llvm;
pub use text_limits::TextLimits;
