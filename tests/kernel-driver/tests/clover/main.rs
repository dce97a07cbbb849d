//! Debian's clover, Mesa's OpenCL, on the simulated GPU: what `clinfo` and a program of OpenCL see.
//!
//! Without the packages each test says that it is skipped; with `GCN_TIMINGS_NEED_OPENCL=1` that is a failure.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod faults;
mod information;
mod kernels;
#[path = "../preloaded/mod.rs"]
mod preloaded;
mod program;
mod sync_objects;
