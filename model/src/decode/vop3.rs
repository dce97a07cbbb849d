//! The modifier fields of VOP3 and VOP3P.

use super::Decoded;
use crate::isa::{Encoding, FieldName, InstructionClass, OperandKind};

/// The modifiers in the words of a VOP3, VOP3P or VINTERP instruction; arrays are by source, src0 first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Vop3Fields {
    /// Absolute value of a source (not in VOP3P).
    pub abs: [bool; 3],
    /// Negated source; its low half in VOP3P.
    pub neg: [bool; 3],
    /// Negated high half of a source (VOP3P).
    pub neg_hi: [bool; 3],
    /// Output modifier: 0 none, 1 times 2, 2 times 4, 3 divided by 2.
    pub omod: u8,
    /// Result clamped.
    pub clamp: bool,
    /// High half selected, by source and, last, for the destination (GCN 1.4).
    pub op_sel: [bool; 4],
    /// Half that the high half of the result is computed from (VOP3P).
    pub op_sel_hi: [bool; 3],
    /// What three bits, src0's the highest, become: V_BITOP3_*. ABS, NEG and OMOD are its bits.
    pub truth_table: Option<u8>,
}

impl Decoded {
    /// The modifiers, if the words are of the VOP3, VOP3P or VINTERP format.
    pub fn vop3(&self) -> Option<Vop3Fields> {
        match self.form {
            Encoding::Vop3 | Encoding::Vinterp => {
                // VOP3B: the scalar destination takes the place of ABS and OP_SEL, and of CLAMP before GCN 1.2.
                let format = self.generation.format(self.form)?;
                let carry = format.field(FieldName::Carry).filter(|_| self.vop3_sdst().is_some());
                let is_hidden =
                    |name| carry.zip(format.field(name)).is_some_and(|(carry, field)| carry.bits.overlaps(field.bits));
                let is_table = self.instruction.is(InstructionClass::TruthTable);
                let value = |name| self.value(name) as u8;
                let table = value(FieldName::Neg) | value(FieldName::Abs) << 3 | value(FieldName::Omod) << 6;
                let no_abs = is_table || is_hidden(FieldName::Abs);
                Some(Vop3Fields {
                    abs: if no_abs { [false; 3] } else { self.flags(FieldName::Abs) },
                    neg: if is_table { [false; 3] } else { self.flags(FieldName::Neg) },
                    omod: if is_table { 0 } else { value(FieldName::Omod) },
                    truth_table: is_table.then_some(table),
                    clamp: !is_hidden(FieldName::Clamp) && self.flag(FieldName::Clamp),
                    op_sel: if is_hidden(FieldName::OpSel) { [false; 4] } else { self.flags(FieldName::OpSel) },
                    ..Vop3Fields::default()
                })
            }
            // VOP3P-MAI has other fields in these bits.
            Encoding::Vop3p if self.instruction.is(InstructionClass::Matrix) => None,
            Encoding::Vop3p => {
                let [sel0, sel1, sel2] = self.flags(FieldName::OpSel);
                let [high0, high1] = self.flags(FieldName::OpSelHi);
                Some(Vop3Fields {
                    neg: self.flags(FieldName::Neg),
                    neg_hi: self.flags(FieldName::NegHi),
                    clamp: self.flag(FieldName::Clamp),
                    op_sel: [sel0, sel1, sel2, false],
                    op_sel_hi: [high0, high1, self.flag(FieldName::OpSelHi2)],
                    ..Vop3Fields::default()
                })
            }
            _ => None,
        }
    }

    /// The scalar destination of VOP3B (carry-out of V_ADD_I32, V_DIV_SCALE_F32, V_MAD_U64_U32), a raw scalar register code.
    pub(super) fn vop3_sdst(&self) -> Option<u8> {
        let carry_out = self.instruction.encoding == Encoding::Vop2
            && self.instruction.operands.iter().any(|o| o.kind == OperandKind::Vcc && o.is_written());
        let own = self.instruction.encoding == Encoding::Vop3 && self.has("sdst") && self.has("vdst");
        (self.form == Encoding::Vop3 && (carry_out || own)).then(|| self.value(FieldName::Carry) as u8)
    }
}
