//! The user SGPRs of an AMDHSA kernel: COMPUTE_USER_DATA_0 and up, as the packet processor fills them.
//!
//! Source: LLVM `AMDGPUUsage.rst`, "Initial Kernel Execution State" (SGPR register set up order) and "Flat Scratch".

use crate::dispatch::scratch::ScratchArea;
use gcn_model::code_object::KernelDescriptor;
use gcn_model::isa::Processor;

/// What user SGPRs can hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Pointers {
    /// Kernel arguments.
    pub kernarg: u64,
    /// The AQL packet.
    pub packet: u64,
    /// The queue (`amd_queue_t`).
    pub queue: u64,
    /// The number of the dispatch.
    pub dispatch_id: u64,
}

impl Pointers {
    /// The kernel descriptor's requests, in order.
    pub(crate) fn user_data(
        &self,
        descriptor: &KernelDescriptor,
        scratch: &ScratchArea,
        processor: Processor,
    ) -> Vec<Option<u32>> {
        let mut user_data = Vec::new();
        if descriptor.wants_private_segment_buffer() {
            user_data.extend(scratch.descriptor(processor));
        }
        for (is_wanted, value) in [
            (descriptor.wants_dispatch_pointer(), self.packet),
            (descriptor.wants_queue_pointer(), self.queue),
            (descriptor.wants_kernarg_pointer(), self.kernarg),
            (descriptor.wants_dispatch_id(), self.dispatch_id),
            (descriptor.wants_flat_scratch_init(), scratch.flat_scratch_init(processor.generation)),
        ] {
            if is_wanted {
                user_data.extend([value as u32, (value >> 32) as u32]);
            }
        }
        if descriptor.wants_private_segment_size() {
            user_data.push(scratch.item_bytes);
        }
        user_data.into_iter().map(Some).collect()
    }
}
