//! Buffers and parts of buffers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opencl_sys::*;

use crate::context::Context;
use crate::device_memory::Allocation;
use crate::failure::{Done, Failure, require};
use crate::handle::Handle;
use crate::host_memory::HostMemory;

/// A buffer, or a part of it.
#[derive(Debug)]
pub(crate) struct Buffer {
    /// `cl_mem`.
    pub(crate) handle: Handle,
    /// Where it belongs.
    pub(crate) context: Arc<Context>,
    /// `cl_mem_flags`, complete.
    pub(crate) flags: cl_mem_flags,
    pub(crate) bytes: usize,
    /// The memory that it lies in.
    pub(crate) allocation: Arc<Allocation>,
    /// The whole that it is a part of.
    pub(crate) whole: Option<Arc<Buffer>>,
    /// Where it begins in the whole, bytes.
    pub(crate) origin: usize,
    /// The program's memory that it stands for (`CL_MEM_USE_HOST_PTR`).
    pub(crate) host: Option<HostMemory>,
    /// Where it is mapped.
    pub(crate) mappings: Mutex<Vec<Mapping>>,
}

/// A range of a buffer that the program may touch.
#[derive(Debug)]
pub(crate) struct Mapping {
    /// The program's handle.
    pub(crate) memory: HostMemory,
    /// The bytes themselves, unless they are the program's own.
    pub(crate) _own: Option<Box<[u8]>>,
    /// Where in the buffer it begins, bytes.
    pub(crate) offset: usize,
    /// `cl_map_flags`.
    pub(crate) flags: cl_map_flags,
    /// Whether an unmapping was enqueued.
    pub(crate) is_ending: bool,
}

impl Buffer {
    /// Its first address on the card.
    pub(crate) fn address(&self) -> u64 {
        self.allocation.address + self.origin as u64
    }

    /// Where it is mapped.
    pub(crate) fn mappings(&self) -> MutexGuard<'_, Vec<Mapping>> {
        self.mappings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is mapped and no unmapping was enqueued.
    pub(crate) fn is_mapped(&self) -> bool {
        self.mappings().iter().any(|mapping| !mapping.is_ending)
    }

    /// Checks that a range is inside.
    pub(crate) fn check_range(&self, offset: usize, bytes: usize) -> Done<()> {
        require(bytes > 0, CL_INVALID_VALUE, || "a range of 0 bytes".into())?;
        let end = offset.checked_add(bytes);
        require(end.is_some_and(|end| end <= self.bytes), CL_INVALID_VALUE, || {
            format!("{bytes} bytes from {offset} on, and the buffer has {}", self.bytes)
        })
    }

    /// Checks that the host may do what these flags forbid.
    pub(crate) fn check_host_access(&self, forbidding: cl_mem_flags, what: &str) -> Done<()> {
        let forbidding = forbidding | CL_MEM_HOST_NO_ACCESS;
        require(self.flags & forbidding == 0, CL_INVALID_OPERATION, || {
            format!("the buffer was made with flags {:#x}: the host may not {what} it", self.flags)
        })
    }

    /// The card's content of a range.
    ///
    /// # Errors
    /// The range is not in the card's memory, which would be a mistake of this driver.
    pub(crate) fn load(&self, offset: usize, bytes: usize) -> Done<Vec<u8>> {
        let found = self.context.device.memory.load(self.address() + offset as u64, bytes as u64);
        found.ok_or_else(|| Failure::device(CL_OUT_OF_RESOURCES, "the buffer's memory is not there"))
    }

    /// Puts bytes into the card's memory.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub(crate) fn store(&self, offset: usize, bytes: &[u8]) -> Done<()> {
        let done = self.context.device.memory.store(self.address() + offset as u64, bytes);
        done.ok_or_else(|| Failure::device(CL_OUT_OF_RESOURCES, "the buffer's memory is not there"))
    }
}
