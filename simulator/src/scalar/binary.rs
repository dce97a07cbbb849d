//! Functions of two sources.

use crate::state::bits::Bits;

/// A scalar or vector function of two dwords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    /// a & b.
    And,
    /// a & !b.
    AndNot,
    /// a | b.
    Or,
    /// a | !b.
    OrNot,
    /// a ^ b.
    Xor,
    /// !(a & b).
    Nand,
    /// !(a | b).
    Nor,
    /// !(a ^ b).
    Xnor,
    /// !a & b (the SAVEEXEC forms of GCN 1.4).
    NotAnd,
    /// !a | b.
    NotOr,
    /// a << b.
    ShiftLeft,
    /// a >> b, zeros in.
    ShiftRight,
    /// a >> b, sign in.
    ShiftRightArithmetic,
    /// Low half of a × b.
    Multiply,
}

impl Binary {
    /// The function on one dword; shift amounts are taken modulo 32, as the hardware does.
    #[inline]
    pub(crate) fn apply32(self, a: u32, b: u32) -> u32 {
        match self {
            Self::ShiftLeft => a << (b & 31),
            Self::ShiftRight => a >> (b & 31),
            Self::ShiftRightArithmetic => (a as i32 >> (b & 31)) as u32,
            Self::Multiply => a.wrapping_mul(b),
            bitwise => bitwise.apply64(u64::from(a), u64::from(b)).unwrap_or(0) as u32,
        }
    }

    /// The function on 64 bits, for the bitwise ones; not a shift or product of 64 bits.
    #[inline]
    pub(crate) fn apply64(self, a: u64, b: u64) -> Option<u64> {
        Some(match self {
            Self::And => a & b,
            Self::AndNot => a & !b,
            Self::Or => a | b,
            Self::OrNot => a | !b,
            Self::Xor => a ^ b,
            Self::Nand => !(a & b),
            Self::Nor => !(a | b),
            Self::Xnor => !(a ^ b),
            Self::NotAnd => !a & b,
            Self::NotOr => !a | b,
            _ => return None,
        })
    }

    /// Likewise for partly known bits: a bit of the result is known where a source alone decides it, too.
    pub(crate) fn apply_bits(self, a: Bits, b: Bits) -> Option<Bits> {
        let both = a.known & b.known;
        let (a_ones, a_zeros) = (a.known & a.value, a.known & !a.value);
        let (b_ones, b_zeros) = (b.known & b.value, b.known & !b.value);
        let known = both
            | match self {
                Self::And | Self::Nand => a_zeros | b_zeros,
                Self::Or | Self::Nor => a_ones | b_ones,
                Self::AndNot => a_zeros | b_ones,
                Self::OrNot => a_ones | b_zeros,
                Self::NotAnd => a_ones | b_zeros,
                Self::NotOr => a_zeros | b_ones,
                _ => 0,
            };
        Some(Bits { value: self.apply64(a.value, b.value)? & known, known })
    }
}
