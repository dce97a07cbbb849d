//! A simulated AMD GPU under the kernel driver's interface.
//!
//! Loaded with `LD_PRELOAD`, this library replaces `/dev/kfd`, its topology in sysfs and the render node of a
//! GPU; the user space above it is the distribution's own, unmodified: ROCm (thunk, ROCr, HIP, comgr, their loaders), and
//! Mesa's OpenCL (libdrm, radeonsi, clover). What that dispatches is executed by `gcn-simulator`.
//! `docs/simulated-driver.md` says how to use it.
//!
//! The library defines `open`, `fopen`, `stat`, `ioctl` and similar functions, and calls the originals for other files. Both
//! device files are one sparse file in memory, so `mmap` shares memory with the simulated GPU. Sysfs and `/dev/dri` are a
//! temporary folder, removed at exit. Memory is read when a kernel touches it, and changes are written at its end.
//!
//! Mesa starts a program by registers, ROCm by an AQL packet. A program with `amd_kernel_code_t` before it is one that clover
//! loaded: it counts as a launch. Graphics packets have no effect; an unknown packet resets the GPU.
//!
//! # Sources
//! * ROCm's requests and their structures: Linux, `include/uapi/linux/kfd_ioctl.h` (version 1.11).
//! * Queues and signals: ROCr's public headers `amd_hsa_queue.h` and `amd_hsa_signal.h`; packets: the HSA System
//!   Architecture Specification 1.2, chapter 2.9 and the `hsa.h` of ROCr 5.2.
//! * SDMA packets: Linux, `drivers/gpu/drm/amd/amdgpu/vega10_sdma_pkt_open.h`.
//! * Mesa's requests: Linux, `include/uapi/drm/drm.h` and `amdgpu_drm.h`; its packets: Mesa 22.3, `src/amd/common/sid.h`.
//! * Further needs of the user space were found by experiment, and are stated where they are used.
//!
//! Never link the rlib into a program: the functions of [`interposition`] would come along. On other systems than Linux on x86-64
//! the library is empty.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod clock;
mod device;
mod driver;
mod drm;
pub mod interposition;
mod ioctl;
mod kfd;
mod memory_map;
mod original;
mod place;
mod pm4;
mod record;
mod report;
mod stop;
mod store;
mod sysfs;
mod unknown;
