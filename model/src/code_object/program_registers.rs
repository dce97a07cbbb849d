//! COMPUTE_PGM_RSRC1 to RSRC3: the resources of a program's waves, as a kernel descriptor or a command buffer states them.
//!
//! Source: LLVM `AMDGPUUsage.rst`, "Kernel Descriptor", the tables of compute_pgm_rsrc1 and compute_pgm_rsrc2 for GFX6 to GFX9 and
//! of compute_pgm_rsrc3 for GFX90A and GFX942; WGP_MODE is for GFX10 and later.

use crate::isa::{AccumulationRegisters, DescriptorFacts, Generation, GroupMode};

/// The registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramRegisters {
    /// COMPUTE_PGM_RSRC1.
    pub rsrc1: u32,
    /// COMPUTE_PGM_RSRC2.
    pub rsrc2: u32,
    /// COMPUTE_PGM_RSRC3; 0 if absent.
    pub rsrc3: u32,
}

/// The vector registers that a wave can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorFile {
    pub vgprs: u32,
    /// Accumulation registers.
    pub agprs: u32,
}

/// The registers of a file that an instruction can name.
const MOST_REGISTERS: u32 = 256;

impl ProgramRegisters {
    /// VGPRs allocated to each work-item, with the AGPRs where these are in the same file: GRANULATED_WORKITEM_VGPR_COUNT, in granules of the
    /// generation.
    pub fn vgprs(&self, granules: &DescriptorFacts) -> u32 {
        ((self.rsrc1 & 0x3f) + 1) * granules.vgpr_granule
    }

    /// The VGPRs and AGPRs that a wave can name of its allocation.
    pub fn vector_file(&self, facts: &DescriptorFacts) -> VectorFile {
        let allocated = self.vgprs(facts);
        match facts.accumulation_registers {
            None => VectorFile { vgprs: allocated, agprs: 0 },
            Some(AccumulationRegisters::Separate) => VectorFile { vgprs: allocated, agprs: allocated },
            Some(AccumulationRegisters::Unified) => {
                let vgprs = allocated.min(self.accumulation_offset());
                VectorFile { vgprs, agprs: (allocated - vgprs).min(MOST_REGISTERS) }
            }
        }
    }

    /// The first AGPR in the file of the VGPRs: ACCUM_OFFSET, in steps of four registers.
    pub fn accumulation_offset(&self) -> u32 {
        ((self.rsrc3 & 0x3f) + 1) * 4
    }

    /// SGPRs allocated to a wave: GRANULATED_WAVEFRONT_SGPR_COUNT, in granules of the generation, VCC and the like included.
    pub fn sgprs(&self, granules: &DescriptorFacts) -> u32 {
        granules.sgprs_of_a_wave.unwrap_or(((self.rsrc1 >> 6 & 0xf) + 1) * granules.sgpr_granule)
    }

    /// Where the waves of a work-group may run: WGP_MODE, where there are work-group processors.
    pub fn group_mode(&self, generation: Generation) -> GroupMode {
        let is_of_processor = generation.has_group_modes() && self.rsrc1 >> 29 & 1 == 1;
        if is_of_processor { GroupMode::Processor } else { GroupMode::ComputeUnit }
    }

    /// Number of user SGPRs.
    pub fn user_sgprs(&self) -> u32 {
        self.rsrc2 >> 1 & 0x1f
    }

    /// Whether the workgroup id X, Y, Z follow the user SGPRs.
    pub fn workgroup_ids(&self) -> [bool; 3] {
        [7, 8, 9].map(|bit| self.rsrc2 >> bit & 1 == 1)
    }

    /// How many of the work-item ids X, Y, Z are put into v0, v1, v2.
    pub fn workitem_ids(&self) -> u32 {
        (self.rsrc2 >> 11 & 3) + 1
    }

    /// LDS of a work-group in granules: LDS_SIZE, which AMDHSA leaves 0 in a descriptor and the packet processor fills in.
    pub fn lds_granules(&self) -> u32 {
        self.rsrc2 >> 15 & 0x1ff
    }

    /// Whether the number of waves of the work-group follows the workgroup ids.
    pub fn wants_workgroup_information(&self) -> bool {
        self.rsrc2 >> 10 & 1 == 1
    }

    /// Whether the wave's offset in scratch memory follows the workgroup ids.
    pub fn wants_scratch_wave_offset(&self) -> bool {
        self.rsrc2 & 1 == 1
    }
}
