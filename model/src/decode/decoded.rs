//! Decoding one instruction.

use super::format::{bits, encoding, opcode};
use super::location::{Location, SDWA};
use super::table::{Follows, Tables, smrd_literal};
use super::{DecodeError, Modifier};
use crate::isa::{Encoding, Generation, Instruction, OperandKind};
use crate::quantity::Dwords;

/// A decoded instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoded {
    /// Which instruction it is.
    pub instruction: &'static Instruction,
    /// The generation that it was decoded for.
    pub generation: Generation,
    /// The format of the words: [`Encoding::Vop3`] for the VOP3 form of a VOP1, VOP2, VOPC or VINTRP instruction.
    pub form: Encoding,
    /// The SDWA or DPP dword that stands in place of src0.
    pub modifier: Option<Modifier>,
    /// Length in dwords, with the literal or modifier dword.
    pub dwords: Dwords,
    /// The words; 0 beyond the length.
    pub words: [u32; 3],
}

/// Decodes the instruction at the beginning of `words`, the remaining code; `address` is that of the first word in bytes and
/// serves error messages only.
///
/// # Errors
///
/// [`DecodeError::NotAnInstruction`] for an opcode, a scalar source code or an SDWA or DPP form that the generation does not
/// define; [`DecodeError::Truncated`] if the code ends before the instruction does.
pub fn decode(generation: Generation, words: &[u32], address: u64) -> Result<Decoded, DecodeError> {
    let Some(&first) = words.first() else {
        return Err(DecodeError::Truncated { address, generation, words: Vec::new() });
    };
    let unknown =
        || DecodeError::NotAnInstruction { address, generation, words: words.iter().copied().take(2).collect() };
    let form = encoding(generation, first).ok_or_else(unknown)?;
    let entry = Tables::of(generation).get(form, opcode(generation, form, first), first).ok_or_else(unknown)?;
    let second = words.get(1).copied();
    let own = form_dwords(form);
    if usize::from(own) > words.len() {
        return Err(DecodeError::Truncated { address, generation, words: words.to_vec() });
    }
    let follows = match form {
        Encoding::Smrd if smrd_literal(generation, first) && uses_offset(entry.instruction) => Follows::Literal,
        Encoding::Smrd | Encoding::Smem | Encoding::Mubuf | Encoding::Mtbuf => {
            if !memory_scalar_exists(generation, form, entry.instruction, [first, second.unwrap_or(0)]) {
                return Err(unknown());
            }
            Follows::Nothing
        }
        _ => entry.check(generation, form, [first, second.unwrap_or(0)]).map_err(|_| unknown())?,
    };
    let dwords = own + u8::from(follows != Follows::Nothing);
    let Some(code) = words.get(..usize::from(dwords)) else {
        return Err(DecodeError::Truncated { address, generation, words: words.to_vec() });
    };
    let mut kept = [0; 3];
    kept[..code.len()].copy_from_slice(code);
    let modifier = (follows == Follows::Modifier)
        .then(|| if bits(first, 0, 9) == u32::from(SDWA) { Modifier::Sdwa } else { Modifier::Dpp });
    Ok(Decoded { instruction: entry.instruction, generation, form, modifier, dwords: Dwords(dwords), words: kept })
}

/// The length of the format itself in dwords.
const fn form_dwords(form: Encoding) -> u8 {
    match form {
        Encoding::Sop2
        | Encoding::Sopk
        | Encoding::Sop1
        | Encoding::Sopc
        | Encoding::Sopp
        | Encoding::Smrd
        | Encoding::Vop2
        | Encoding::Vop1
        | Encoding::Vopc
        | Encoding::Vintrp => 1,
        Encoding::Smem
        | Encoding::Vop3
        | Encoding::Vop3p
        | Encoding::Ds
        | Encoding::Mubuf
        | Encoding::Mtbuf
        | Encoding::Flat
        | Encoding::Mimg
        | Encoding::Exp => 2,
    }
}

fn uses_offset(instruction: &Instruction) -> bool {
    instruction.operands.iter().any(|operand| operand.kind == OperandKind::ScalarOffset)
}

/// Whether the scalar offset of a memory instruction, if it has one, is a defined code.
fn memory_scalar_exists(generation: Generation, form: Encoding, instruction: &Instruction, words: [u32; 2]) -> bool {
    if instruction.operands.is_empty() {
        return true;
    }
    match form {
        Encoding::Smrd => {
            !uses_offset(instruction) || bits(words[0], 8, 1) == 1 || {
                let code = bits(words[0], 0, 8) as u16;
                code < 128 && Location::exists(generation, code)
            }
        }
        Encoding::Smem => {
            !uses_offset(instruction)
                || bits(words[0], 17, 1) == 1
                || Location::exists(generation, bits(words[1], 0, 7) as u16)
        }
        _ => {
            let code = bits(words[1], 24, 8) as u16;
            code != super::location::LITERAL && Location::exists(generation, code)
        }
    }
}

impl Decoded {
    /// The 16-bit immediate of a SOPK or SOPP instruction.
    pub fn simm16(&self) -> Option<i16> {
        matches!(self.form, Encoding::Sopk | Encoding::Sopp).then_some(self.words[0] as u16 as i16)
    }

    /// The literal dword, if one follows.
    pub fn literal(&self) -> Option<u32> {
        let own = form_dwords(self.form);
        (self.dwords.0 > own && self.modifier.is_none()).then_some(self.words[usize::from(own)])
    }

    /// Where a branch at `address` (in bytes) goes if it is taken; `None` for what does not branch by an immediate.
    pub fn branch_target(&self, address: u64) -> Option<u64> {
        let is_branch = self.instruction.operands.iter().any(|operand| operand.kind == OperandKind::Label);
        let distance = i64::from(self.simm16().filter(|_| is_branch)?) * 4;
        Some(address.wrapping_add(4).wrapping_add_signed(distance))
    }

    /// Whether the instruction has an operand of that field name.
    pub(super) fn has(&self, field: &str) -> bool {
        self.instruction.operands.iter().any(|operand| operand.name == field)
    }
}
