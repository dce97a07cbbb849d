//! Inline constants: the values that a source field can name without a register or a literal.

use std::fmt;

/// A constant in a source field.
///
/// Source: AMD "Southern Islands ISA" and "GCN3 ISA", scalar operand encodings 128 to 208 and 240 to 248.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InlineConstant {
    /// An integer from -16 to 64.
    Integer(i8),
    /// 0.5
    Half,
    /// -0.5
    MinusHalf,
    /// 1.0
    One,
    /// -1.0
    MinusOne,
    /// 2.0
    Two,
    /// -2.0
    MinusTwo,
    /// 4.0
    Four,
    /// -4.0
    MinusFour,
    /// 1/(2π), of GCN 1.2 and later
    InverseTwoPi,
}

impl InlineConstant {
    /// The constant that a source code (128–208, 240–248) names.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            128..=192 => Self::Integer((code - 128) as i8),
            193..=208 => Self::Integer(192u8.wrapping_sub(code) as i8),
            240 => Self::Half,
            241 => Self::MinusHalf,
            242 => Self::One,
            243 => Self::MinusOne,
            244 => Self::Two,
            245 => Self::MinusTwo,
            246 => Self::Four,
            247 => Self::MinusFour,
            248 => Self::InverseTwoPi,
            _ => return None,
        })
    }

    /// The value that a 32-bit operand reads: integers sign-extended, floats in single precision.
    pub const fn bits32(self) -> u32 {
        match self {
            Self::Integer(value) => value as i32 as u32,
            Self::InverseTwoPi => 0x3e22_f983,
            float => (float.float() as f32).to_bits(),
        }
    }

    /// The value that a 64-bit operand reads: integers sign-extended, floats in double precision.
    pub const fn bits64(self) -> u64 {
        match self {
            Self::Integer(value) => value as i64 as u64,
            Self::InverseTwoPi => 0x3fc4_5f30_6dc9_c882,
            float => float.float().to_bits(),
        }
    }

    /// The value that a 16-bit operand reads: integers sign-extended, floats in half precision.
    pub const fn bits16(self) -> u16 {
        match self {
            Self::Integer(value) => value as i16 as u16,
            Self::Half => 0x3800,
            Self::MinusHalf => 0xb800,
            Self::One => 0x3c00,
            Self::MinusOne => 0xbc00,
            Self::Two => 0x4000,
            Self::MinusTwo => 0xc000,
            Self::Four => 0x4400,
            Self::MinusFour => 0xc400,
            Self::InverseTwoPi => 0x3118,
        }
    }

    const fn float(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Half => 0.5,
            Self::MinusHalf => -0.5,
            Self::One => 1.0,
            Self::MinusOne => -1.0,
            Self::Two => 2.0,
            Self::MinusTwo => -2.0,
            Self::Four => 4.0,
            Self::MinusFour => -4.0,
            Self::InverseTwoPi => 0.5 * std::f64::consts::FRAC_1_PI,
        }
    }
}

impl fmt::Display for InlineConstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::InverseTwoPi => f.write_str("0.15915494"),
            float => write!(f, "{:?}", float.float()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_values() {
        let of = |code| InlineConstant::from_code(code);
        assert_eq!(of(128), Some(InlineConstant::Integer(0)));
        assert_eq!(of(192), Some(InlineConstant::Integer(64)));
        assert_eq!(of(193), Some(InlineConstant::Integer(-1)));
        assert_eq!(of(208), Some(InlineConstant::Integer(-16)));
        assert_eq!(of(209), None);
        assert_eq!(of(239), None);
        assert_eq!(of(249), None);
        assert_eq!(of(243).map(InlineConstant::bits32), Some((-1f32).to_bits()));
        assert_eq!(of(246).map(InlineConstant::bits64), Some(4f64.to_bits()));
        assert_eq!(of(193).map(InlineConstant::bits64), Some(u64::MAX));
        assert_eq!(of(241).map(InlineConstant::bits16), Some(0xb800));
    }
}
