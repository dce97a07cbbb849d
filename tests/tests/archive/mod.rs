//! The program as `packaging/build` packs it, in a root that has nothing else: the C library alone, and with ROCm 7.2's libraries.

mod completions;
mod packed;
mod rocm;
mod root;
mod without_llvm;
