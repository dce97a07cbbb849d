//! Decoding one instruction.

use super::format::{bit, bits, encoding, opcode};
use super::location::{LITERAL, Location, SDWA, tuple_exists};
use super::memory::SADDR_OFF;
use super::table::{Follows, Tables};
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
    let own = form.dwords().0;
    if usize::from(own) > words.len() {
        return Err(DecodeError::Truncated { address, generation, words: words.to_vec() });
    }
    let pair = [first, second.unwrap_or(0)];
    let follows = entry.check(generation, form, pair).map_err(|_| unknown())?;
    let follows = match scalar_offset(generation, form, entry.instruction, pair).ok_or_else(unknown)? {
        Follows::Nothing => follows,
        literal => literal,
    };
    if form == Encoding::Flat && !scalar_address_exists(generation, entry.instruction, pair) {
        return Err(unknown());
    }
    if follows == Follows::Modifier
        && own == 1
        && second.is_some_and(|word| !modifier_is_defined(generation, form, first, word))
    {
        return Err(unknown());
    }
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

/// What the offset of a SMRD or SMEM instruction says: whether a literal dword follows; `None` if it is not defined.
fn scalar_offset(
    generation: Generation,
    form: Encoding,
    instruction: &Instruction,
    words: [u32; 2],
) -> Option<Follows> {
    if !matches!(form, Encoding::Smrd | Encoding::Smem)
        || !instruction.operands.iter().any(|operand| operand.kind == OperandKind::ScalarOffset)
    {
        return Some(Follows::Nothing);
    }
    let immediate = bit(words[0], if form == Encoding::Smrd { 8 } else { 17 });
    let with_soffset = form == Encoding::Smem && generation == Generation::Gcn14 && bit(words[0], 14);
    let code = match form {
        Encoding::Smrd => bits(words[0], 0, 8) as u16,
        _ if with_soffset => bits(words[1], 25, 7) as u16,
        _ => bits(words[1], 0, 7) as u16,
    };
    if immediate && !with_soffset {
        return Some(Follows::Nothing);
    }
    if generation == Generation::Gcn11 && code == LITERAL {
        return Some(Follows::Literal);
    }
    (code < 128 && tuple_exists(generation, code as u8, 1)).then_some(Follows::Nothing)
}

/// Whether the scalar address of a GLOBAL or SCRATCH instruction is `off` or a register.
fn scalar_address_exists(generation: Generation, instruction: &Instruction, words: [u32; 2]) -> bool {
    let code = bits(words[1], 16, 7) as u8;
    let Some(operand) = instruction.operands.iter().find(|operand| operand.kind == OperandKind::ScalarAddress) else {
        return true;
    };
    code == SADDR_OFF || tuple_exists(generation, code, operand.registers())
}

/// Whether an SDWA dword selects parts that exist (7, and 3 for the unused part, are reserved) and, in GCN 1.4, registers or
/// constants that exist. Every DPP dword is let pass.
fn modifier_is_defined(generation: Generation, form: Encoding, first: u32, word: u32) -> bool {
    if bits(first, 0, 9) != u32::from(SDWA) {
        return true;
    }
    let new = generation == Generation::Gcn14;
    let two_sources = form != Encoding::Vop1;
    let parts = bits(word, 16, 3) != 7 && (!two_sources || bits(word, 24, 3) != 7);
    let destination = match form {
        Encoding::Vopc if new => !bit(word, 15) || tuple_exists(generation, bits(word, 8, 7) as u8, 2),
        Encoding::Vopc => true,
        _ => bits(word, 8, 3) != 7 && bits(word, 11, 2) != 3,
    };
    let scalar_exists = |is_scalar: bool, code: u32| {
        !new || !is_scalar || Location::from_source(generation, code as u16, None).is_some()
    };
    parts
        && destination
        && scalar_exists(bit(word, 23), bits(word, 0, 8))
        && (!two_sources || scalar_exists(bit(word, 31), bits(first, 9, 8)))
}

impl Decoded {
    /// The 16-bit immediate of a SOPK or SOPP instruction.
    pub fn simm16(&self) -> Option<i16> {
        matches!(self.form, Encoding::Sopk | Encoding::Sopp).then_some(self.words[0] as u16 as i16)
    }

    /// The literal dword, if one follows.
    pub fn literal(&self) -> Option<u32> {
        let own = self.form.dwords().0;
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
