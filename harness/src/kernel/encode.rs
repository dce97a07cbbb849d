//! The machine words of the few instructions that LLVM has no name for, written as `.long`; example words are in facts §6.1.

use gcn_model::isa::{Encoding, FieldName, Format, Generation, Instruction};

/// A register operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Register {
    /// First SGPR.
    Scalar(u8),
    /// First VGPR.
    Vector(u8),
}

impl Register {
    fn source(self) -> u32 {
        match self {
            Self::Scalar(register) => u32::from(register),
            Self::Vector(register) => 256 + u32::from(register),
        }
    }

    fn number(self) -> u32 {
        match self {
            Self::Scalar(register) | Self::Vector(register) => u32::from(register),
        }
    }
}

/// The `.long` line of an instruction whose first operand is the destination, with modifiers as LLVM would write them; `None` for
/// a format that none of them has.
pub(super) fn long(
    instruction: &Instruction,
    generation: Generation,
    operands: &[Register],
    modifiers: &str,
) -> Option<String> {
    let format = generation.format(instruction.encoding)?;
    let mut words = Words { format, words: format.words(instruction.opcode) };
    let (destination, sources) = operands.split_first()?;
    let source = |i: usize| sources.get(i).map_or(0, |register| register.source());
    let number = |i: usize| sources.get(i).map_or(0, |register| register.number());
    match instruction.encoding {
        Encoding::Sop1 => words.set(FieldName::Sdst, destination.number()).set(FieldName::Ssrc0, source(0)),
        Encoding::Vop1 => words.set(FieldName::Vdst, destination.number()).set(FieldName::Src0, source(0)),
        Encoding::Vop3 => words
            .set(FieldName::Vdst, destination.number())
            .set(FieldName::Src0, source(0))
            .set(FieldName::Src1, source(1))
            .set(FieldName::Src2, source(2)),
        Encoding::Ds => words
            .set(FieldName::Vdst, destination.number())
            .set(FieldName::Addr, number(0))
            .set(FieldName::Data0, number(1)),
        Encoding::Mubuf => {
            for (word, field) in [("offen", FieldName::Offen), ("idxen", FieldName::Idxen), ("glc", FieldName::Glc)] {
                words.set(field, u32::from(modifiers.split(' ').any(|given| given == word)));
            }
            words
                .set(FieldName::Vdata, destination.number())
                .set(FieldName::Vaddr, number(0))
                .set(FieldName::Srsrc, number(1) / 4)
                .set(FieldName::Soffset, CONSTANT_0)
        }
        _ => return None,
    };
    let [first, second, third] = words.words;
    Some(match format.dwords().0 {
        1 => format!(".long {first:#010x}"),
        2 => format!(".long {first:#010x}, {second:#010x}"),
        _ => format!(".long {first:#010x}, {second:#010x}, {third:#010x}"),
    })
}

/// Half of a pair by its fields: its row, its destination, and the fields of its sources.
pub(super) type PairHalf = (&'static Instruction, u8, [u8; 2]);

/// The words of two instructions in one (VOPD) that read vector registers alone, whatever rules they break; `None` where there is no such format,
/// or where both destinations are even or odd: the second one's lowest bit is no part of the words.
pub(super) fn pair([first, second]: [PairHalf; 2], generation: Generation, literal: Option<u32>) -> Option<Vec<u32>> {
    let format = generation.format(Encoding::Vopd)?;
    if (first.1 ^ second.1) & 1 == 0 {
        return None;
    }
    let mut words = Words { format, words: format.words(first.0.opcode) };
    let source = |register: u8| Register::Vector(register).source();
    words
        .set(FieldName::OpcodeY, second.0.opcode.into())
        .set(FieldName::Vdst, first.1.into())
        .set(FieldName::Src0, source(first.2[0]))
        .set(FieldName::Vsrc1, first.2[1].into())
        .set(FieldName::VdstY, u32::from(second.1 >> 1))
        .set(FieldName::SrcY0, source(second.2[0]))
        .set(FieldName::VsrcY1, second.2[1].into());
    Some(words.words.into_iter().take(2).chain(literal).collect())
}

/// The constant 0 as a source.
const CONSTANT_0: u32 = 0x80;

/// The words of an instruction, field by field.
struct Words {
    format: &'static Format,
    words: [u32; 3],
}

impl Words {
    /// Puts a value into a field, if the format has it.
    fn set(&mut self, field: FieldName, value: u32) -> &mut Self {
        self.format.set(&mut self.words, field, value);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::isa::{find, generation};

    #[test]
    fn a_pair_that_llvm_takes_has_llvms_words() {
        let generation = generation("gfx11");
        let row = |name| find(name, generation).unwrap_or_else(|| panic!("{name}"));
        let add = |destination, sources| (row("V_DUAL_ADD_F32"), destination, sources);
        // v_dual_add_f32 v8, v1, v2 :: v_dual_add_f32 v9, v5, v6; these share both banks, which words can say.
        let words = pair([add(8, [1, 2]), add(9, [5, 6])], generation, None);
        assert_eq!(words, Some(vec![0xc908_0501, 0x0808_0d05]));
        assert_eq!(pair([add(8, [1, 2]), add(10, [5, 6])], generation, None), None);
        // v_dual_fmaak_f32 v8, v1, v2, 0x1234 :: v_dual_mov_b32 v9, v6
        let with_literal = [(row("V_DUAL_FMAAK_F32"), 8, [1, 2]), (row("V_DUAL_MOV_B32"), 9, [6, 0])];
        assert_eq!(pair(with_literal, generation, Some(0x1234)), Some(vec![0xc850_0501, 0x0808_0106, 0x1234]));
    }

    #[test]
    fn gives_the_example_words_of_the_facts() {
        let long = |name, generation, operands: &[Register]| {
            find(name, generation).and_then(|instruction| long(instruction, generation, operands, ""))
        };
        let (v0, v1) = (Register::Vector(0), Register::Vector(1));
        assert_eq!(long("V_MOV_FED_B32", generation("gfx6"), &[v0, v1]).as_deref(), Some(".long 0x7e001301"));
        assert_eq!(long("V_MOV_PRSV_B32", generation("gfx9"), &[v0, v1]).as_deref(), Some(".long 0x7e006d01"));
        let (s0, s1) = (Register::Scalar(0), Register::Scalar(1));
        assert_eq!(long("S_MOV_REGRD_B32", generation("gfx6"), &[s0, s1]).as_deref(), Some(".long 0xbe803301"));
        assert_eq!(long("S_MOV_REGRD_B32", generation("gfx8"), &[s0, s1]).as_deref(), Some(".long 0xbe802f01"));
        let qsad = long("V_QSAD_U8", generation("gfx6"), &[v0, v0, v0, v0]).unwrap_or_default();
        assert!(qsad.starts_with(".long 0xd2e40000, "), "{qsad}");
        let exchange = |generation| long("DS_CONDXCHG32_RTN_B128", generation, &[v0, v1, v0]);
        assert_eq!(exchange(generation("gfx7")).as_deref(), Some(".long 0xdbf40000, 0x00000001"));
        assert_eq!(exchange(generation("gfx8")).as_deref(), Some(".long 0xd9fa0000, 0x00000001"));
        let rsub = |name| long(name, generation("gfx6"), &[v0, v1, Register::Scalar(24)]);
        assert_eq!(rsub("BUFFER_ATOMIC_RSUB").as_deref(), Some(".long 0xe0d00000, 0x80060001"));
        assert_eq!(rsub("BUFFER_ATOMIC_RSUB_X2").as_deref(), Some(".long 0xe1500000, 0x80060001"));
    }
}
