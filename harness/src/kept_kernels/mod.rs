//! Code objects that were assembled and checked when the program was packed, for machines without LLVM.

mod archive;
mod error;
mod target_ids;
mod writer;

pub use archive::KeptKernels;
pub use error::KeptKernelsError;
pub use target_ids::target_ids;
pub use writer::write_kept_kernels;
