//! Needs of a kernel: from its descriptor, and from the metadata where the descriptor is silent.

use super::{KernelDescriptor, KernelMetadata};
use crate::isa::{AccumulationRegisters, Generation, GroupMode, Processor};
use crate::quantity::Bytes;

/// Needs of a kernel.
///
/// Loaders take the arguments' size from the metadata, and hand-written kernels leave fields of the descriptor at 0: each number is the
/// descriptor's, or else the metadata's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelNeeds {
    /// `None` where only the metadata speaks of the kernel.
    pub descriptor: Option<KernelDescriptor>,
    pub metadata: Option<KernelMetadata>,
}

/// Vector registers of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorRegisters {
    /// Of the VGPRs' file, the AGPRs included where they are in it.
    pub file: u32,
    /// AGPRs, in whatever file.
    pub agprs: u32,
}

impl VectorRegisters {
    /// The registers of code that names these VGPRs and AGPRs.
    ///
    /// In one file the AGPRs begin at a multiple of four: LLVM 22.1 `AMDGPUBaseInfo.cpp`, getTotalNumVGPRs.
    pub fn of_named(processor: Processor, vgprs: u32, agprs: u32) -> Self {
        let file = match processor.generation.descriptor.accumulation_registers {
            Some(AccumulationRegisters::Unified) if agprs > 0 => vgprs.next_multiple_of(4) + agprs,
            // Two files are given out alike.
            _ => vgprs.max(agprs),
        };
        Self { file, agprs }
    }
}

impl KernelNeeds {
    /// Lanes of its waves; `None` where nothing says so and there are several sizes.
    pub fn wave_size(&self, generation: Generation) -> Option<u32> {
        let of_metadata = self.metadata.as_ref().and_then(|metadata| metadata.wave_size);
        let of_descriptor = self.descriptor.map(|descriptor| descriptor.wave_size(generation));
        of_descriptor.or(of_metadata).filter(|lanes| generation.waves.sizes.contains(lanes))
    }

    /// Where its work-groups may run.
    pub fn group_mode(&self, generation: Generation) -> GroupMode {
        self.descriptor.map_or(GroupMode::ComputeUnit, |descriptor| descriptor.registers.group_mode(generation))
    }

    /// Its vector registers, in the granules of the descriptor.
    pub fn vector_registers(&self, processor: Processor) -> Option<VectorRegisters> {
        let facts = processor.descriptor();
        if let Some(descriptor) = self.descriptor {
            let file = descriptor.registers.vgprs(&facts);
            return Some(VectorRegisters { file, agprs: descriptor.registers.vector_file(&facts).agprs });
        }
        let metadata = self.metadata.as_ref()?;
        let agprs = metadata.agprs.unwrap_or(0);
        // `.vgpr_count` is that of the whole file.
        Some(VectorRegisters { file: metadata.vgprs?.max(agprs).max(1), agprs })
    }

    /// Its scalar registers, in the granules of the descriptor.
    pub fn sgprs(&self, processor: Processor) -> Option<u32> {
        let facts = processor.descriptor();
        let of_metadata = || Some(facts.sgprs_of_a_wave.unwrap_or(self.metadata.as_ref()?.sgprs?.max(1)));
        self.descriptor.map(|descriptor| descriptor.registers.sgprs(&facts)).or_else(of_metadata)
    }

    /// LDS of a work-group, without the part added at a launch.
    pub fn group_lds(&self) -> Bytes {
        self.bytes(|descriptor| descriptor.group_segment_bytes, |metadata| metadata.group_lds)
    }

    /// Kernel arguments.
    pub fn kernarg(&self) -> Bytes {
        self.bytes(|descriptor| descriptor.kernarg_bytes, |metadata| metadata.kernarg)
    }

    /// Bytes that the descriptor gives, or else the metadata.
    fn bytes(
        &self,
        of_descriptor: impl Fn(&KernelDescriptor) -> u32,
        of_metadata: impl Fn(&KernelMetadata) -> Option<Bytes>,
    ) -> Bytes {
        let given = self.descriptor.as_ref().map(|descriptor| Bytes(of_descriptor(descriptor)));
        given.filter(|bytes| bytes.0 > 0).or_else(|| of_metadata(self.metadata.as_ref()?)).unwrap_or(Bytes(0))
    }

    /// Work-items of the largest work-group that it runs with, if that is said.
    pub fn most_items(&self) -> Option<u32> {
        let metadata = self.metadata.as_ref()?;
        let required =
            metadata.required_group.map(|group| group.iter().fold(1, |items: u32, side| items.saturating_mul(*side)));
        required.or(metadata.most_items).filter(|items| *items > 0)
    }
}
