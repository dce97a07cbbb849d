//! Experiments, kernels, assembling, devices, runs and the command line of `gcn-timings`.

pub mod assembler;
pub mod llvm;
