//! The fields of VOP3P-MAI that are no operands.

use super::Decoded;
use crate::isa::{FieldName, InstructionClass};

/// What a matrix instruction says besides its operands.
///
/// Source: AMD "MI100 ISA" and "CDNA3 ISA", VOP3P-MAI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatrixFields {
    /// One block of A goes to two to the power of this many blocks.
    pub cbsz: u8,
    /// Which block of A that is.
    pub abid: u8,
    /// How the lanes of B are permuted.
    pub blgp: u8,
    /// Which of A, B and C are negated, where BLGP says that instead.
    pub neg: [bool; 3],
}

impl Decoded {
    /// The fields, if the words are of the VOP3P-MAI format.
    pub fn matrix(&self) -> Option<MatrixFields> {
        let negates = self.instruction.is(InstructionClass::MatrixNegation);
        self.instruction.is(InstructionClass::Matrix).then(|| MatrixFields {
            cbsz: self.value(FieldName::Cbsz) as u8,
            abid: self.value(FieldName::Abid) as u8,
            blgp: if negates { 0 } else { self.value(FieldName::Blgp) as u8 },
            neg: if negates { self.flags(FieldName::Blgp) } else { [false; 3] },
        })
    }
}
