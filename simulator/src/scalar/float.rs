//! Scalar instructions of single precision: their results are those of the vector instructions of the same name.
//!
//! Source: AMD "RDNA 3.5 ISA" and "RDNA 4 ISA", SOP1, SOP2 and SOPC opcode tables. Those of half precision have no function here.

use std::cmp::Ordering;

use crate::float::conversion;
use crate::float::format::Format;
use crate::float::precision::Float32;
use crate::state::mode::Mode;

/// A scalar function of numbers of single precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScalarFloat {
    Add,
    Subtract,
    Multiply,
    Minimum,
    Maximum,
    /// The first two sources multiplied, the third one added, and rounded once.
    Fused,
    /// The same of what the destination holds, which is the first source, and the two others: these are multiplied.
    Accumulate,
    Ceiling,
    Floor,
    Truncate,
    Nearest,
    FromSigned,
    FromUnsigned,
    ToSigned,
    ToUnsigned,
    FromHalf,
    ToHalf,
}

impl ScalarFloat {
    /// The function of an instruction.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "S_ADD_F32" => Self::Add,
            "S_SUB_F32" => Self::Subtract,
            "S_MUL_F32" => Self::Multiply,
            "S_MIN_F32" => Self::Minimum,
            "S_MAX_F32" => Self::Maximum,
            "S_FMAAK_F32" | "S_FMAMK_F32" => Self::Fused,
            "S_FMAC_F32" => Self::Accumulate,
            "S_CEIL_F32" => Self::Ceiling,
            "S_FLOOR_F32" => Self::Floor,
            "S_TRUNC_F32" => Self::Truncate,
            "S_RNDNE_F32" => Self::Nearest,
            "S_CVT_F32_I32" => Self::FromSigned,
            "S_CVT_F32_U32" => Self::FromUnsigned,
            "S_CVT_I32_F32" => Self::ToSigned,
            "S_CVT_U32_F32" => Self::ToUnsigned,
            "S_CVT_F32_F16" => Self::FromHalf,
            "S_CVT_F16_F32" => Self::ToHalf,
            _ => return None,
        })
    }

    /// Sources that it has.
    pub(crate) fn sources(self) -> usize {
        match self {
            Self::Add | Self::Subtract | Self::Multiply | Self::Minimum | Self::Maximum => 2,
            Self::Fused | Self::Accumulate => 3,
            _ => 1,
        }
    }

    /// The result.
    pub(crate) fn compute(self, [a, b, c]: [u32; 3], mode: &Mode) -> u32 {
        let number = f32::from_bits(a);
        match self {
            Self::Add => Float32::add(a, b, mode),
            Self::Subtract => Float32::subtract(a, b, mode),
            Self::Multiply => Float32::multiply(a, b, mode),
            Self::Minimum => Float32::minimum(a, b, mode),
            Self::Maximum => Float32::maximum(a, b, mode),
            Self::Fused => Float32::fused(a, b, c, mode),
            Self::Accumulate => Float32::fused(b, c, a, mode),
            Self::Ceiling => Float32::ceiling(a, mode),
            Self::Floor => Float32::floor(a, mode),
            Self::Truncate => Float32::truncate(a, mode),
            Self::Nearest => Float32::nearest(a, mode),
            Self::FromSigned => (a as i32 as f32).to_bits(),
            Self::FromUnsigned => (a as f32).to_bits(),
            Self::ToSigned => number as i32 as u32,
            Self::ToUnsigned => number as u32,
            Self::FromHalf => conversion::of_half_bits(a, mode),
            Self::ToHalf => conversion::to_half(a, mode) & 0xffff,
        }
    }
}

/// What S_CMP_*_F32 asks of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FloatComparison {
    less: bool,
    equal: bool,
    greater: bool,
    unordered: bool,
}

impl FloatComparison {
    /// The comparison of an instruction.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let relation = name.strip_prefix("S_CMP_")?.strip_suffix("_F32")?;
        // Those whose names begin with N are the negations, and hold on NaNs.
        let (relation, negates) = relation.strip_prefix('N').map_or((relation, false), |relation| (relation, true));
        let [less, equal, greater, unordered] = match relation {
            "LT" => [true, false, false, false],
            "EQ" => [false, true, false, false],
            "LE" => [true, true, false, false],
            "GT" => [false, false, true, false],
            "LG" => [true, false, true, false],
            "GE" => [false, true, true, false],
            "O" if !negates => [true, true, true, false],
            "U" if !negates => [false, false, false, true],
            _ => return None,
        }
        .map(|holds| holds != negates);
        Some(Self { less, equal, greater, unordered })
    }

    /// Whether it holds; denormals count as the mode says.
    pub(crate) fn holds(self, a: u32, b: u32, mode: &Mode) -> bool {
        match Float32::read(a, mode).partial_cmp(&Float32::read(b, mode)) {
            Some(Ordering::Less) => self.less,
            Some(Ordering::Equal) => self.equal,
            Some(Ordering::Greater) => self.greater,
            None => self.unordered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::code_object::ProgramRegisters;
    use gcn_model::isa::Processor;

    #[test]
    fn scalar_numbers_are_rounded_and_compared() {
        let generation = Processor::find("gfx1201").unwrap().generation;
        let keeps_denormals = ProgramRegisters { rsrc1: 0xf0 << 12, rsrc2: 0, rsrc3: 0 };
        let mode = Mode::of(keeps_denormals, generation);
        let of = |name: &str, sources: [f32; 3]| {
            f32::from_bits(ScalarFloat::of(name).unwrap().compute(sources.map(f32::to_bits), &mode))
        };
        assert_eq!(of("S_SUB_F32", [1.0, 0.25, 0.0]), 0.75);
        assert_eq!(of("S_FMAC_F32", [1.0, 3.0, 0.5]), 2.5);
        assert_eq!(of("S_RNDNE_F32", [2.5, 0.0, 0.0]), 2.0);
        assert_eq!(ScalarFloat::of("S_CVT_I32_F32").unwrap().compute([(-2.9_f32).to_bits(), 0, 0], &mode) as i32, -2);
        let holds =
            |name: &str, a: f32, b: f32| FloatComparison::of(name).unwrap().holds(a.to_bits(), b.to_bits(), &mode);
        assert!(holds("S_CMP_LT_F32", 1.0, 2.0) && !holds("S_CMP_LT_F32", f32::NAN, 2.0));
        assert!(holds("S_CMP_NGE_F32", f32::NAN, 2.0) && !holds("S_CMP_NGE_F32", 2.0, 2.0));
        assert!(FloatComparison::of("S_CMP_LT_F16").is_none() && ScalarFloat::of("S_ADD_F16").is_none());
    }
}
