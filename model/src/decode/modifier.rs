//! The dwords that can replace src0 from GCN 1.2 on: SDWA, DPP and DPP8.

use super::bits::{bit, bits};
use super::location::DPP8;
use super::{Decoded, Location, Modifier};
use crate::isa::Encoding;

/// The SDWA dword. Selections: 0–3 byte, 4–5 word, 6 dword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SdwaFields {
    /// src0: a VGPR, or in GCN 1.4 also an SGPR or constant.
    pub src0: Location,
    /// src1, the same; `None` where it is the VGPR that the first word names.
    pub src1: Option<Location>,
    /// Part of the destination that is written; not in VOPC.
    pub dst_sel: u8,
    /// What becomes of the rest: 0 zero, 1 sign, 2 kept; not in VOPC.
    pub dst_unused: u8,
    /// Part of src0.
    pub src0_sel: u8,
    /// Part of src1.
    pub src1_sel: u8,
    /// Scalar destination of a GCN 1.4 compare in place of VCC.
    pub sdst: Option<u8>,
    /// Result clamped.
    pub clamp: bool,
    /// Output modifier (GCN 1.4): 0 none, 1 times 2, 2 times 4, 3 divided by 2.
    pub omod: u8,
    /// Sign extension by source.
    pub sext: [bool; 2],
    /// Negation by source.
    pub neg: [bool; 2],
    /// Absolute value by source.
    pub abs: [bool; 2],
}

/// The DPP dword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DppFields {
    /// VGPR that src0 names.
    pub src0: u8,
    /// Lane pattern, nine bits.
    pub ctrl: u16,
    /// Lanes beyond the row read 0.
    pub bound_ctrl: bool,
    /// Lanes that are switched off are read as well (RDNA).
    pub fetches_inactive: bool,
    /// Negation by source.
    pub neg: [bool; 2],
    /// Absolute value by source.
    pub abs: [bool; 2],
    /// Banks that are enabled.
    pub bank_mask: u8,
    /// Rows that are enabled.
    pub row_mask: u8,
}

/// The DPP8 dword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dpp8Fields {
    /// VGPR that src0 names.
    pub src0: u8,
    /// Which lane of its eight each lane reads.
    pub lanes: [u8; 8],
    /// Lanes that are switched off are read as well.
    pub fetches_inactive: bool,
}

impl Decoded {
    /// The dword that replaces src0: it follows the words of the format.
    pub(super) fn modifier_word(&self) -> u32 {
        self.words[usize::from(self.entry.dwords)]
    }

    /// The word that has src0.
    fn source_word(&self) -> u32 {
        self.words[usize::from(self.entry.dwords) - 1]
    }

    /// The DPP8 dword, if there is one.
    pub fn dpp8(&self) -> Option<Dpp8Fields> {
        if self.modifier != Some(Modifier::Dpp8) {
            return None;
        }
        let word = self.modifier_word();
        Some(Dpp8Fields {
            src0: bits(word, 0, 8) as u8,
            lanes: std::array::from_fn(|n| bits(word, 8 + 3 * n as u32, 3) as u8),
            fetches_inactive: bits(self.source_word(), 0, 9) != u32::from(DPP8),
        })
    }

    /// The SDWA dword, if there is one.
    pub fn sdwa(&self) -> Option<SdwaFields> {
        if self.modifier != Some(Modifier::Sdwa) {
            return None;
        }
        let [first, word, _] = self.words;
        let names_scalars = self.generation.vector.sdwa_names_scalars;
        let compare = self.form == Encoding::Vopc;
        let source = |code: u32, scalar: bool| {
            if names_scalars && scalar {
                Location::from_source(self.generation, code as u16, None)
            } else {
                Some(Location::Vgpr(code as u8))
            }
        };
        Some(SdwaFields {
            src0: source(bits(word, 0, 8), bit(word, 23))?,
            src1: (names_scalars && bit(word, 31)).then(|| source(bits(first, 9, 8), true)).flatten(),
            dst_sel: if compare && names_scalars { 6 } else { bits(word, 8, 3) as u8 },
            dst_unused: if compare && names_scalars { 0 } else { bits(word, 11, 2) as u8 },
            src0_sel: bits(word, 16, 3) as u8,
            src1_sel: bits(word, 24, 3) as u8,
            sdst: (compare && names_scalars && bit(word, 15)).then_some(bits(word, 8, 7) as u8),
            clamp: !(compare && names_scalars) && bit(word, 13),
            omod: if names_scalars && !compare { bits(word, 14, 2) as u8 } else { 0 },
            sext: [bit(word, 19), bit(word, 27)],
            neg: [bit(word, 20), bit(word, 28)],
            abs: [bit(word, 21), bit(word, 29)],
        })
    }

    /// The DPP dword, if there is one.
    pub fn dpp(&self) -> Option<DppFields> {
        if self.modifier != Some(Modifier::Dpp) {
            return None;
        }
        let word = self.modifier_word();
        Some(DppFields {
            src0: bits(word, 0, 8) as u8,
            ctrl: bits(word, 8, 9) as u16,
            bound_ctrl: bit(word, 19),
            fetches_inactive: self.generation.vector.dpp8 && bit(word, 18),
            neg: [bit(word, 20), bit(word, 22)],
            abs: [bit(word, 21), bit(word, 23)],
            bank_mask: bits(word, 24, 4) as u8,
            row_mask: bits(word, 28, 4) as u8,
        })
    }
}
