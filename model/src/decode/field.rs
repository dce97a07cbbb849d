//! Where the operands stand in the words, format by format.
//!
//! Source: AMD's "Southern Islands", "Sea Islands", "GCN3" and "Vega" ISA manuals, chapter "Microcode Formats".

use super::location::{LITERAL, Location, VGPRS, tuple_exists};
use crate::isa::{Encoding, Generation, Instruction, Operand, OperandKind};

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldKind {
    /// A number.
    Immediate,
    /// A VGPR.
    Vgpr,
    /// A raw scalar register code.
    Scalar,
    /// Half of a scalar register code (SBASE).
    ScalarPair,
    /// A quarter of a scalar register code (SRSRC, SSAMP).
    ScalarQuad,
    /// A scalar source code.
    ScalarSource,
    /// A scalar source or a VGPR.
    VectorSource,
}

/// A field of the first two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) kind: FieldKind,
    /// Lowest bit; bits of the second word count from 32 on.
    low: u8,
    width: u8,
    /// How many registers the operand takes.
    registers: u8,
}

impl Field {
    const fn new(kind: FieldKind, low: u8, width: u8, registers: u8) -> Self {
        Self { kind, low, width, registers }
    }

    /// The field's value.
    pub(super) const fn value(self, words: [u32; 2]) -> u16 {
        let pair = words[0] as u64 | (words[1] as u64) << 32;
        (pair >> self.low) as u16 & (((1u32 << self.width) - 1) as u16)
    }

    /// Whether the field says something that the generation defines; a literal is said to be.
    #[inline]
    pub(super) fn is_defined(self, generation: Generation, words: [u32; 2]) -> bool {
        let value = self.value(words);
        match self.kind {
            FieldKind::Immediate => true,
            FieldKind::Vgpr => value + u16::from(self.registers) <= 256,
            FieldKind::Scalar => tuple_exists(generation, value as u8, self.registers),
            FieldKind::ScalarPair => tuple_exists(generation, value as u8 * 2, self.registers),
            FieldKind::ScalarQuad => tuple_exists(generation, value as u8 * 4, self.registers),
            FieldKind::ScalarSource | FieldKind::VectorSource => {
                match Location::from_source(generation, value, Some(0)) {
                    None => false,
                    Some(Location::Sgpr(code)) => tuple_exists(generation, code, self.registers),
                    Some(Location::Vgpr(first)) => u16::from(first) + u16::from(self.registers) <= 256,
                    // LDS_DIRECT is a dword, and vector instructions alone can read it.
                    Some(Location::LdsDirect) => self.kind == FieldKind::VectorSource && self.registers == 1,
                    Some(_) => true,
                }
            }
        }
    }

    /// Where the operand is.
    pub(super) fn location(self, generation: Generation, words: [u32; 2], literal: Option<u32>) -> Option<Location> {
        let value = self.value(words);
        match self.kind {
            FieldKind::Immediate => Some(Location::Immediate(value.into())),
            FieldKind::Vgpr => Some(Location::Vgpr(value as u8)),
            FieldKind::Scalar => Some(Location::Sgpr(value as u8)),
            FieldKind::ScalarPair => Some(Location::Sgpr(value as u8 * 2)),
            FieldKind::ScalarQuad => Some(Location::Sgpr(value as u8 * 4)),
            FieldKind::ScalarSource | FieldKind::VectorSource => Location::from_source(generation, value, literal),
        }
    }

    /// Whether the field is a source that says that a literal dword follows.
    pub(super) const fn is_literal(self, words: [u32; 2]) -> bool {
        matches!(self.kind, FieldKind::ScalarSource | FieldKind::VectorSource) && self.value(words) == LITERAL
    }

    /// Whether the field is src0 of VOP1, VOP2 or VOPC.
    pub(super) const fn is_first_source(self) -> bool {
        matches!(self.kind, FieldKind::VectorSource) && self.low == 0
    }
}

const _: () = assert!(VGPRS == 256, "a source field has one bit more than a VGPR field");

/// Where an operand stands if the instruction is in the given form; `None` if it is in no field of its own: the native
/// form's VCC, a literal, a flag, the offset of SMRD and SMEM, an interpolation attribute.
pub(super) fn field(instruction: &Instruction, form: Encoding, operand: &Operand) -> Option<Field> {
    use FieldKind::{Immediate, Scalar, ScalarPair, ScalarQuad, ScalarSource, VectorSource, Vgpr};
    if matches!(
        operand.kind,
        OperandKind::Literal | OperandKind::Flag | OperandKind::ScalarOffset | OperandKind::Attribute
    ) {
        return None;
    }
    let immediate = matches!(operand.kind, OperandKind::Immediate | OperandKind::Label);
    let (kind, low, width) = match (form, operand.name.as_str()) {
        (Encoding::Sop2 | Encoding::Sop1 | Encoding::Sopk, "sdst") => (Scalar, 16, 7),
        (Encoding::Sop2 | Encoding::Sop1 | Encoding::Sopc, "ssrc0") => (ScalarSource, 0, 8),
        (Encoding::Sopc, "ssrc1") if immediate => (Immediate, 8, 8),
        (Encoding::Sop2 | Encoding::Sopc, "ssrc1") => (ScalarSource, 8, 8),
        (Encoding::Sopk | Encoding::Sopp, "simm16") => (Immediate, 0, 16),
        (Encoding::Smrd, "sdata") => (Scalar, 15, 7),
        (Encoding::Smrd, "sbase") => (ScalarPair, 9, 6),
        (Encoding::Smem, "sdata") if immediate => (Immediate, 6, 7),
        (Encoding::Smem, "sdata") => (Scalar, 6, 7),
        (Encoding::Smem, "sbase") => (ScalarPair, 0, 6),
        (Encoding::Vop2 | Encoding::Vop1, "vdst") => (Vgpr, 17, 8),
        (Encoding::Vop2 | Encoding::Vop1, "sdst") => (Scalar, 17, 7),
        (Encoding::Vop2 | Encoding::Vop1 | Encoding::Vopc, "src0") => (VectorSource, 0, 9),
        (Encoding::Vop2 | Encoding::Vopc, "vsrc1") => (Vgpr, 9, 8),
        (Encoding::Vop2, "ssrc1") => (ScalarSource, 9, 8),
        (Encoding::Vop3 | Encoding::Vop3p, "vdst") => (Vgpr, 0, 8),
        // VOP3B has its scalar destination beside the vector one, the others (compares, V_READLANE_B32) in its place.
        (Encoding::Vop3, "sdst") if has_vdst(instruction) => (Scalar, 8, 7),
        (Encoding::Vop3, "vcc") if operand.is_written() && has_vdst(instruction) => (Scalar, 8, 7),
        (Encoding::Vop3, "vcc") if operand.is_read() => (VectorSource, 50, 9),
        (Encoding::Vop3, "sdst" | "vcc") => (Scalar, 0, 8),
        (Encoding::Vop3 | Encoding::Vop3p, "src0") => (VectorSource, 32, 9),
        (Encoding::Vop3, "vsrc") if immediate => (Immediate, 41, 9),
        (Encoding::Vop3 | Encoding::Vop3p, "src1" | "vsrc1" | "ssrc1" | "vsrc") => (VectorSource, 41, 9),
        (Encoding::Vop3 | Encoding::Vop3p, "src2") => (VectorSource, 50, 9),
        (Encoding::Vintrp, "vdst") => (Vgpr, 18, 8),
        (Encoding::Vintrp, "vsrc") if immediate => (Immediate, 0, 8),
        (Encoding::Vintrp, "vsrc") => (Vgpr, 0, 8),
        (Encoding::Ds, "addr") | (Encoding::Flat | Encoding::Mubuf | Encoding::Mtbuf | Encoding::Mimg, "vaddr") => {
            (Vgpr, 32, 8)
        }
        (Encoding::Ds, "data0") | (Encoding::Flat, "data") => (Vgpr, 40, 8),
        (Encoding::Mubuf | Encoding::Mtbuf | Encoding::Mimg, "vdata") => (Vgpr, 40, 8),
        (Encoding::Ds, "data1") => (Vgpr, 48, 8),
        (Encoding::Ds | Encoding::Flat, "vdst") => (Vgpr, 56, 8),
        (Encoding::Ds, "offset") => (Immediate, 0, 16),
        (Encoding::Ds, "offset0") => (Immediate, 0, 8),
        (Encoding::Ds, "offset1") => (Immediate, 8, 8),
        (Encoding::Mubuf | Encoding::Mtbuf | Encoding::Mimg, "srsrc") => (ScalarQuad, 48, 5),
        (Encoding::Mubuf | Encoding::Mtbuf, "soffset") => (ScalarSource, 56, 8),
        (Encoding::Mtbuf, "format") => (Immediate, 19, 7),
        (Encoding::Flat, "saddr") => (Scalar, 48, 7),
        (Encoding::Mimg, "ssamp") => (ScalarQuad, 53, 5),
        (Encoding::Exp, "tgt") => (Immediate, 4, 6),
        (Encoding::Exp, "src0") => (Vgpr, 32, 8),
        (Encoding::Exp, "src1") => (Vgpr, 40, 8),
        (Encoding::Exp, "src2") => (Vgpr, 48, 8),
        (Encoding::Exp, "src3") => (Vgpr, 56, 8),
        _ => return None,
    };
    Some(Field::new(kind, low, width, operand.registers()))
}

fn has_vdst(instruction: &Instruction) -> bool {
    instruction.operands.iter().any(|operand| operand.name == "vdst")
}
