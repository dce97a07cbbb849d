//! A strict stand-in for AMD's OpenCL driver, on the simulator of a GCN GPU.
//!
//! The ICD loader loads this library through an `.icd` file. It shows one platform with one card of GCN 1.2 or later, takes
//! AMDHSA code objects through `clCreateProgramWithBinary`, as ROCm's OpenCL does, and executes them with `gcn-simulator`. Each
//! argument of each call is checked; what breaks a rule ends the process. `tests/simulated-card/README.md` says how to use it.
//!
//! # Sources
//! * Rules and error codes: the OpenCL Specification 1.2 (Khronos), chapters 4 and 5. Loading: `cl_khr_icd`, in the extension
//!   specification. Types, constants and the order of the dispatch table: Khronos's headers, as the crate `opencl-sys` has them.
//! * What AMD's driver shows: `cl_amd_device_attribute_query`, and facts §5.2 and §5.3 on targets and code objects.
//! * Code objects, metadata, kernel arguments: LLVM `AMDGPUUsage.rst`, code object version 4.
//!
//! On other systems than Linux on x86-64 the library is empty.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod answer;
mod api;
mod arguments;
mod buffer;
mod call;
mod code;
mod command;
mod context;
mod device;
mod device_memory;
mod dispatch;
mod driver;
pub mod entry;
mod event;
mod execution;
mod failure;
mod handle;
mod host_memory;
mod image;
mod kernel;
mod launch;
mod metadata;
mod object_table;
mod packing;
mod preparation;
mod program;
mod queue;
mod raw;
mod refusal;
mod report;
mod rules;
mod table;
