//! The kernel descriptor: 64 bytes that state the registers and LDS of a kernel for the dispatcher.
//!
//! Source: LLVM `AMDGPUUsage.rst`, "Kernel Descriptor" (code object V3 and later).

use super::ProgramRegisters;
use crate::isa::Generation;

/// A kernel descriptor, field by field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelDescriptor {
    /// LDS of a work-group, bytes, as fixed at assembly.
    pub group_segment_bytes: u32,
    /// Scratch of a work-item, bytes.
    pub private_segment_bytes: u32,
    /// Kernel arguments, bytes.
    pub kernarg_bytes: u32,
    /// Distance from the descriptor to the first instruction, bytes.
    pub entry_offset: i64,
    /// Registers, LDS and modes.
    pub registers: ProgramRegisters,
    /// Which user SGPRs the kernel wants.
    pub code_properties: u16,
}

impl KernelDescriptor {
    /// Size of a descriptor in bytes.
    pub const BYTES: usize = 64;

    /// Reads a descriptor from its 64 little-endian bytes.
    pub fn read(bytes: &[u8; Self::BYTES]) -> Self {
        let u32_at = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        Self {
            group_segment_bytes: u32_at(0),
            private_segment_bytes: u32_at(4),
            kernarg_bytes: u32_at(8),
            entry_offset: i64::from_le_bytes(std::array::from_fn(|i| bytes[16 + i])),
            registers: ProgramRegisters { rsrc1: u32_at(48), rsrc2: u32_at(52), rsrc3: u32_at(44) },
            code_properties: u16::from_le_bytes([bytes[56], bytes[57]]),
        }
    }

    /// Lanes of the kernel's waves: ENABLE_WAVEFRONT_SIZE32 says it where waves can have several sizes.
    pub fn wave_size(&self, generation: Generation) -> u32 {
        match generation.waves.sizes.as_slice() {
            [only] => *only,
            _ if self.code_properties >> 10 & 1 == 1 => 32,
            _ => 64,
        }
    }

    /// Whether the first user SGPRs hold the private segment buffer.
    pub fn wants_private_segment_buffer(&self) -> bool {
        self.code_properties & 1 == 1
    }

    /// Whether user SGPRs hold the dispatch packet's address.
    pub fn wants_dispatch_pointer(&self) -> bool {
        self.code_properties >> 1 & 1 == 1
    }

    /// Whether user SGPRs hold the queue's address.
    pub fn wants_queue_pointer(&self) -> bool {
        self.code_properties >> 2 & 1 == 1
    }

    /// Whether user SGPRs hold the address of the kernel arguments.
    pub fn wants_kernarg_pointer(&self) -> bool {
        self.code_properties >> 3 & 1 == 1
    }

    /// Whether user SGPRs hold the number of the dispatch.
    pub fn wants_dispatch_id(&self) -> bool {
        self.code_properties >> 4 & 1 == 1
    }

    /// Whether user SGPRs hold what FLAT_SCRATCH is made of.
    pub fn wants_flat_scratch_init(&self) -> bool {
        self.code_properties >> 5 & 1 == 1
    }

    /// Whether a user SGPR holds the scratch bytes of a work-item.
    pub fn wants_private_segment_size(&self) -> bool {
        self.code_properties >> 6 & 1 == 1
    }
}
