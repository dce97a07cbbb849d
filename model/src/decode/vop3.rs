//! The modifier fields of VOP3 and VOP3P.

use super::Decoded;
use super::format::{bit, bits};
use crate::isa::{Encoding, Generation, OperandKind};

/// The modifiers in the words of a VOP3 or VOP3P instruction; arrays are by source, src0 first.
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
}

impl Decoded {
    /// The modifiers, if the words are of the VOP3 or VOP3P format.
    pub fn vop3(&self) -> Option<Vop3Fields> {
        let [first, second, _] = self.words;
        let three = |word: u32, low: u32| [0, 1, 2].map(|n| bit(word, low + n));
        match self.form {
            Encoding::Vop3 => {
                // VOP3B: the scalar destination stands where the others have ABS and OP_SEL.
                let with_sdst = self.vop3_sdst().is_some();
                let old = self.generation < Generation::Gcn12;
                Some(Vop3Fields {
                    abs: if with_sdst { [false; 3] } else { three(first, 8) },
                    neg: three(second, 29),
                    omod: bits(second, 27, 2) as u8,
                    clamp: if old { !with_sdst && bit(first, 11) } else { bit(first, 15) },
                    op_sel: if with_sdst || self.generation != Generation::Gcn14 {
                        [false; 4]
                    } else {
                        [11, 12, 13, 14].map(|n| bit(first, n))
                    },
                    ..Vop3Fields::default()
                })
            }
            Encoding::Vop3p => {
                let [sel0, sel1, sel2] = three(first, 11);
                Some(Vop3Fields {
                    neg: three(second, 29),
                    neg_hi: three(first, 8),
                    clamp: bit(first, 15),
                    op_sel: [sel0, sel1, sel2, false],
                    op_sel_hi: [bit(second, 27), bit(second, 28), bit(first, 14)],
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
        (self.form == Encoding::Vop3 && (carry_out || own)).then_some(bits(self.words[0], 8, 7) as u8)
    }
}
