//! The fields of VOP3P-MAI that are no operands.

use super::{Decoded, MatrixFormat};
use crate::isa::{FieldName, InstructionClass, MatrixOperation, Operand};
use crate::quantity::Passes;

/// The properties of a matrix instruction besides its operands.
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
    /// Its shape, if it is a matrix instruction.
    pub fn matrix_operation(&self) -> Option<&'static MatrixOperation> {
        self.generation.matrix_operation(self.instruction)
    }

    /// How long these words hold the matrix unit; `None` if they are of no matrix instruction.
    pub fn passes(&self) -> Option<Passes> {
        let operation = self.matrix_operation()?;
        let is_of_bytes = |operand| self.matrix_format(operand).is_some_and(MatrixFormat::is_of_bytes);
        let slower = operation.passes_of_bytes.filter(|_| self.instruction.operands.iter().any(is_of_bytes));
        Some(slower.unwrap_or(operation.passes))
    }

    /// The format of A or B, if the words name it.
    pub fn matrix_format(&self, operand: &Operand) -> Option<MatrixFormat> {
        if !self.instruction.is(InstructionClass::MixedFormats) {
            return None;
        }
        // WMMA has them in the fields of OP_SEL.
        let code = match (operand.name.as_str(), self.instruction.is(InstructionClass::WaveMatrix)) {
            ("src0", false) => self.value(FieldName::Cbsz),
            ("src1", false) => self.value(FieldName::Blgp),
            ("src0", true) => self.value(FieldName::OpSel),
            ("src1", true) => self.value(FieldName::OpSelHi) | self.value(FieldName::OpSelHi2) << 2,
            _ => return None,
        };
        Some(MatrixFormat::of_code(code as u8))
    }

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
