//! Registers that a wave of a kernel allocates.

use super::layout::{EXTRA_SGPRS, FLAT_SCRATCH_SGPRS, LEAST_RECORD_OFFSET, RECORD_OFFSET, SGPRS, VCC_SGPRS, VGPRS};

/// Most SGPRs that a kernel can name on every generation, those of VCC and the like not counted (facts §1.4).
const MOST_SGPRS: u32 = 102;

/// Registers of a wave as its kernel descriptor asks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allocation {
    pub vgprs: u32,
    /// SGPRs, those of VCC and of whatever else the target keeps at the end not counted.
    pub sgprs: u32,
    /// SGPRs with all of those, where the experiment is about them: the descriptor has to say exactly that.
    pub all_sgprs: Option<u32>,
}

impl Default for Allocation {
    /// What the templates and the operands of every instruction need.
    fn default() -> Self {
        Self { vgprs: VGPRS, sgprs: SGPRS, all_sgprs: None }
    }
}

impl Allocation {
    /// Fewest VGPRs that the templates get by with, without operands and fillers: those of the readings and of a wave's record.
    pub const LEAST_VGPRS: u32 = 8;

    /// The same with so many VGPRs.
    pub fn with_vgprs(self, vgprs: u32) -> Self {
        Self { vgprs, ..self }
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
