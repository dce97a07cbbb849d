//! The words of an instruction whose operands are registers: what decoding reads, written.

use super::Location;
use super::field::{field_name, matrix_bit};
use crate::isa::{Encoding, FieldKind, Generation, Instruction, OperandKind};

/// The code of the constant 0, and of VGPR 0, among vector sources.
const CONSTANT: u32 = 0x80;
const VGPRS: u32 = 256;

/// The words of a vector instruction in one of its forms with its operands in these registers, in the order of its row; an operand
/// without one is the constant 0. Everything else of it is 0.
///
/// `None` for other encodings, for operands that no register can be, and where their number is another.
pub fn words(
    generation: Generation,
    instruction: &Instruction,
    form: Encoding,
    operands: &[Option<Location>],
) -> Option<Vec<u32>> {
    use Encoding::{Vop1, Vop2, Vop3, Vop3p, Vopc};
    if !matches!(form, Vop1 | Vop2 | Vopc | Vop3 | Vop3p) {
        return None;
    }
    filled(generation, instruction, form, operands)
}

/// Likewise for a scalar instruction with one or two sources.
///
/// `None` for other encodings, for operands that no scalar register can be, and where their number is another.
pub fn scalar_words(
    generation: Generation,
    instruction: &Instruction,
    operands: &[Option<Location>],
) -> Option<Vec<u32>> {
    if !matches!(instruction.encoding, Encoding::Sop1 | Encoding::Sop2) {
        return None;
    }
    filled(generation, instruction, instruction.encoding, operands)
}

fn filled(
    generation: Generation,
    instruction: &Instruction,
    form: Encoding,
    operands: &[Option<Location>],
) -> Option<Vec<u32>> {
    if operands.len() != instruction.operands.len() {
        return None;
    }
    let format = generation.format(form)?;
    let opcode = if form == instruction.encoding { instruction.opcode } else { instruction.vop3_opcode? };
    let mut words = format.words(opcode);
    for (operand, location) in instruction.operands.iter().zip(operands) {
        let field = field_name(instruction, form, operand).and_then(|name| Some((name, format.field(name)?)));
        let Some((name, field)) = field else {
            // VCC has no field in the short forms.
            if operand.kind == OperandKind::Vcc {
                continue;
            }
            return None;
        };
        let number = match (location, field.kind) {
            (Some(Location::Vgpr(number) | Location::Agpr(number)), FieldKind::Vgpr) => u32::from(*number),
            (Some(Location::Vgpr(number) | Location::Agpr(number)), _) => VGPRS + u32::from(*number),
            (Some(Location::Sgpr(code)), _) => u32::from(*code),
            (None, _) => CONSTANT,
            _ => return None,
        };
        format.set(&mut words, name, number);
        if let (Some(Location::Agpr(_)), Some(bit)) = (location, matrix_bit(&operand.name)) {
            // C and D are in one file, and one bit says so of both.
            if format.field(bit).is_some_and(|field| field.value(words) == 0) {
                format.set(&mut words, bit, 1);
            }
        }
    }
    Some(words[..usize::from(format.dwords().0)].to_vec())
}
