//! Debian's ROCm user space on the simulated GPU: what `rocminfo` and programs of HIP see.
//!
//! Without the packages each test says that it is skipped; with `GCN_TIMINGS_NEED_ROCM=1` that is a failure.

mod information;
mod program;
