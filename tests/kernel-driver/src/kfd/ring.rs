//! The ring of packets of a queue.

use crate::memory_map::{MemoryMap, NoAccess};
use crate::place::Place;

/// What came of looking at a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// A packet is done.
    Worked,
    /// There is nothing to do, or what there is has to wait.
    Waiting,
}

/// Where a queue is, as `AMDKFD_IOC_CREATE_QUEUE` says; addresses are the GPU's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ring {
    /// First packet.
    pub(crate) base: u64,
    /// Bytes, a power of two.
    pub(crate) bytes: u64,
    /// Where the read index is told.
    pub(crate) read_pointer: u64,
    pub(crate) doorbell: Place,
}

impl Ring {
    /// Reads bytes at an index, which counts bytes and never turns back; they may go around the end.
    pub(crate) fn read(&self, memory: &MemoryMap, index: u64, into: &mut [u8]) -> Result<(), NoAccess> {
        let at = index % self.bytes;
        let first = into.len().min((self.bytes - at) as usize);
        let (before, after) = into.split_at_mut(first);
        memory.read(self.base + at, before)?;
        memory.read(self.base, after)
    }
}
