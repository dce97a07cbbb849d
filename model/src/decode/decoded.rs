//! Decoding one instruction.

use super::DecodeError;
use super::bits::{bit, bits};
use super::follows::Follows;
use super::location::{DPP, LITERAL, Location, SDWA, saddr_off};
use super::table::{Entry, Tables};
use crate::isa::{Encoding, FieldName, Generation, Instruction, InstructionClass, OperandKind, Processor, WaitCounts};
use crate::quantity::Dwords;

/// The dword that replaces src0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// Sub-dword addressing; see [`Decoded::sdwa`].
    Sdwa,
    /// Data-parallel primitives; see [`Decoded::dpp`].
    Dpp,
    /// The same, a lane named for each of eight; see [`Decoded::dpp8`].
    Dpp8,
}

/// A decoded instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoded {
    /// Which instruction it is.
    pub instruction: &'static Instruction,
    /// The generation of the processor that it was decoded for.
    pub generation: Generation,
    /// The format of the words: [`Encoding::Vop3`] for the VOP3 form of a VOP1, VOP2, VOPC or VINTRP instruction.
    pub form: Encoding,
    /// The SDWA or DPP dword that replaces src0.
    pub modifier: Option<Modifier>,
    /// Length in dwords, with the literal or modifier dword.
    pub dwords: Dwords,
    /// The words, of an image instruction with further addresses the first three; 0 beyond the length.
    pub words: [u32; 3],
    pub(super) entry: &'static Entry,
    /// The second of two instructions in one (VOPD).
    pub(super) second: Option<&'static Entry>,
}

/// Decodes the instruction at the beginning of `words`, the remaining code; `address` is that of the first word in bytes and
/// serves error messages only.
///
/// # Errors
///
/// [`DecodeError::NotAnInstruction`] for an opcode, a scalar source code or an SDWA or DPP form that the processor does not
/// have; [`DecodeError::Truncated`] if the code ends before the instruction does.
pub fn decode(processor: Processor, words: &[u32], address: u64) -> Result<Decoded, DecodeError> {
    let generation = processor.generation;
    let Some(&first) = words.first() else {
        return Err(DecodeError::Truncated { address, processor, words: Vec::new() });
    };
    let unknown =
        || DecodeError::NotAnInstruction { address, processor, words: words.iter().copied().take(2).collect() };
    let form = generation.encoding(first).ok_or_else(unknown)?;
    let second = words.get(1).copied();
    let triple = [first, second.unwrap_or(0), words.get(2).copied().unwrap_or(0)];
    let opcode = generation.format(form).map_or(0, |format| format.opcode(triple));
    let entry = Tables::of(processor).get(form, opcode, first).ok_or_else(unknown)?;
    let own = entry.dwords;
    if usize::from(own) > words.len() {
        return Err(DecodeError::Truncated { address, processor, words: words.to_vec() });
    }
    let follows = entry.check(generation, form, triple).map_err(|_| unknown())?;
    let (follows, second_entry) = with_second(processor, form, triple, follows).ok_or_else(unknown)?;
    let follows = match scalar_offset(generation, form, entry.instruction, triple).ok_or_else(unknown)? {
        Follows::Nothing => follows,
        literal => literal,
    };
    if form == Encoding::Flat && !scalar_address_exists(generation, entry, triple) {
        return Err(unknown());
    }
    if follows == Follows::Modifier
        && own == 1
        && second.is_some_and(|word| !modifier_is_defined(processor, form, first, word))
    {
        return Err(unknown());
    }
    let dwords = own + follows.dwords() + further_addresses(generation, form, triple);
    let Some(code) = words.get(..usize::from(dwords)) else {
        return Err(DecodeError::Truncated { address, processor, words: words.to_vec() });
    };
    let mut kept = [0; 3];
    for (kept, word) in kept.iter_mut().zip(code) {
        *kept = *word;
    }
    let source = if own == 1 { first } else { second.unwrap_or(0) };
    let modifier = (follows == Follows::Modifier).then(|| match bits(source, 0, 9) as u16 {
        SDWA => Modifier::Sdwa,
        DPP => Modifier::Dpp,
        _ => Modifier::Dpp8,
    });
    let instruction = entry.instruction;
    let decoded = Decoded {
        instruction,
        generation,
        form,
        modifier,
        dwords: Dwords(dwords),
        words: kept,
        entry,
        second: second_entry,
    };
    let is_odd = generation.vector.tuples_begin_even && decoded.has_odd_tuple();
    if is_odd || decoded.has_matrix_beyond() { Err(unknown()) } else { Ok(decoded) }
}

/// The second half of a dual issue, and what follows both; `None` if it is not defined.
fn with_second(
    processor: Processor,
    form: Encoding,
    words: [u32; 3],
    follows: Follows,
) -> Option<(Follows, Option<&'static Entry>)> {
    let generation = processor.generation;
    let opcode_y = generation.format(form).and_then(|format| format.field(FieldName::OpcodeY));
    let Some(field) = opcode_y else { return Some((follows, None)) };
    let second = Tables::of(processor).second(form, field.value(words))?;
    let of_second = second.check(generation, form, words).ok()?;
    Some((if follows == Follows::Nothing { of_second } else { follows }, Some(second)))
}

/// Whether a literal dword follows, by the offset of a SMRD or SMEM instruction; `None` if it is not defined.
fn scalar_offset(
    generation: Generation,
    form: Encoding,
    instruction: &Instruction,
    words: [u32; 3],
) -> Option<Follows> {
    if !matches!(form, Encoding::Smrd | Encoding::Smem)
        || !instruction.operands.iter().any(|operand| operand.kind == OperandKind::ScalarOffset)
    {
        return Some(Follows::Nothing);
    }
    let value = |name| generation.format(form)?.field(name).map(|field| field.value(words));
    let with_soffset = value(FieldName::SoffsetEn) == Some(1);
    if value(FieldName::Imm) == Some(1) && !with_soffset {
        return Some(Follows::Nothing);
    }
    let soffset = value(FieldName::Soffset).filter(|_| with_soffset);
    // A format with both an offset and a register has no bit that says which counts.
    let soffset = soffset.or(value(FieldName::Soffset).filter(|_| value(FieldName::Imm).is_none()));
    let code = soffset.or(value(FieldName::OffsetRegister)).or(value(FieldName::Offset))?;
    if generation.scalar_memory.literal_offset && code == u32::from(LITERAL) {
        return Some(Follows::Literal);
    }
    (code < 128 && generation.operand_codes.tuple_exists(code as u8, 1)).then_some(Follows::Nothing)
}

/// How many dwords with further addresses follow an image instruction.
fn further_addresses(generation: Generation, form: Encoding, words: [u32; 3]) -> u8 {
    let field = generation.format(form).and_then(|format| format.field(FieldName::Nsa));
    field.map_or(0, |field| field.value(words) as u8)
}

/// Whether the scalar address of a GLOBAL or SCRATCH instruction is `off` or a register.
fn scalar_address_exists(generation: Generation, entry: &Entry, words: [u32; 3]) -> bool {
    let instruction = entry.instruction;
    let field = generation.format(Encoding::Flat).and_then(|format| format.field(FieldName::Saddr));
    let Some(field) = field else { return true };
    let code = field.value(words) as u8;
    let operand = instruction.operands.iter().find(|operand| operand.name == "saddr");
    // A FLAT instruction has no scalar address: the field says nothing, or has to say so.
    let Some(operand) = operand else {
        return generation.operand_codes.null.is_none_or(|null| code == null);
    };
    let may_be_off = operand.kind == OperandKind::ScalarAddress;
    may_be_off && code == saddr_off(generation)
        || entry.without_address == Some(code)
        || generation.operand_codes.tuple_exists(code, operand.registers())
}

/// Whether an SDWA dword selects parts that exist (7, and 3 for the unused part, are reserved) and, where it names scalars,
/// registers or constants that exist. Every DPP dword is let pass.
fn modifier_is_defined(processor: Processor, form: Encoding, first: u32, word: u32) -> bool {
    if bits(first, 0, 9) != u32::from(SDWA) {
        return true;
    }
    let generation = processor.generation;
    let names_scalars = generation.vector.sdwa_names_scalars;
    let mask_registers = processor.wave_size().div_ceil(32) as u8;
    let two_sources = form != Encoding::Vop1;
    let parts = bits(word, 16, 3) != 7 && (!two_sources || bits(word, 24, 3) != 7);
    let destination = match form {
        Encoding::Vopc if names_scalars => {
            !bit(word, 15) || generation.operand_codes.tuple_exists(bits(word, 8, 7) as u8, mask_registers)
        }
        Encoding::Vopc => true,
        _ => bits(word, 8, 3) != 7 && bits(word, 11, 2) != 3,
    };
    let scalar_exists = |is_scalar: bool, code: u32| {
        !names_scalars || !is_scalar || Location::from_source(generation, code as u16, None).is_some()
    };
    parts
        && destination
        && scalar_exists(bit(word, 23), bits(word, 0, 8))
        && (!two_sources || scalar_exists(bit(word, 31), bits(first, 9, 8)))
}

impl Decoded {
    /// Whether a tuple of vector registers begins at an odd one. Images are not looked at: LLVM, the witness, takes any registers there.
    fn has_odd_tuple(&self) -> bool {
        let is_odd = |entry: &'static Entry| {
            entry.instruction.operands.iter().enumerate().any(|(number, operand)| {
                self.registers(operand) > 1
                    && matches!(self.location(entry, number, operand),
                        Some(Location::Vgpr(first) | Location::Agpr(first)) if !first.is_multiple_of(2))
            })
        };
        !matches!(self.form, Encoding::Mimg | Encoding::Vsample)
            && (is_odd(self.entry) || self.second.is_some_and(is_odd))
    }

    /// Whether a matrix of a named format goes beyond the last register, which the table cannot tell.
    fn has_matrix_beyond(&self) -> bool {
        self.instruction.is(InstructionClass::MixedFormats)
            && self.operands().iter().any(|operand| match operand.location {
                Location::Vgpr(first) | Location::Agpr(first) => u16::from(first) + u16::from(operand.registers) > 256,
                _ => false,
            })
    }

    /// The 16-bit immediate of a SOPK or SOPP instruction.
    pub fn simm16(&self) -> Option<i16> {
        matches!(self.form, Encoding::Sopk | Encoding::Sopp).then_some(self.words[0] as u16 as i16)
    }

    /// The counts that an instruction waits for, if it waits for counts.
    pub fn wait_counts(&self) -> Option<WaitCounts> {
        let fields = self.generation.waits.get(&self.instruction.name)?;
        Some(fields.counts(u32::from(self.simm16()? as u16)))
    }

    /// The literal dword, if one follows.
    pub fn literal(&self) -> Option<u32> {
        let own = self.entry.dwords;
        if self.dwords.0 > own && self.modifier.is_none() { self.words.get(usize::from(own)).copied() } else { None }
    }

    /// The literal as a number of 64 bits; of one dword the high half is 0.
    pub(super) fn wide_literal(&self) -> Option<u64> {
        let low = u64::from(self.literal()?);
        let is_wide = self.entry.dwords == 1 && self.dwords.0 == 3;
        Some(if is_wide { low | u64::from(self.words[2]) << 32 } else { low })
    }

    /// Where a branch at `address` (in bytes) goes if it is taken; `None` for what does not branch by an immediate.
    pub fn branch_target(&self, address: u64) -> Option<u64> {
        let is_branch = self.instruction.operands.iter().any(|operand| operand.kind == OperandKind::Label);
        let distance = i64::from(self.simm16().filter(|_| is_branch)?) * 4;
        Some(address.wrapping_add(4).wrapping_add_signed(distance))
    }

    /// Whether a wave may reach what follows it.
    pub fn may_be_passed(&self) -> bool {
        !matches!(self.instruction.name.as_str(), "S_ENDPGM" | "S_ENDPGM_SAVED" | "S_BRANCH" | "S_SETPC_B64")
    }

    /// A field of the format as an unsigned number; `None` where the generation's format has no such field.
    #[inline]
    pub(super) fn field(&self, name: FieldName) -> Option<u32> {
        Some(self.generation.format(self.form)?.field(name)?.value(self.words))
    }

    /// The same; 0 where there is no such field.
    #[inline]
    pub(super) fn value(&self, name: FieldName) -> u32 {
        self.field(name).unwrap_or(0)
    }

    /// Whether a one-bit field is set; false if the field does not exist.
    #[inline]
    pub(super) fn flag(&self, name: FieldName) -> bool {
        self.value(name) == 1
    }

    /// Each bit of a field, lowest first; `false` where there is no such field.
    pub(super) fn flags<const N: usize>(&self, name: FieldName) -> [bool; N] {
        let value = self.value(name);
        std::array::from_fn(|n| value >> n & 1 == 1)
    }

    /// A field of the format as a number, in two's complement where it is one; 0 where there is no such field.
    pub(super) fn number(&self, name: FieldName) -> i32 {
        let field = self.generation.format(self.form).and_then(|format| format.field(name));
        field.map_or(0, |field| field.number(self.words))
    }

    /// Whether the instruction has an operand of that field name.
    pub(super) fn has(&self, field: &str) -> bool {
        self.instruction.operands.iter().any(|operand| operand.name == field)
    }
}
