//! The strict OpenCL driver under the real ICD loader: right uses, wrong ones, leaks, faults.
//!
//! Without an ICD loader each test says that it is skipped; with `GCN_TIMINGS_NEED_OPENCL=1` that is a failure.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod code_object;
mod faults;
mod host;
mod listing;
mod mistakes;
mod results;
