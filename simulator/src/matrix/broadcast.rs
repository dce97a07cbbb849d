//! CBSZ and ABID give blocks of A to others; BLGP permutes the lanes of B.
//!
//! Source: AMD "CDNA3 ISA" and "CDNA4 ISA", section 7.1.6: with S = 64 / 2^CBSZ lane l of A is read from l mod S + S × ABID; 2^CBSZ above the number of blocks is
//! undefined, ABID of 2^CBSZ and more is illegal. AMD's matrix instruction calculator and its lab notes on matrix cores give each group of 2^CBSZ blocks one of its own,
//! with number ABID: the same where 2^CBSZ is the number of blocks, and undecided elsewhere. The instructions of double precision have no broadcast, and negate A, B and C by the bits of BLGP.

use crate::matrix::shape::{Shape, Sum};
use crate::state::vector_registers::LANES;
use gcn_model::decode::MatrixFields;

/// The lanes that A and B are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Broadcast {
    size: u8,
    block: u8,
    pattern: u8,
}

impl Broadcast {
    /// Every lane as it is.
    pub(crate) const NONE: Self = Self { size: 0, block: 0, pattern: 0 };

    /// The fields' meaning; `None` where no source says it.
    pub(crate) fn of(fields: &MatrixFields, shape: &Shape) -> Option<Self> {
        if shape.sum == Sum::F64 {
            return Some(Self::NONE);
        }
        if shape.is_sparse {
            return (fields.blgp == 0).then_some(Self::NONE);
        }
        let is_decided = fields.cbsz == 0 || fields.cbsz <= 4 && 1 << fields.cbsz == shape.blocks;
        (is_decided && fields.abid < 1 << fields.cbsz).then_some(Self {
            size: fields.cbsz,
            block: fields.abid,
            pattern: fields.blgp,
        })
    }

    /// The lane that a lane of A is read from.
    pub(crate) fn of_a(self, lane: usize) -> usize {
        let lanes = LANES >> self.size;
        lane % lanes + lanes * usize::from(self.block)
    }

    /// The lane that a lane of B is read from.
    pub(crate) fn of_b(self, lane: usize) -> usize {
        match self.pattern {
            1 => lane % 32,
            2 => lane % 32 + 32,
            3 => (lane + 16) % LANES,
            pattern @ 4..=7 => lane % 16 + 16 * usize::from(pattern - 4),
            _ => lane,
        }
    }
}
