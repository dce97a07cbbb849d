//! Dense opcode tables: one array per generation and encoding, so that decoding is two look-ups.

use std::sync::LazyLock;

use super::field::{Field, FieldKind, field};
use super::format::bits;
use super::location::{DPP, SDWA};
use crate::isa::{Access, Encoding, Generation, Instruction, Operand, OperandKind, Segment, of};

/// How many fields of one instruction can hold a code that is not defined: those of V_MAD_U64_U32, BUFFER_ATOMIC_ADD.
const FIELDS: usize = 5;

/// What the decoder has to know of one opcode.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) instruction: &'static Instruction,
    /// A literal dword always follows.
    literal: bool,
    sdwa: bool,
    dpp: bool,
    /// Bits of the first word that have to be set: GDS or LDS of what exists with it only.
    flags: u32,
    fields: [Option<Field>; FIELDS],
}

/// One generation's tables.
pub(super) struct Tables {
    generation: Generation,
    by_encoding: [Box<[Option<Entry>]>; ENCODINGS],
}

const ENCODINGS: usize = Encoding::Vintrp as usize + 1;
const SEGMENTS: usize = 3;

static TABLES: LazyLock<[Tables; 4]> = LazyLock::new(|| Generation::ALL.map(Tables::new));

impl Tables {
    pub(super) fn of(generation: Generation) -> &'static Self {
        &TABLES[generation.index()]
    }

    fn new(generation: Generation) -> Self {
        let mut by_encoding: [Box<[Option<Entry>]>; ENCODINGS] = std::array::from_fn(|_| Box::default());
        let mut set = |form: Encoding, index: usize, entry| {
            let table = &mut by_encoding[form as usize];
            if table.is_empty() {
                let segments = if form == Encoding::Flat { SEGMENTS } else { 1 };
                *table = vec![None; (usize::from(form.highest_opcode()) + 1) * segments].into();
            }
            if let Some(slot) = table.get_mut(index) {
                *slot = Some(entry);
            }
        };
        for instruction in of(generation) {
            let native = Entry::new(instruction, instruction.encoding, generation);
            if let Some(opcode) = instruction.opcode_in(generation) {
                set(instruction.encoding, index(opcode, instruction.segment), native);
            }
            if let Some(opcode) = instruction.vop3_opcode[generation.index()] {
                set(Encoding::Vop3, usize::from(opcode), Entry::new(instruction, Encoding::Vop3, generation));
            }
        }
        Self { generation, by_encoding }
    }

    /// The instruction that the encoding has at an opcode.
    #[inline]
    pub(super) fn get(&self, encoding: Encoding, opcode: u16, word: u32) -> Option<&Entry> {
        let segment = if encoding == Encoding::Flat && self.generation == Generation::Gcn14 {
            Some(match bits(word, 14, 2) {
                0 => Segment::Flat,
                1 => Segment::Scratch,
                2 => Segment::Global,
                _ => return None,
            })
        } else {
            None
        };
        self.by_encoding[encoding as usize].get(index(opcode, segment))?.as_ref()
    }
}

fn index(opcode: u16, segment: Option<Segment>) -> usize {
    let segment = segment.unwrap_or(Segment::Flat) as usize;
    // Only FLAT has a segment other than 0, and it has 128 opcodes.
    segment * (usize::from(Encoding::Flat.highest_opcode()) + 1) + usize::from(opcode)
}

impl Entry {
    fn new(instruction: &'static Instruction, form: Encoding, generation: Generation) -> Self {
        let mut fields = [None; FIELDS];
        let checked = instruction.operands.iter().filter_map(|operand| {
            field(instruction, form, operand)
                .filter(|field| field.kind != FieldKind::Immediate && is_fixed(form, operand))
        });
        for (slot, field) in fields.iter_mut().zip(checked) {
            *slot = Some(field);
        }
        Self {
            instruction,
            literal: instruction.operands.iter().any(|operand| operand.kind == OperandKind::Literal),
            sdwa: form != Encoding::Vop3 && instruction.sdwa[generation.index()],
            dpp: form != Encoding::Vop3 && instruction.dpp[generation.index()],
            flags: instruction
                .operands
                .iter()
                .filter(|operand| operand.kind == OperandKind::Flag)
                .fold(0, |flags, _| flags | 1 << flag_bit(generation, form)),
            fields,
        }
    }

    /// Whether the code of src0 says that an SDWA or DPP dword follows, and the instruction has that form.
    const fn has_modifier(&self, code: u16) -> bool {
        code == SDWA && self.sdwa || code == DPP && self.dpp
    }

    /// What the fields say: whether a dword follows, or that one of the codes is not defined.
    #[inline]
    pub(super) fn check(&self, generation: Generation, form: Encoding, words: [u32; 2]) -> Result<Follows, Undefined> {
        if words[0] & self.flags != self.flags {
            return Err(Undefined);
        }
        let mut follows = if self.literal { Follows::Literal } else { Follows::Nothing };
        for field in self.fields.iter().flatten() {
            if field.is_literal(words) {
                if !has_room_for_literal(form) {
                    return Err(Undefined);
                }
                follows = Follows::Literal;
            } else if field.is_first_source() && self.has_modifier(field.value(words)) {
                follows = Follows::Modifier;
            } else if !field.is_defined(generation, words) {
                return Err(Undefined);
            }
        }
        Ok(follows)
    }
}

/// Whether the words of every form of the instruction hold the operand, and as many registers of it as the ISA file says.
fn is_fixed(form: Encoding, operand: &Operand) -> bool {
    match form {
        Encoding::Exp => false,
        Encoding::Mimg => operand.kind == OperandKind::Sgpr,
        Encoding::Mubuf | Encoding::Mtbuf => !matches!(operand.name.as_str(), "vdata" | "vaddr"),
        Encoding::Flat => {
            !matches!(operand.name.as_str(), "vaddr" | "saddr" | "vdst") || operand.access == Access::Write
        }
        _ => true,
    }
}

/// Where the format has its GDS or LDS bit.
const fn flag_bit(generation: Generation, form: Encoding) -> u32 {
    if matches!((generation, form), (Generation::Gcn10 | Generation::Gcn11, Encoding::Ds)) { 17 } else { 16 }
}

/// Whether a literal dword can follow the format.
const fn has_room_for_literal(form: Encoding) -> bool {
    matches!(form, Encoding::Sop2 | Encoding::Sop1 | Encoding::Sopc | Encoding::Vop2 | Encoding::Vop1 | Encoding::Vopc)
}

/// A code that the generation does not define.
pub(super) struct Undefined;

/// What follows the words of the format itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    Nothing,
    Literal,
    /// An SDWA or a DPP dword.
    Modifier,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_instruction_has_more_fields_than_are_kept() {
        for generation in Generation::ALL {
            for instruction in of(generation) {
                for form in [instruction.encoding, Encoding::Vop3] {
                    let fields = instruction.operands.iter().filter_map(|operand| field(instruction, form, operand));
                    let checked = fields.filter(|field| field.kind != FieldKind::Immediate).count();
                    assert!(checked <= FIELDS, "{} has {checked}", instruction.name);
                }
            }
        }
    }

    #[test]
    fn every_operand_stands_somewhere() {
        let elsewhere = [
            OperandKind::Literal,
            OperandKind::Flag,
            OperandKind::ScalarOffset,
            OperandKind::Attribute,
            OperandKind::Vcc,
        ];
        for generation in Generation::ALL {
            for instruction in of(generation) {
                for operand in instruction.operands.iter().filter(|operand| !elsewhere.contains(&operand.kind)) {
                    assert!(
                        field(instruction, instruction.encoding, operand).is_some(),
                        "{} {}",
                        instruction.name,
                        operand.name
                    );
                    if instruction.vop3_opcode[generation.index()].is_some() {
                        assert!(
                            field(instruction, Encoding::Vop3, operand).is_some(),
                            "{} {}",
                            instruction.name,
                            operand.name
                        );
                    }
                }
            }
        }
    }
}
