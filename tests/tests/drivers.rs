//! Launches through HIP and OpenCL on the simulated drivers, and devices that fail.

mod clover;
mod clover_module;
mod device_faults;
mod hip;
mod hip_without_card;
mod opencl_amd;
mod opencl_suites;
mod opencl_without_card;
mod peer_suites;
mod rocm_versions;
mod simulated_programs;
