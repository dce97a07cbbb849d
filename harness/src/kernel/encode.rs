//! The machine words of the few instructions that LLVM has no name for, written as `.long`.
//!
//! Field layouts: AMD's ISA manuals, formats SOP1, VOP1, VOP3, DS and MUBUF; example words in facts §6.1.

use gcn_model::isa::{Encoding, Generation, Instruction};

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
    let opcode = u32::from(instruction.opcode_in(generation)?);
    let (destination, sources) = operands.split_first()?;
    let source = |i: usize| sources.get(i).map_or(0, |register| register.source());
    match instruction.encoding {
        Encoding::Sop1 => {
            let word = 0b1_0111_1101 << 23 | destination.number() << 16 | opcode << 8 | source(0);
            Some(format!(".long {word:#010x}"))
        }
        Encoding::Vop1 => {
            let word = 0b011_1111 << 25 | destination.number() << 17 | opcode << 9 | source(0);
            Some(format!(".long {word:#010x}"))
        }
        Encoding::Vop3 => {
            let shift = if generation <= Generation::Gcn11 { 17 } else { 16 };
            let first = 0b11_0100 << 26 | opcode << shift | destination.number();
            let second = source(0) | source(1) << 9 | source(2) << 18;
            Some(format!(".long {first:#010x}, {second:#010x}"))
        }
        Encoding::Ds => {
            // vdst, addr, data0.
            let shift = if generation <= Generation::Gcn11 { 18 } else { 17 };
            let first = 0b11_0110 << 26 | opcode << shift;
            let number = |i: usize| sources.get(i).map_or(0, |register| register.number());
            let second = destination.number() << 24 | number(1) << 8 | number(0);
            Some(format!(".long {first:#010x}, {second:#010x}"))
        }
        Encoding::Mubuf => {
            // vdata, vaddr, srsrc; soffset is the constant 0.
            let bit = |word: &str, bit: u32| u32::from(modifiers.split(' ').any(|given| given == word)) << bit;
            let flags = bit("offen", 12) | bit("idxen", 13) | bit("glc", 14);
            let first = 0b11_1000 << 26 | opcode << 18 | flags;
            let number = |i: usize| sources.get(i).map_or(0, |register| register.number());
            let second = 0x80 << 24 | (number(1) / 4) << 16 | destination.number() << 8 | number(0);
            Some(format!(".long {first:#010x}, {second:#010x}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::isa::find;

    #[test]
    fn gives_the_example_words_of_the_facts() {
        let long = |name, generation, operands: &[Register]| {
            find(name, generation).and_then(|instruction| long(instruction, generation, operands, ""))
        };
        let (v0, v1) = (Register::Vector(0), Register::Vector(1));
        assert_eq!(long("V_MOV_FED_B32", Generation::Gcn10, &[v0, v1]).as_deref(), Some(".long 0x7e001301"));
        assert_eq!(long("V_MOV_PRSV_B32", Generation::Gcn14, &[v0, v1]).as_deref(), Some(".long 0x7e006d01"));
        let (s0, s1) = (Register::Scalar(0), Register::Scalar(1));
        assert_eq!(long("S_MOV_REGRD_B32", Generation::Gcn10, &[s0, s1]).as_deref(), Some(".long 0xbe803301"));
        assert_eq!(long("S_MOV_REGRD_B32", Generation::Gcn12, &[s0, s1]).as_deref(), Some(".long 0xbe802f01"));
        let qsad = long("V_QSAD_U8", Generation::Gcn10, &[v0, v0, v0, v0]).unwrap_or_default();
        assert!(qsad.starts_with(".long 0xd2e40000, "), "{qsad}");
        let exchange = |generation| long("DS_CONDXCHG32_RTN_B128", generation, &[v0, v1, v0]);
        assert_eq!(exchange(Generation::Gcn11).as_deref(), Some(".long 0xdbf40000, 0x00000001"));
        assert_eq!(exchange(Generation::Gcn12).as_deref(), Some(".long 0xd9fa0000, 0x00000001"));
        let rsub = |name| long(name, Generation::Gcn10, &[v0, v1, Register::Scalar(24)]);
        assert_eq!(rsub("BUFFER_ATOMIC_RSUB").as_deref(), Some(".long 0xe0d00000, 0x80060001"));
        assert_eq!(rsub("BUFFER_ATOMIC_RSUB_X2").as_deref(), Some(".long 0xe1500000, 0x80060001"));
    }
}
