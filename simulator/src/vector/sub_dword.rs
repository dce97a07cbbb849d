//! Parts of dwords as sources and destination: of SDWA, and the bytes that OP_SEL picks.
//!
//! Source: AMD "GCN3 ISA", section 6.6.1: selections 0 to 3 are bytes, 4 and 5 words, 6 is the dword.

use crate::state::vector_registers::LANES;
use gcn_model::decode::SdwaFields;

/// The selection that is all of a dword.
pub(crate) const DWORD: u8 = 6;
/// What becomes of the rest of a destination: it is kept.
const KEPT: u8 = 2;

/// Which parts an instruction reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts {
    /// Selections of the first two sources.
    pub sources: [u8; 2],
    /// Whether they are extended with their sign.
    pub signed: [bool; 2],
    /// Selection of the destination.
    pub result: u8,
    /// The rest of the destination becomes 0, the sign (1), or is kept (2).
    pub unused: u8,
}

impl Parts {
    /// All of each dword.
    const WHOLE: Self = Self { sources: [DWORD; 2], signed: [false; 2], result: DWORD, unused: 0 };

    /// Those of SDWA.
    pub(crate) fn of(fields: &SdwaFields) -> Self {
        Self {
            sources: [fields.src0_sel, fields.src1_sel],
            signed: fields.sext,
            result: fields.dst_sel,
            unused: fields.dst_unused,
        }
    }

    /// Whether the rest of the destination is kept.
    pub(crate) fn keeps(&self) -> bool {
        self.unused == KEPT
    }

    /// Whether the destination is a byte.
    pub(crate) fn writes_byte(&self) -> bool {
        part(self.result).1 == 8
    }

    /// A byte of the first source.
    pub(crate) fn of_source_byte(byte: u8) -> Self {
        Self { sources: [byte, DWORD], ..Self::WHOLE }
    }

    /// A byte of the destination, of which the others are kept.
    pub(crate) fn of_result_byte(byte: u8) -> Self {
        Self { result: byte, unused: KEPT, ..Self::WHOLE }
    }
}

/// First bit and width of a selection.
fn part(selection: u8) -> (u32, u32) {
    match selection {
        byte @ 0..=3 => (8 * u32::from(byte), 8),
        word @ 4..=5 => (16 * u32::from(word - 4), 16),
        _ => (0, 32),
    }
}

/// The selected part of each lane, extended with zeros or its sign.
pub(crate) fn select(values: &mut [u32; LANES], selection: u8, is_signed: bool) {
    let (first, width) = part(selection);
    let (left, right) = (32 - first - width, 32 - width);
    for value in values {
        *value = if is_signed { ((*value << left) as i32 >> right) as u32 } else { *value << left >> right };
    }
}

/// The result put into the selected part of the old value; `unused`: the rest becomes 0, the sign (1), or is kept (2).
pub(crate) fn place(results: &mut [u32; LANES], before: &[u32; LANES], selection: u8, unused: u8) {
    let (first, width) = part(selection);
    if width == 32 {
        return;
    }
    let mask = ((1 << width) - 1) << first;
    for (result, before) in results.iter_mut().zip(before) {
        let placed = *result << first & mask;
        *result = match unused {
            0 => placed,
            1 => ((*result << (32 - width)) as i32 >> (32 - width) << first) as u32,
            _ => placed | before & !mask,
        };
    }
}

/// Whether the half that a selection lies in is the high one; `None` for all of a dword.
pub(crate) fn half(selection: u8) -> Option<bool> {
    let (first, width) = part(selection);
    (width < 32).then_some(first >= 16)
}
