//! The elements of matrices, and how registers hold them.

use crate::float::format::Format;
use crate::float::half::of_half;
use crate::float::precision::{Float16, Float32};
use crate::float::small::SmallFormat;
use crate::state::vector_registers::LANES;
use gcn_model::decode::MatrixFormat;
use gcn_model::isa::EightBitFloats;

/// A type of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    F64,
    F32,
    /// Single precision of which ten bits of the fraction take part.
    Xf32,
    F16,
    Bf16,
    I8,
    Small(SmallFormat),
}

impl Element {
    /// The type of a name's part: `BF16`. What eight bits mean is the generation's.
    pub(crate) fn named(name: &str, eight_bits: Option<EightBitFloats>) -> Option<Self> {
        Some(match (name, eight_bits) {
            ("F64", _) => Self::F64,
            ("F32", _) => Self::F32,
            ("XF32", _) => Self::Xf32,
            ("F16", _) => Self::F16,
            ("BF16", _) => Self::Bf16,
            ("I8", _) => Self::I8,
            ("FP8", Some(EightBitFloats::Fnuz)) => Self::Small(SmallFormat::FP8_FNUZ),
            ("BF8", Some(EightBitFloats::Fnuz)) => Self::Small(SmallFormat::BF8_FNUZ),
            ("FP8", Some(EightBitFloats::Ocp)) => Self::Small(SmallFormat::FP8),
            ("BF8", Some(EightBitFloats::Ocp)) => Self::Small(SmallFormat::BF8),
            _ => return None,
        })
    }

    /// The type of a format that an instruction of F8F6F4 names; `None` of a code that names none.
    pub(crate) fn of_format(format: MatrixFormat) -> Option<Self> {
        Some(Self::Small(match format {
            MatrixFormat::Fp8 => SmallFormat::FP8,
            MatrixFormat::Bf8 => SmallFormat::BF8,
            MatrixFormat::Fp6 => SmallFormat::FP6,
            MatrixFormat::Bf6 => SmallFormat::BF6,
            MatrixFormat::Fp4 => SmallFormat::FP4,
            MatrixFormat::Unknown(_) => return None,
        }))
    }

    /// Bits of an element.
    pub(crate) fn bits(self) -> usize {
        match self {
            Self::F64 => 64,
            Self::F32 | Self::Xf32 => 32,
            Self::F16 | Self::Bf16 => 16,
            Self::I8 => 8,
            Self::Small(format) => format.bits() as usize,
        }
    }

    /// Whether denormals are those of half precision or of BF16.
    pub(crate) fn is_half(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16)
    }

    /// The number; `None` of a NaN, and of a denormal of 16 bits.
    pub(crate) fn plain(self, bits: u32) -> Option<f64> {
        let is_denormal = match self {
            Self::F16 => Float16::flush(bits, true) != bits,
            Self::Bf16 => Float32::flush(bits << 16, true) != bits << 16,
            _ => false,
        };
        let value = f64::from(self.single(bits.into(), false));
        (!is_denormal && !value.is_nan()).then_some(value)
    }

    /// The number in single precision, which holds all but those of 64 bits; its denormals as zero if `flush` says so.
    #[inline(always)]
    pub(crate) fn single(self, bits: u64, flush: bool) -> f32 {
        let bits = bits as u32;
        match self {
            Self::F16 => of_half(Float16::flush(bits, flush)) as f32,
            Self::Bf16 => f32::from_bits(Float32::flush(bits << 16, flush)),
            Self::F32 => f32::from_bits(Float32::flush(bits, flush)),
            Self::Xf32 => ten_bits(bits),
            Self::Small(format) => format.number(bits),
            Self::F64 | Self::I8 => f32::NAN,
        }
    }
}

/// A number of single precision rounded to ten bits of the fraction, to the even one of two.
///
/// The CDNA3 ISA says that the fraction has ten bits, and not how it gets them: that is undecided.
fn ten_bits(bits: u32) -> f32 {
    if Float32::is_nan(bits) {
        return f32::NAN;
    }
    let (kept, rest) = (bits & !0x1fff, bits & 0x1fff);
    let up = rest > 0x1000 || rest == 0x1000 && kept & 0x2000 != 0;
    f32::from_bits(if up { kept + 0x2000 } else { kept })
}

/// Element `item` of a lane, in registers that hold elements in sequence from the lowest bit on.
///
/// Source: AMD "CDNA4 ISA", section 7.1.4: 64-bit elements take two registers, low half first; smaller ones lie packed, those of 6 bits across registers.
#[inline(always)]
pub(crate) fn bits(registers: &[[u32; LANES]], lane: usize, item: usize, width: usize) -> u64 {
    let first = item * width;
    let (register, shift) = (first / 32, first % 32);
    let low = u64::from(registers[register][lane]);
    let high = if shift + width > 32 { u64::from(registers[register + 1][lane]) } else { 0 };
    let both = low | high << 32;
    if width == 64 { both } else { both >> shift & ((1 << width) - 1) }
}
