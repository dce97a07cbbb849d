//! Functions of two sources.

/// A scalar or vector function of two dwords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
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
    /// b << a (the REV forms).
    ShiftLeftReversed,
    /// b >> a.
    ShiftRightReversed,
    /// Low half of a × b.
    Multiply,
    /// Low 24 bits multiplied.
    Multiply24,
}

impl Binary {
    /// The function on one dword; shift amounts are taken modulo 32, as the hardware does.
    #[inline]
    pub(super) fn apply32(self, a: u32, b: u32) -> u32 {
        match self {
            Self::ShiftLeft => a << (b & 31),
            Self::ShiftRight => a >> (b & 31),
            Self::ShiftRightArithmetic => (a as i32 >> (b & 31)) as u32,
            Self::ShiftLeftReversed => b << (a & 31),
            Self::ShiftRightReversed => b >> (a & 31),
            Self::Multiply => a.wrapping_mul(b),
            Self::Multiply24 => (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff),
            bitwise => bitwise.apply64(u64::from(a), u64::from(b)).unwrap_or(0) as u32,
        }
    }

    /// The function on 64 bits, for the bitwise ones; a shift or product of 64 bits is none of them.
    #[inline]
    pub(super) fn apply64(self, a: u64, b: u64) -> Option<u64> {
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
}
