//! Experiments, kernels, assembling, devices, runs and the command line of `gcn-timings`.

pub mod assembler;
pub mod command;
pub mod device;
pub mod experiment;
pub mod kernel;
pub mod llvm;
pub mod run;
