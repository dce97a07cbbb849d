//! The device: a card of the simulator, its memory, and the faults that are asked of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use gcn_simulated_card::{Card, Faults, Kind};
use gcn_simulator::Configuration;
use opencl_sys::{CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES};

use crate::device_memory::{Allocation, DeviceMemory};
use crate::failure::{Done, Failure};
use crate::handle::Handle;

/// Largest work-group that AMD's driver runs unless it is told otherwise (ROCclr `settings.cpp`, `maxWorkGroupSize_`): below the
/// hardware's 1024.
pub(crate) const MAX_GROUP: usize = 256;
/// Alignment of a buffer's address, and so of a sub-buffer's origin, bytes (ROCclr `device.cpp`: 1024 bits).
pub(crate) const BASE_ALIGNMENT_BYTES: usize = 128;

/// The card as one process has it.
#[derive(Debug)]
pub(crate) struct Device {
    /// `cl_device_id`.
    pub(crate) handle: Handle,
    /// Its facts.
    pub(crate) card: Card,
    /// The simulator's form.
    pub(crate) configuration: Configuration,
    pub(crate) memory: Arc<DeviceMemory>,
    /// Faults that are asked for.
    pub(crate) faults: Faults,
    start: Instant,
    is_gone: AtomicBool,
    launches: AtomicU64,
}

impl Device {
    /// A card that was just started.
    pub(crate) fn new(card: Card, faults: Faults) -> Self {
        Self {
            handle: Handle::new(),
            configuration: Configuration::of(&card.gpu),
            memory: Arc::default(),
            faults,
            start: Instant::now(),
            is_gone: AtomicBool::new(false),
            launches: AtomicU64::new(0),
            card,
        }
    }

    /// The target with its settings, as code objects name it: gfx9 cards run with XNACK off, gfx906 has SRAM-ECC off unless
    /// the kernel driver says otherwise (LLVM `AMDGPUUsage.rst`, "Target ID"; ROCr `isa.cpp`).
    pub(crate) fn target_id(&self) -> String {
        let target = &self.card.gpu.gfx_target;
        match self.card.version {
            [9, 0, 6] => format!("{target}:sramecc-:xnack-"),
            [9, ..] => format!("{target}:xnack-"),
            _ => target.clone(),
        }
    }

    /// LDS that a work-group can have, bytes.
    pub(crate) fn lds_bytes(&self) -> u64 {
        u64::from(self.card.gpu.lds.max_group.0)
    }

    /// Nanoseconds since the device was started, never 0.
    pub(crate) fn nanoseconds(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64 + 1
    }

    /// The number of the next launch: the simulator's clock runs by it.
    pub(crate) fn next_launch(&self) -> u64 {
        self.launches.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether the device is gone.
    pub(crate) fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Acquire)
    }

    /// The device is lost: everything fails from now on.
    pub(crate) fn lose(&self) {
        self.is_gone.store(true, Ordering::Release);
    }

    /// Fails if the device is gone.
    pub(crate) fn check(&self) -> Done<()> {
        if self.is_gone() { Err(Failure::device(CL_OUT_OF_RESOURCES, "the device is gone")) } else { Ok(()) }
    }

    /// Allocates memory of the card for the program.
    pub(crate) fn allocate(&self, bytes: u64) -> Done<Allocation> {
        self.check()?;
        let refused = |reason: String| Failure::device(CL_MEM_OBJECT_ALLOCATION_FAILURE, reason);
        if self.faults.allocation(bytes) == Some(Kind::OutOfMemory) {
            return Err(refused(format!("{bytes} bytes: GCN_TIMINGS_FAULT asks for it")));
        }
        self.memory.allocate(bytes).ok_or_else(|| refused(format!("{bytes} bytes: the host has not so many")))
    }
}
