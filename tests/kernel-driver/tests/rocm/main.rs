//! Debian's ROCm user space on the simulated GPU: what `rocminfo` and programs of HIP see.
//!
//! Without the packages each test says that it is skipped; with `GCN_TIMINGS_NEED_ROCM=1` that is a failure.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod faults;
mod information;
#[path = "../preloaded/mod.rs"]
mod preloaded;
mod program;
mod transfers;
