//! Where a vector instruction's sources are, and what numbers its constants stand for.

use crate::state::operand::Source;
use crate::state::vector_number::vector_number;
use crate::vector::mixed::MixedSource;
use gcn_model::decode::{InlineConstant, Location};

/// How an instruction reads its constants.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Number {
    /// As numbers of the width and the kind (`F`, `I`, `U`, `B`) in its name.
    Plain { kind: char, bits: u8 },
    /// As pairs of halves.
    Packed { is_float: bool },
    /// As pairs of halves, the last source as single precision.
    Halves,
    /// As dwords, of which only the low one is told.
    Pairs,
    /// As single or as half precision, by the source.
    Mixed([MixedSource; 3]),
}

impl Number {
    /// The dword that an inline constant stands for in a source.
    ///
    /// Source: LLVM `AMDGPUBaseInfo.cpp`, getInlineEncodingV216: for packed instructions integers are extended with their sign to 32 bits;
    /// floating-point numbers are of half precision with 0 above, in integer instructions of single precision.
    fn constant(self, constant: InlineConstant, bits: u16, source: usize) -> Option<u32> {
        let of_halves = match constant {
            InlineConstant::Integer(value) => value as i32 as u32,
            float => u32::from(float.bits16()),
        };
        Some(match self {
            Self::Plain { .. } if bits == 16 => u32::from(constant.bits16()),
            Self::Plain { .. } | Self::Pairs | Self::Packed { is_float: false } => constant.bits32(),
            Self::Packed { is_float: true } => of_halves,
            Self::Halves => {
                if source < 2 {
                    of_halves
                } else if bits == 16 {
                    constant.bits16().into()
                } else {
                    constant.bits32()
                }
            }
            Self::Mixed(sources) if sources.get(source)?.half.is_some() => of_halves,
            // LLVM calls these "really f16 converted to f32", the manual reads 32 bits: where that differs, the value is unknown.
            Self::Mixed(_) => match constant {
                InlineConstant::Integer(0) => 0,
                InlineConstant::Integer(_) | InlineConstant::InverseTwoPi => return None,
                float => float.bits32(),
            },
        })
    }

    /// The 64 bits that a literal stands for: the high half of a floating-point number, or an integer.
    ///
    /// Source: AMD "GCN3 ISA", section 6.1 (literal constants); LLVM `AMDGPUAsmParser.cpp`, addLiteralImmOperand.
    fn literal64(self, value: u32) -> u64 {
        match self {
            Self::Plain { kind: 'F', bits: 64 } => u64::from(value) << 32,
            Self::Plain { kind: 'I', .. } => i64::from(value as i32) as u64,
            _ => u64::from(value),
        }
    }
}

/// The place of a source: that of this number, of this many bits.
pub(crate) fn place(location: Location, bits: u16, number: Number, source: usize) -> Option<Source> {
    Some(match location {
        Location::Sgpr(code) => Source::Scalar(code),
        Location::Vgpr(_) | Location::Agpr(_) => Source::Vector(vector_number(location)?),
        Location::Constant(constant) if bits > 32 && !matches!(number, Number::Pairs) => {
            Source::Constant(constant.bits64())
        }
        Location::Constant(constant) => Source::Constant(u64::from(number.constant(constant, bits, source)?)),
        Location::Literal(value) if bits > 32 => Source::Constant(number.literal64(value)),
        Location::Literal(value) | Location::Immediate(value) => Source::Constant(u64::from(value)),
        _ => return None,
    })
}
