//! Dense opcode tables: one array per processor and encoding, so that decoding is a few look-ups.

use std::sync::OnceLock;

use super::field::{Field, Part, field, of_part};
use super::follows::Follows;
use super::location::{DPP, DPP8, SDWA};
use crate::isa::{
    Access, Encoding, FieldKind, FieldName, Format, Generation, Instruction, InstructionClass, MOST_PROCESSORS,
    Operand, OperandKind, Processor, Segment,
};

/// The most fields of an instruction that can hold an undefined code: those of V_MAD_U64_U32, BUFFER_ATOMIC_ADD.
const FIELDS: usize = 5;

/// The decoder's facts about an opcode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) instruction: &'static Instruction,
    /// Size without what may follow.
    pub(super) dwords: u8,
    /// The literal that always follows.
    literal: Follows,
    sdwa: bool,
    dpp: bool,
    dpp8: bool,
    /// Bits of the words that always have the same values (GDS or LDS of what exists with it only), and those values.
    fixed: [[u32; 3]; 2],
    /// The fields that can hold a code that is not defined.
    checked: [Option<Field>; FIELDS],
    /// The field of each operand; `None` for one that is in no field of its own.
    operands: Box<[Option<Field>]>,
    /// Whether two halves of a D16 format share a register on this processor.
    pub(super) packs_halves: bool,
    /// Registers of what holds a bit for each lane of a wave.
    pub(super) mask_registers: u8,
    /// The scalar address that says that a SCRATCH instruction has no address register.
    pub(super) without_address: Option<u8>,
}

/// One processor's tables.
pub(super) struct Tables {
    by_encoding: Vec<Box<[Option<Entry>]>>,
    /// The second ones of two instructions in one, by opcode: those of VOPD, and those of VOPD3.
    seconds: [Box<[Option<Entry>]>; 2],
    /// The field of a FLAT instruction that names its segment.
    segment: Option<crate::isa::Field>,
}

const SEGMENTS: usize = 3;
/// Opcodes that a segment has room for.
const FLAT_OPCODES: usize = 256;

static TABLES: [OnceLock<Tables>; MOST_PROCESSORS] = [const { OnceLock::new() }; MOST_PROCESSORS];

impl Tables {
    #[inline]
    pub(super) fn of(processor: Processor) -> &'static Self {
        TABLES[processor.number()].get_or_init(|| Self::new(processor))
    }

    fn new(processor: Processor) -> Self {
        let generation = processor.generation;
        let rows = |encoding: Encoding| {
            let opcodes = generation.format(encoding).map_or(0, |format| usize::from(format.highest_opcode()) + 1);
            let rows = if encoding == Encoding::Flat { SEGMENTS * FLAT_OPCODES } else { opcodes };
            vec![None; rows].into_boxed_slice()
        };
        let mut by_encoding: Vec<_> = Encoding::ALL.into_iter().map(rows).collect();
        let mut set = |form: Encoding, index: usize, entry| {
            if let Some(slot) = by_encoding[form as usize].get_mut(index) {
                *slot = Some(entry);
            }
        };
        let mut seconds = [Encoding::Vopd, Encoding::Vopd3].map(|pairs| {
            let rows = generation.format(pairs).map_or(0, |format| usize::from(format.highest_second_opcode()) + 1);
            vec![None; rows].into_boxed_slice()
        });
        for instruction in processor.instructions() {
            let new = |form, part| Entry::new(instruction, form, part, processor);
            let native = new(instruction.encoding, Part::First);
            if instruction.encoding.is_pair() && !instruction.is(InstructionClass::FirstOfPair) {
                let of_form = &mut seconds[usize::from(instruction.encoding == Encoding::Vopd3)];
                of_form[usize::from(instruction.opcode)] = Some(new(instruction.encoding, Part::Second));
            }
            if !instruction.is(InstructionClass::SecondOfPair) {
                set(instruction.encoding, index(instruction.opcode, instruction.segment), native);
            }
            if let Some(opcode) = instruction.vop3_opcode {
                set(Encoding::Vop3, usize::from(opcode), new(Encoding::Vop3, Part::First));
            }
        }
        let segment = generation.format(Encoding::Flat).and_then(|format| format.field(FieldName::Seg));
        Self { by_encoding, seconds, segment }
    }

    /// The instruction that the encoding has at an opcode.
    #[inline]
    pub(super) fn get(&self, encoding: Encoding, opcode: u16, word: u32) -> Option<&Entry> {
        let segment = match self.segment {
            Some(field) if encoding == Encoding::Flat => Some(match field.value([word, 0, 0]) {
                0 => Segment::Flat,
                1 => Segment::Scratch,
                2 => Segment::Global,
                _ => return None,
            }),
            _ => None,
        };
        self.by_encoding[encoding as usize].get(index(opcode, segment))?.as_ref()
    }

    /// The second of two instructions in one that has an opcode.
    pub(super) fn second(&self, form: Encoding, opcode: u32) -> Option<&Entry> {
        self.seconds[usize::from(form == Encoding::Vopd3)].get(opcode as usize)?.as_ref()
    }
}

fn index(opcode: u16, segment: Option<Segment>) -> usize {
    let segment = segment.unwrap_or(Segment::Flat) as usize;
    // Only FLAT has a segment other than 0.
    segment * FLAT_OPCODES + usize::from(opcode)
}

impl Entry {
    fn new(instruction: &'static Instruction, form: Encoding, part: Part, processor: Processor) -> Self {
        let generation = processor.generation;
        let operands: Box<[_]> =
            instruction.operands.iter().map(|operand| field(processor, instruction, form, part, operand)).collect();
        let mut checked = [None; FIELDS];
        let fields = instruction.operands.iter().zip(&operands).filter_map(|(operand, field)| {
            field.filter(|field| field.kind() != FieldKind::Immediate && is_fixed(form, operand))
        });
        for (slot, field) in checked.iter_mut().zip(fields) {
            *slot = Some(field);
        }
        let format = generation.format(form);
        let is_long = matches!(form, Encoding::Vop3 | Encoding::Vop3p);
        let has_dpp = instruction.dpp && (!is_long || generation.vector.long_forms_have_dpp);
        let without_address = generation.flat.as_ref().and_then(|flat| flat.without_address.as_ref());
        Self {
            instruction,
            dwords: format.map_or(0, |format| format.dwords().0),
            literal: match instruction.operands.iter().find(|operand| operand.kind == OperandKind::Literal) {
                None => Follows::Nothing,
                Some(operand) if operand.registers() == 2 => Follows::WideLiteral,
                Some(_) => Follows::Literal,
            },
            sdwa: form != Encoding::Vop3 && instruction.sdwa,
            dpp: has_dpp,
            dpp8: has_dpp && generation.vector.dpp8,
            fixed: format.map_or([[0; 3]; 2], |format| fixed_bits(format, part, instruction)),
            checked,
            operands,
            packs_halves: processor.packs_halves(),
            mask_registers: processor.wave_size().div_ceil(32) as u8,
            without_address: without_address
                .filter(|it| instruction.segment == Some(Segment::Scratch) && processor.has_feature(&it.feature))
                .map(|it| it.code),
        }
    }

    /// Where the operand of that number stands; `None` if it is in no field of its own.
    pub(super) fn field(&self, operand: usize) -> Option<Field> {
        self.operands.get(operand).copied().flatten()
    }

    /// Whether the code of src0 says that an SDWA or DPP dword follows, and the instruction has that form.
    const fn has_modifier(&self, code: u16) -> bool {
        code == SDWA && self.sdwa || code == DPP && self.dpp || (code == DPP8 || code == DPP8 + 1) && self.dpp8
    }

    /// The result of the fields: whether a dword follows, or that a code is not defined.
    #[inline]
    pub(super) fn check(&self, generation: Generation, form: Encoding, words: [u32; 3]) -> Result<Follows, Undefined> {
        let [mask, value] = self.fixed;
        if [words[0] & mask[0], words[1] & mask[1], words[2] & mask[2]] != value {
            return Err(Undefined);
        }
        let mut follows = self.literal;
        for field in self.checked.iter().flatten() {
            if let Some(literal) = field.literal(generation, words) {
                // It can be no longer than the words that are kept, nor than the literal that the instruction has anyway.
                let fits = literal == Follows::Literal || self.dwords == 1 && self.literal != Follows::Literal;
                let has_room = fits && has_room_for_literal(generation, form);
                if !has_room || follows == Follows::Modifier {
                    return Err(Undefined);
                }
                if follows != Follows::WideLiteral {
                    follows = literal;
                }
            } else if field.is_first_source() && self.has_modifier(field.value(words)) {
                follows = Follows::Modifier;
            } else if !field.is_defined(generation, words) {
                return Err(Undefined);
            }
        }
        // V_NOP has no source, but its field is there.
        if self.operands.is_empty() && form == Encoding::Vop1 && self.has_modifier((words[0] & 0x1ff) as u16) {
            follows = Follows::Modifier;
        }
        Ok(follows)
    }
}

/// Whether the words of every form of the instruction hold the operand, and as many registers of it as the ISA file says.
fn is_fixed(form: Encoding, operand: &Operand) -> bool {
    match form {
        Encoding::Exp => false,
        Encoding::Mimg | Encoding::Vsample => operand.kind == OperandKind::Sgpr,
        Encoding::Mubuf | Encoding::Mtbuf => !matches!(operand.name.as_str(), "vdata" | "vaddr"),
        Encoding::Flat => {
            !matches!(operand.name.as_str(), "vaddr" | "saddr" | "vdst") || operand.access == Access::Write
        }
        _ => true,
    }
}

/// The bits that always have the same values in an instruction's words, and those values: flags (GDS or LDS) that are operands, and the
/// fields that its row names.
fn fixed_bits(format: &Format, part: Part, instruction: &Instruction) -> [[u32; 3]; 2] {
    let flags = instruction.operands.iter().filter(|operand| operand.kind == OperandKind::Flag);
    let flags = flags.filter_map(|flag| Some((FieldName::find(&flag.name)?, 1)));
    let (mut mask, mut value) = ([0; 3], [0; 3]);
    for (name, held) in flags.chain(instruction.fixed.iter().copied()) {
        format.set(&mut mask, of_part(name, part), u32::MAX);
        format.set(&mut value, of_part(name, part), held);
    }
    [mask, value]
}

/// Whether a literal dword can follow the format.
fn has_room_for_literal(generation: Generation, form: Encoding) -> bool {
    let is_long = matches!(form, Encoding::Vop3 | Encoding::Vop3p);
    is_long && generation.vector.long_forms_take_literals
        || matches!(
            form,
            Encoding::Sop2
                | Encoding::Sop1
                | Encoding::Sopc
                | Encoding::Vop2
                | Encoding::Vop1
                | Encoding::Vopc
                | Encoding::Vopd
        )
}

/// A code that the generation does not define.
pub(super) struct Undefined;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_instruction_has_more_fields_than_are_kept() {
        for processor in Processor::all() {
            for instruction in processor.instructions() {
                for form in [instruction.encoding, Encoding::Vop3] {
                    let fields = instruction
                        .operands
                        .iter()
                        .filter_map(|operand| field(processor, instruction, form, Part::First, operand));
                    let checked = fields.filter(|field| field.kind() != FieldKind::Immediate).count();
                    assert!(checked <= FIELDS, "{} has {checked}", instruction.name);
                }
            }
        }
    }

    #[test]
    fn every_operand_has_a_field() {
        let elsewhere = [
            OperandKind::Literal,
            OperandKind::Flag,
            OperandKind::ScalarOffset,
            OperandKind::Attribute,
            OperandKind::Vcc,
        ];
        for processor in Processor::all() {
            for instruction in processor.instructions() {
                for operand in instruction.operands.iter().filter(|operand| !elsewhere.contains(&operand.kind)) {
                    assert!(
                        field(processor, instruction, instruction.encoding, Part::First, operand).is_some(),
                        "{} {}",
                        instruction.name,
                        operand.name
                    );
                    if instruction.vop3_opcode.is_some() {
                        assert!(
                            field(processor, instruction, Encoding::Vop3, Part::First, operand).is_some(),
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
