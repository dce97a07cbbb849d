//! The places of an instruction's operands in its words.

use super::follows::Follows;
use super::location::{LITERAL, Location, VGPRS, WIDE_LITERAL};
use super::{Aperture, MatrixFormat};
use crate::isa::{
    self, Encoding, FieldKind, FieldName, Generation, Instruction, InstructionClass, Operand, OperandKind, Processor,
};

/// The registers that the number of a vector register is one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum File {
    Vgprs,
    Agprs,
    /// AGPRs where this bit is set.
    Said(isa::Field),
}

/// The field of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    /// Its place, and its content for this operand.
    field: isa::Field,
    /// How many registers the operand takes; the fewest, where the words decide it.
    registers: u8,
    /// Which vector registers it names.
    file: File,
    /// Whether the highest bit of a VGPR's number says which half of the register is meant.
    names_halves: bool,
    /// The field of a register whose lowest bit is the other one of this register's, which has none of its own (VOPD).
    beside: Option<isa::Field>,
}

/// Which of two instructions in one: of everything but VOPD there is the first alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    First,
    Second,
}

/// The bit that says that the high half of a register is meant.
const HIGH_HALF: u8 = 0x80;

impl Field {
    pub(super) const fn kind(self) -> FieldKind {
        self.field.kind
    }

    /// The field's value.
    #[inline]
    pub(super) const fn value(self, words: [u32; 3]) -> u16 {
        let value = self.field.value(words) as u16;
        match self.beside {
            None => value,
            Some(beside) => value << 1 | (!beside.value(words) & 1) as u16,
        }
    }

    /// Whether the words name the high half of a register.
    pub(super) fn is_high(self, generation: Generation, words: [u32; 3]) -> bool {
        self.names_halves
            && matches!(self.whole(generation, words, None), Some(Location::Vgpr(code)) if code & HIGH_HALF != 0)
    }

    /// Whether the field says something that the generation defines; a literal is said to be.
    #[inline]
    pub(super) fn is_defined(self, generation: Generation, words: [u32; 3]) -> bool {
        let value = self.value(words);
        let tuple_exists = |code: u8| generation.operand_codes.tuple_exists(code, self.registers);
        match self.field.kind {
            FieldKind::Immediate | FieldKind::Signed => true,
            FieldKind::Vgpr => value + u16::from(self.registers) <= 256,
            FieldKind::Scalar => value < 128 && tuple_exists(value as u8),
            FieldKind::ScalarPair => tuple_exists(value as u8 * 2),
            FieldKind::ScalarQuad => tuple_exists(value as u8 * 4),
            FieldKind::ScalarSource | FieldKind::VectorSource => {
                match Location::from_source(generation, value, Some(0)) {
                    None => false,
                    Some(Location::Sgpr(code)) => tuple_exists(code),
                    Some(Location::Vgpr(first)) => u16::from(first) + u16::from(self.registers) <= 256,
                    // LDS_DIRECT is a dword, and vector instructions alone can read it.
                    Some(Location::LdsDirect) => self.field.kind == FieldKind::VectorSource && self.registers == 1,
                    Some(Location::Aperture(Aperture::FlatScratchBaseHigh)) => self.registers == 1,
                    Some(_) => true,
                }
            }
            FieldKind::VectorRegister | FieldKind::VectorRegisterOrConstant => {
                match Location::from_source(generation, value, None) {
                    Some(Location::Vgpr(first)) => u16::from(first) + u16::from(self.registers) <= 256,
                    Some(Location::Constant(_)) => self.field.kind == FieldKind::VectorRegisterOrConstant,
                    _ => false,
                }
            }
        }
    }

    /// Where the operand is.
    pub(super) fn location(self, generation: Generation, words: [u32; 3], literal: Option<u64>) -> Option<Location> {
        Some(match self.whole(generation, words, literal)? {
            Location::Vgpr(code) if self.names_halves => Location::Vgpr(code & !HIGH_HALF),
            Location::Vgpr(register) if self.names_agprs(words) => Location::Agpr(register),
            other => other,
        })
    }

    /// The register that the field's value names, as a whole register.
    fn whole(self, generation: Generation, words: [u32; 3], literal: Option<u64>) -> Option<Location> {
        let value = self.value(words);
        Some(match self.field.kind {
            FieldKind::Immediate => Location::Immediate(self.field.value(words)),
            FieldKind::Signed => Location::Immediate(self.field.number(words) as u32),
            FieldKind::Vgpr => Location::Vgpr(value as u8),
            FieldKind::Scalar => Location::Sgpr(value as u8),
            FieldKind::ScalarPair => Location::Sgpr(value as u8 * 2),
            FieldKind::ScalarQuad => Location::Sgpr(value as u8 * 4),
            FieldKind::ScalarSource
            | FieldKind::VectorSource
            | FieldKind::VectorRegister
            | FieldKind::VectorRegisterOrConstant => Location::from_source(generation, value, literal)?,
        })
    }

    /// Whether the number of a vector register is that of an AGPR.
    fn names_agprs(self, words: [u32; 3]) -> bool {
        match self.file {
            File::Vgprs => false,
            File::Agprs => true,
            File::Said(bit) => bit.value(words) == 1,
        }
    }

    /// The literal that follows, if the field is a source that says so.
    #[inline]
    pub(super) fn literal(self, generation: Generation, words: [u32; 3]) -> Option<Follows> {
        match self.field.kind {
            FieldKind::ScalarSource | FieldKind::VectorSource => match self.value(words) {
                LITERAL => Some(Follows::Literal),
                WIDE_LITERAL if generation.operand_codes.wide_literals => Some(Follows::WideLiteral),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the field is src0 of VOP1, VOP2 or VOPC, or of VOP3.
    #[inline]
    pub(super) const fn is_first_source(self) -> bool {
        matches!(self.field.kind, FieldKind::VectorSource) && matches!(self.field.bits.low, 0 | 32)
    }
}

const _: () = assert!(VGPRS == 256, "a source field has one bit more than a VGPR field");

/// Where an operand stands if the instruction is in the given form; `None` if it is in no field of its own: the native
/// form's VCC, a literal, a flag, the offset of SMRD and SMEM, an interpolation attribute.
pub(super) fn field(
    processor: Processor,
    instruction: &Instruction,
    form: Encoding,
    part: Part,
    operand: &Operand,
) -> Option<Field> {
    let generation = processor.generation;
    let format = generation.format(form)?;
    let name = of_part(field_name(instruction, form, operand)?, part);
    let field = format.field(name)?;
    let kind = match (operand.kind, field.kind) {
        (OperandKind::Immediate | OperandKind::Label, _) => FieldKind::Immediate,
        (OperandKind::Mask, FieldKind::Vgpr) => FieldKind::Scalar,
        (OperandKind::Agpr | OperandKind::VectorRegister, FieldKind::VectorSource) => FieldKind::VectorRegister,
        (OperandKind::Vgpr, FieldKind::VectorSource)
            if instruction.is(InstructionClass::Matrix) || instruction.is(InstructionClass::VgprsAlone) =>
        {
            FieldKind::VectorRegister
        }
        (OperandKind::VectorRegisterSource | OperandKind::VgprOrConstant, _) => FieldKind::VectorRegisterOrConstant,
        (_, kind) => kind,
    };
    let said = |name| format.field(name).map(File::Said);
    let file = match operand.kind {
        OperandKind::Agpr => File::Agprs,
        OperandKind::VectorRegister | OperandKind::VectorRegisterSource => {
            matrix_bit(&operand.name).and_then(said).unwrap_or(File::Agprs)
        }
        _ if is_data(&operand.name) => said(FieldName::Acc).unwrap_or(File::Vgprs),
        _ => File::Vgprs,
    };
    let registers = match operand.name.as_str() {
        "src0" | "src1" if instruction.is(InstructionClass::MixedFormats) => {
            MatrixFormat::Fp4.registers(operand.registers())
        }
        _ => operand.registers_of_wave(processor.wave_size()),
    };
    let is_short = matches!(form, Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc);
    Some(Field {
        field: isa::Field { kind, ..field },
        registers,
        file,
        names_halves: generation.vector.halves_are_registers && is_short && operand.bits == 16,
        beside: if name == FieldName::VdstY && form == Encoding::Vopd { format.field(FieldName::Vdst) } else { None },
    })
}

/// The field that replaces another one in a part of the words.
pub(super) const fn of_part(name: FieldName, part: Part) -> FieldName {
    match (part, name) {
        (Part::Second, FieldName::Src0) => FieldName::SrcY0,
        (Part::Second, FieldName::Vsrc1) => FieldName::VsrcY1,
        (Part::Second, FieldName::Vsrc2) => FieldName::VsrcY2,
        (Part::Second, FieldName::Vdst) => FieldName::VdstY,
        _ => name,
    }
}

/// The bit of VOP3P-MAI that says where an operand is.
pub(super) fn matrix_bit(operand: &str) -> Option<FieldName> {
    Some(match operand {
        "vdst" | "src2" => FieldName::AccCd,
        "src0" => FieldName::Acc0,
        "src1" => FieldName::Acc1,
        _ => return None,
    })
}

/// Whether an operand of a memory instruction is data, which AGPRs can hold where the format has the bit for it.
fn is_data(operand: &str) -> bool {
    matches!(operand, "vdst" | "vdata" | "data" | "data0" | "data1")
}

/// The name of an operand's field. In the VOP3 form some operands are in a field of another name.
pub(super) fn field_name(instruction: &Instruction, form: Encoding, operand: &Operand) -> Option<FieldName> {
    let is_elsewhere = matches!(
        operand.kind,
        OperandKind::Literal | OperandKind::Flag | OperandKind::ScalarOffset | OperandKind::Attribute
    );
    let has_vdst = || instruction.operands.iter().any(|operand| operand.name == "vdst");
    match (form, operand.name.as_str()) {
        _ if is_elsewhere => None,
        // VOP3B has its scalar destination in addition to the vector one; the others (compares, V_READLANE_B32) have it instead.
        (Encoding::Vop3, "sdst") if has_vdst() => Some(FieldName::Carry),
        (Encoding::Vop3, "vcc") if operand.is_written() && has_vdst() => Some(FieldName::Carry),
        (Encoding::Vop3, "vcc") if operand.is_read() => Some(FieldName::Src2),
        (Encoding::Vop3, "sdst" | "vcc") => Some(FieldName::Sdst),
        (Encoding::Vop3 | Encoding::Vop3p, "vsrc1" | "ssrc1" | "vsrc") => Some(FieldName::Src1),
        (_, name) => FieldName::find(name),
    }
}
