//! COMPUTE_PGM_RSRC1 and RSRC2: what a program needs of its waves, as a kernel descriptor or a command buffer gives it.
//!
//! Source: LLVM `AMDGPUUsage.rst`, "Kernel Descriptor", the tables of compute_pgm_rsrc1 and compute_pgm_rsrc2 for GFX6 to GFX9.

use crate::isa::DescriptorFacts;

/// The two registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramRegisters {
    /// COMPUTE_PGM_RSRC1.
    pub rsrc1: u32,
    /// COMPUTE_PGM_RSRC2.
    pub rsrc2: u32,
}

impl ProgramRegisters {
    /// VGPRs allocated to each work-item: GRANULATED_WORKITEM_VGPR_COUNT, in granules of the generation.
    pub fn vgprs(&self, granules: &DescriptorFacts) -> u32 {
        ((self.rsrc1 & 0x3f) + 1) * granules.vgpr_granule
    }

    /// SGPRs allocated to a wave: GRANULATED_WAVEFRONT_SGPR_COUNT, in granules of the generation, VCC and the like included.
    pub fn sgprs(&self, granules: &DescriptorFacts) -> u32 {
        ((self.rsrc1 >> 6 & 0xf) + 1) * granules.sgpr_granule
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
