//! Kernels of a code object as Mesa's clover loads them: its program binary, with an ELF file in it, with headers in that.
//!
//! Machine code, registers and kernel arguments are those of the AMDHSA code object; only their container differs. Clover
//! checks none of it: an error here is undefined behaviour there.
//!
//! Sources: Mesa 22.3.6 and 25.0.7, `clover/core/binary.{hpp,cpp}`, `amd/common/ac_rtld.c`, `radeonsi/si_compute.c`.

mod elf;
mod kernel_header;
mod module;

pub use module::{CloverKernel, clover_module};
