//! One instruction: a row of the ISA files.

use std::borrow::Cow;

use super::{Encoding, FieldName, InstructionClass, InstructionClasses, Operand, OperandKind};
use crate::quantity::Dwords;

/// The address space that a FLAT-encoded instruction names in its SEG field (GCN 1.4); always `Flat` before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// Global memory, LDS or scratch, decided by the address.
    Flat,
    /// Scratch memory.
    Scratch,
    /// Global memory.
    Global,
}

/// An instruction of a generation, in its native encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// Upper-case name as in the CLRX table: `V_ADD_F64`.
    pub name: String,
    /// Native encoding.
    pub encoding: Encoding,
    /// Size in the native encoding without what may follow.
    pub(super) own_dwords: Dwords,
    /// Address space of a FLAT-encoded instruction; `None` for every other encoding.
    pub segment: Option<Segment>,
    /// Opcode in the native encoding.
    pub opcode: u16,
    /// Opcode of the VOP3 form of a VOP1, VOP2, VOPC or VINTRP instruction; `None` without that form.
    pub vop3_opcode: Option<u16>,
    /// Whether LLVM knows an SDWA form.
    pub sdwa: bool,
    /// Whether LLVM knows a DPP form.
    pub dpp: bool,
    /// The features that a target has to have for the instruction to be this one, or to lack (`-` before the name), with spaces between
    /// them; `wavefrontsize32` is one of waves of 32 lanes. `None` where it is the same on all targets of the generation.
    pub feature: Option<String>,
    /// The instruction that does the same under another name: what earlier generations call it, and of half of a pair (VOPD) the one that
    /// stands alone.
    pub same_as: Option<String>,
    /// Fields of the format that always hold the same, in whichever form has them.
    pub fixed: Vec<(FieldName, u32)>,
    /// Whether a MUBUF load has a form that returns its data to LDS.
    pub lds: bool,
    /// Whether an image instruction returns one component of four texels, which DMASK chooses, in four registers.
    pub gathers: bool,
    /// Operands in the order of the assembly text.
    pub operands: Vec<Operand>,
    /// Name that LLVM's assembler knows it by (lower case), where that differs from `name`; empty if LLVM has none.
    pub llvm_name: Option<String>,
    /// Where the row's facts come from.
    pub source: String,
    /// What else is true of it.
    pub classes: InstructionClasses,
}

impl Instruction {
    /// Whether it is of a class.
    #[inline]
    pub fn is(&self, class: InstructionClass) -> bool {
        self.classes.has(class)
    }

    /// Its operand of a name, if it has one.
    pub fn operand(&self, name: &str) -> Option<&Operand> {
        self.operands.iter().find(|operand| operand.name == name)
    }

    /// Whether the scalar ALU executes it: that is all of its encodings but what has nothing but an immediate (S_VERSION), which the
    /// thread traces of RDNA 3 and 4 show as an instruction of no unit.
    pub fn is_scalar_alu(&self) -> bool {
        matches!(self.encoding, Encoding::Sop1 | Encoding::Sop2 | Encoding::Sopk | Encoding::Sopc)
            && self.operands.iter().any(|operand| operand.kind != OperandKind::Immediate)
    }

    /// Whether it reads or writes a hardware register.
    pub fn is_of_hardware_register(&self) -> bool {
        self.is(InstructionClass::GetRegister) || self.is(InstructionClass::SetRegister)
    }

    /// Whether the matrix unit executes it: it multiplies a matrix A by a matrix B. V_ACCVGPR_READ_B32 and V_ACCVGPR_WRITE_B32, of the same
    /// encoding, only move.
    pub fn is_matrix_operation(&self) -> bool {
        self.is(InstructionClass::Matrix) && self.operand("src1").is_some()
    }

    /// The name of its operation: that of the older name, or for half of a pair (VOPD) of the single instruction.
    pub fn canonical_name(&self) -> &str {
        self.same_as.as_deref().unwrap_or(&self.name)
    }

    /// Size with the literal that is always there (V_MADMK_F32), if there is one, and without one that may be.
    pub fn dwords(&self) -> Dwords {
        let has_literal = self.operands.iter().any(|operand| operand.kind == OperandKind::Literal);
        Dwords(self.own_dwords.0 + u8::from(has_literal))
    }

    /// The mnemonic that LLVM's assembler takes, in lower case; `None` if LLVM has no name for the instruction,
    /// so that its encoding has to be written as `.long`.
    pub fn llvm_mnemonic(&self) -> Option<Cow<'_, str>> {
        match self.llvm_name.as_deref() {
            None => Some(Cow::Owned(self.name.to_ascii_lowercase())),
            Some("") => None,
            Some(name) => Some(Cow::Borrowed(name)),
        }
    }
}
