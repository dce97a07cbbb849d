//! Registers that a wave of a kernel allocates.

use gcn_model::isa::{AccumulationRegisters, DescriptorFacts};

use super::layout::{
    EXTRA_SGPRS, FLAT_SCRATCH_SGPRS, LEAST_RECORD_OFFSET, MATRIX_KERNEL_VGPRS, RECORD_OFFSET, SGPRS, VCC_SGPRS, VGPRS,
};
use super::snippet::Snippet;

/// Most VGPRs that an instruction can name.
const MOST_VGPRS: u32 = 256;
/// ACCUM_OFFSET counts this many registers.
const ACCUMULATION_STEP: u32 = 4;
/// Most SGPRs that a kernel can name on every generation, those of VCC and the like not counted (facts §1.4).
const MOST_SGPRS: u32 = 102;

/// Registers of a wave as its kernel descriptor asks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allocation {
    pub vgprs: u32,
    /// Accumulation registers.
    pub agprs: u32,
    /// SGPRs, those of VCC and of whatever else the target keeps at the end not counted.
    pub sgprs: u32,
    /// SGPRs with all of those, where the experiment is about them: the descriptor has to say exactly that.
    pub all_sgprs: Option<u32>,
}

impl Default for Allocation {
    /// The needs of the templates and of every instruction's operands.
    fn default() -> Self {
        Self { vgprs: VGPRS, agprs: 0, sgprs: SGPRS, all_sgprs: None }
    }
}

impl Allocation {
    /// Fewest VGPRs that the templates get by with, without operands and fillers: those of the readings and of a wave's record.
    pub const LEAST_VGPRS: u32 = 8;

    /// The most VGPRs that a descriptor can ask for, with the accumulation registers where they share the file.
    pub fn most_vgprs(facts: &DescriptorFacts) -> u32 {
        if facts.accumulation_registers == Some(AccumulationRegisters::Unified) { 2 * MOST_VGPRS } else { MOST_VGPRS }
    }

    /// What kernels with matrix instructions need.
    pub fn of_matrix() -> Self {
        Self::default().with_vgprs(MATRIX_KERNEL_VGPRS)
    }

    /// With this many VGPRs; those beyond an instruction's range are accumulation registers.
    pub fn with_vgprs(self, vgprs: u32) -> Self {
        let named = vgprs.min(MOST_VGPRS);
        Self { vgprs: named, agprs: vgprs - named, ..self }
    }

    /// With space for the operands of a snippet.
    pub fn with_room_for(self, snippet: &Snippet) -> Self {
        Self { vgprs: self.vgprs.max(snippet.vgprs), agprs: self.agprs.max(snippet.agprs), ..self }
    }

    /// Where the accumulation registers begin in the file that they share with the VGPRs; nothing where they share none.
    pub fn accumulation_offset(self, facts: &DescriptorFacts) -> Option<u32> {
        let is_unified = facts.accumulation_registers == Some(AccumulationRegisters::Unified);
        is_unified.then(|| self.vgprs.next_multiple_of(ACCUMULATION_STEP))
    }

    /// VGPRs and accumulation registers as the descriptor of a kernel counts them.
    pub fn all_vgprs(self, facts: &DescriptorFacts) -> u32 {
        match self.accumulation_offset(facts) {
            Some(_) if self.agprs == 0 => self.vgprs,
            Some(offset) => offset + self.agprs,
            None => self.vgprs.max(self.agprs),
        }
    }

    /// Waves of a SIMD that there are registers for.
    pub fn waves_with_room(self, facts: &DescriptorFacts) -> u32 {
        facts.vgprs_of_a_lane / self.all_vgprs(facts).next_multiple_of(facts.vgpr_granule)
    }

    /// VGPR with the lane's offset in the wave's record.
    pub(super) fn record_offset(self) -> u8 {
        if self.has_fillers() { RECORD_OFFSET } else { LEAST_RECORD_OFFSET }
    }

    /// Whether there is a VGPR for fillers to write.
    pub(super) fn has_fillers(self) -> bool {
        self.vgprs >= VGPRS
    }

    /// So many SGPRs in all, a multiple of 8: whatever the target keeps at the end (VCC alone, or XNACK_MASK and FLAT_SCRATCH
    /// too), the assembler rounds up to that.
    pub fn of_all_sgprs(all: u32) -> Self {
        let sgprs = all.saturating_sub(EXTRA_SGPRS).min(MOST_SGPRS);
        Self { sgprs, all_sgprs: Some(all), ..Self::default() }
    }

    /// SGPRs with those that a kernel which uses FLAT_SCRATCH, or does not, has at the end.
    pub(super) fn with_extra(self, has_flat_scratch: bool) -> u32 {
        self.sgprs + if has_flat_scratch { FLAT_SCRATCH_SGPRS } else { VCC_SGPRS }
    }
}
