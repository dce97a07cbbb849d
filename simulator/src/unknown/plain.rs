//! The words of a row in a form without modifiers, with each operand in registers of its own.

use gcn_model::isa::{
    Encoding, FieldKind, FieldName, Format, Instruction, InstructionClass, Operand, OperandKind, Processor, Segment,
};

/// First register of the operand of this number: tuples of 32 find room, and pairs and quads of scalars are aligned.
const VECTOR_STRIDE: u32 = 40;
const SCALAR_STRIDE: u32 = 16;
/// The code of the first VGPR among vector sources.
const VGPRS: u32 = 256;
/// Immediates of instructions of which not every one has a model: hwreg(HW_REG_MODE, 0, 10), the barrier that every group has (−1, as a number
/// and as the code of a constant), the message that asks for the time.
const IMMEDIATES: [(&str, u32); 8] = [
    ("S_GETREG_B32", 0x4801),
    ("S_SETREG_B32", 0x4801),
    ("S_SETREG_IMM32_B32", 0x4801),
    ("S_BARRIER_WAIT", 0xffff),
    ("S_BARRIER_SIGNAL", 193),
    ("S_BARRIER_SIGNAL_ISFIRST", 193),
    ("S_SENDMSG_RTN_B32", 131),
    ("S_SENDMSG_RTN_B64", 131),
];
/// A scalar register where there may be none: an address of its own.
const NO_ADDRESS: u32 = 2;
/// A literal: as two halves, and as a number of single precision, it is an ordinary number.
const LITERAL: u32 = 0x3c12_3d34;

/// The words of a row in a form; `None` where the generation has no such form.
pub(crate) fn words(processor: Processor, row: &Instruction, form: Encoding) -> Option<Vec<u32>> {
    let format = processor.generation.format(form)?;
    if form == Encoding::Vopd {
        return Some(pair(format, row));
    }
    let opcode = if form == row.encoding { row.opcode } else { row.vop3_opcode? };
    let mut words = format.words(opcode);
    for (name, value) in &row.fixed {
        format.set(&mut words, *name, *value);
    }
    if let Some(segment) = row.segment {
        format.set(&mut words, FieldName::Seg, segment as u32);
        // A FLAT instruction has no scalar address, which the register that is always 0 says.
        if let (Segment::Flat, Some(null)) = (segment, processor.generation.operand_codes.null) {
            format.set(&mut words, FieldName::Saddr, null.into());
        }
    }
    for (number, operand) in (0..).zip(&row.operands) {
        let Some(name) = field(row, form, operand) else { continue };
        let Some(kind) = format.field(name).map(|field| field.kind) else { continue };
        format.set(&mut words, name, value(row, operand, kind, number));
    }
    // Packed halves: the low result of low halves, the high one of high halves.
    let is_mixed = row.name.contains("_MIX");
    if form == Encoding::Vop3p && !row.is(InstructionClass::Matrix) && !is_mixed {
        format.set(&mut words, FieldName::OpSelHi, 3);
        format.set(&mut words, FieldName::OpSelHi2, 1);
    }
    let mut all = words[..usize::from(format.dwords().0)].to_vec();
    if row.operands.iter().any(|operand| operand.kind == OperandKind::Literal) {
        all.push(LITERAL);
    }
    Some(all)
}

fn value(row: &Instruction, operand: &Operand, kind: FieldKind, number: u32) -> u32 {
    let is_vector = matches!(
        operand.kind,
        OperandKind::Vgpr
            | OperandKind::VectorSource
            | OperandKind::VectorRegister
            | OperandKind::VectorRegisterSource
            | OperandKind::VgprOrConstant
            | OperandKind::Agpr
    );
    let immediate = IMMEDIATES.iter().find(|(name, _)| *name == row.name);
    let is_immediate = operand.kind == OperandKind::Immediate || row.operands.len() == 1;
    match (operand.kind, kind) {
        _ if let Some((_, value)) = immediate.filter(|_| is_immediate) => *value,
        (OperandKind::Flag, _) => 1,
        (OperandKind::ScalarAddress, _) => NO_ADDRESS,
        (_, FieldKind::Immediate | FieldKind::Signed) => 0,
        (_, FieldKind::Vgpr) => VECTOR_STRIDE * number,
        _ if is_vector => VGPRS + VECTOR_STRIDE * number,
        (_, FieldKind::ScalarPair) => SCALAR_STRIDE * number / 2,
        (_, FieldKind::ScalarQuad) => SCALAR_STRIDE * number / 4,
        _ => SCALAR_STRIDE * number,
    }
}

/// Two instructions in one: the other one moves a register of another bank into a register with an odd number.
fn pair(format: &Format, row: &Instruction) -> Vec<u32> {
    const MOVE: u16 = 8;
    let is_first = format.highest_opcode() >= row.opcode;
    let (first, second) = if is_first { (row.opcode, MOVE) } else { (MOVE, row.opcode) };
    let mut words = format.words(first);
    let second_source = |opcode: u16, register: u32| if opcode == MOVE { 0 } else { register };
    for (name, value) in [
        (FieldName::OpcodeY, second.into()),
        (FieldName::Vdst, 4),
        (FieldName::VdstY, 9 / 2),
        (FieldName::Src0, VGPRS + 40),
        (FieldName::Vsrc1, second_source(first, 81)),
        (FieldName::SrcY0, VGPRS + 122),
        (FieldName::VsrcY1, second_source(second, 163)),
    ] {
        format.set(&mut words, name, value);
    }
    let mut all = words[..2].to_vec();
    if row.operands.iter().any(|operand| operand.kind == OperandKind::Literal) {
        all.push(LITERAL);
    }
    all
}

/// The field of an operand.
fn field(row: &Instruction, form: Encoding, operand: &Operand) -> Option<FieldName> {
    let has_vdst = row.operand("vdst").is_some();
    match (form, operand.name.as_str()) {
        (Encoding::Vop3, "sdst" | "vcc") if operand.is_written() && has_vdst => Some(FieldName::Carry),
        (Encoding::Vop3, "vcc") if operand.is_read() => Some(FieldName::Src2),
        (Encoding::Vop3, "sdst" | "vcc") => Some(FieldName::Sdst),
        (Encoding::Vop3 | Encoding::Vop3p, "vsrc1" | "ssrc1" | "vsrc") => Some(FieldName::Src1),
        (_, name) => FieldName::find(name),
    }
}
