//! One instruction: a row of the ISA files.

use super::{Encoding, Generation, Operand};

/// One row of the ISA files: an instruction in its native encoding.
///
/// An instruction whose operands differ between generations (V_ADD_U32 of GCN 1.2 and of 1.4) is two rows
/// with the same name and disjoint generations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// Upper-case name as on the published page: `V_ADD_F64`.
    pub name: String,
    /// Native encoding.
    pub encoding: Encoding,
    /// Opcode in each generation, by [`Generation::index`]; `None` where the generation lacks it.
    pub opcode: [Option<u16>; 4],
    /// Opcode of the VOP3 form of a VOP1, VOP2 or VOPC instruction, by generation; `None` where there is none.
    pub vop3_opcode: [Option<u16>; 4],
    /// Operands in the order of the assembly text.
    pub operands: Vec<Operand>,
    /// Name that LLVM's assembler knows it by (lower case), where that differs from `name`; empty if LLVM has none.
    pub llvm_name: Option<String>,
    /// Where the row's facts come from.
    pub source: String,
}

impl Instruction {
    /// Whether the generation has this instruction.
    pub fn exists_in(&self, generation: Generation) -> bool {
        self.opcode[generation.index()].is_some()
    }
}
