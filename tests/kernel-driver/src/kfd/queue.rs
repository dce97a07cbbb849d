//! A queue: packets and who works on them.

use crate::device::Device;
use crate::kfd::aql::ComputeQueue;
use crate::kfd::pm4::CommandQueue;
use crate::kfd::ring::Progress;
use crate::kfd::sdma::CopyQueue;

/// A queue of either kind.
#[derive(Debug)]
pub(crate) enum Queue {
    /// AQL packets.
    Compute(ComputeQueue),
    /// Packets of the command processor.
    Commands(CommandQueue),
    /// Packets of a copy engine.
    Copy(CopyQueue),
}

impl Queue {
    /// Works on the next packet, if there is one.
    pub(crate) fn step(&mut self, device: &Device) -> Progress {
        match self {
            Self::Compute(queue) => queue.step(device),
            Self::Commands(queue) => queue.step(device),
            Self::Copy(queue) => queue.step(device),
        }
    }

    /// Stops or goes on, as `AMDKFD_IOC_UPDATE_QUEUE` wants.
    pub(crate) fn set_paused(&mut self, is_paused: bool) {
        match self {
            Self::Compute(queue) => queue.is_paused = is_paused,
            Self::Commands(queue) => queue.is_paused = is_paused,
            Self::Copy(queue) => queue.is_paused = is_paused,
        }
    }
}
