//! A queue: a ring of packets and who works on it.

use crate::device::Device;
use crate::kfd::aql::ComputeQueue;
use crate::kfd::sdma::CopyQueue;
use crate::memory_map::{MemoryMap, Unmapped};
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
    /// The doorbell.
    pub(crate) doorbell: Place,
}

impl Ring {
    /// Reads bytes at an index, which counts bytes and never turns back; they may go around the end.
    pub(crate) fn read(&self, memory: &MemoryMap, index: u64, into: &mut [u8]) -> Result<(), Unmapped> {
        let at = index % self.bytes;
        let first = into.len().min((self.bytes - at) as usize);
        let (before, after) = into.split_at_mut(first);
        memory.read(self.base + at, before)?;
        memory.read(self.base, after)
    }
}

/// A queue of either kind.
#[derive(Debug)]
pub(crate) enum Queue {
    /// AQL packets.
    Compute(ComputeQueue),
    /// Packets of a copy engine.
    Copy(CopyQueue),
}

impl Queue {
    /// Works on the next packet, if there is one.
    pub(crate) fn step(&mut self, device: &Device) -> Progress {
        match self {
            Self::Compute(queue) => queue.step(device),
            Self::Copy(queue) => queue.step(device),
        }
    }

    /// Stops or goes on, as `AMDKFD_IOC_UPDATE_QUEUE` wants.
    pub(crate) fn set_paused(&mut self, is_paused: bool) {
        match self {
            Self::Compute(queue) => queue.is_paused = is_paused,
            Self::Copy(queue) => queue.is_paused = is_paused,
        }
    }
}
