//! Scalar instructions of half and single precision: they compute what the vector instructions of the same name compute.
//!
//! Source: AMD "RDNA 3.5 ISA" and "RDNA4 ISA", section 6.8 and the SOP1, SOP2 and SOPC opcode tables: those of half precision read the low halves of
//! their sources, and the high half of their result is zero. The approximations of RDNA 4 (V_S_RCP_F32) are known where the vector ones are.

use std::cmp::Ordering;

use crate::float::conversion;
use crate::float::format::Format;
use crate::float::precision::{Float16, Float32};
use crate::state::mode::Mode;
use crate::vector::approximate::{self, Values};

/// The floating-point function of a scalar instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScalarFloat {
    function: Function,
    /// Sources and result are of half precision.
    is_half: bool,
    /// Which values an approximation has.
    values: Values,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Function {
    Add,
    Subtract,
    Multiply,
    Minimum,
    Maximum,
    /// The minimum, or a NaN.
    Least,
    Greatest,
    /// The first two sources multiplied, the third one added, and rounded once.
    Fused,
    /// Likewise with the destination's old value, which is the first source, and the two others: these are multiplied.
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
    FromHighHalf,
    ToHalf,
    /// Both sources, rounded toward zero.
    ToHalves,
    /// What the vector instruction of this name gives.
    Approximation(&'static str),
}

impl ScalarFloat {
    /// The function of an instruction.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let conversion = match name {
            "S_CVT_F32_I32" => Some(Function::FromSigned),
            "S_CVT_F32_U32" => Some(Function::FromUnsigned),
            "S_CVT_I32_F32" => Some(Function::ToSigned),
            "S_CVT_U32_F32" => Some(Function::ToUnsigned),
            "S_CVT_F32_F16" => Some(Function::FromHalf),
            "S_CVT_HI_F32_F16" => Some(Function::FromHighHalf),
            "S_CVT_F16_F32" => Some(Function::ToHalf),
            "S_CVT_PK_RTZ_F16_F32" => Some(Function::ToHalves),
            _ => None,
        };
        if let Some(function) = conversion {
            return Some(Self { function, is_half: function == Function::FromHalf, values: Values::Special });
        }
        let (operation, format) = name.rsplit_once('_')?;
        let function = match operation {
            "S_ADD" => Function::Add,
            "S_SUB" => Function::Subtract,
            "S_MUL" => Function::Multiply,
            "S_MIN" => Function::Minimum,
            "S_MAX" => Function::Maximum,
            "S_MINIMUM" => Function::Least,
            "S_MAXIMUM" => Function::Greatest,
            "S_FMAAK" | "S_FMAMK" => Function::Fused,
            "S_FMAC" => Function::Accumulate,
            "S_CEIL" => Function::Ceiling,
            "S_FLOOR" => Function::Floor,
            "S_TRUNC" => Function::Truncate,
            "S_RNDNE" => Function::Nearest,
            "V_S_EXP" => Function::Approximation("V_EXP"),
            "V_S_LOG" => Function::Approximation("V_LOG"),
            "V_S_RCP" => Function::Approximation("V_RCP"),
            "V_S_RSQ" => Function::Approximation("V_RSQ"),
            "V_S_SQRT" => Function::Approximation("V_SQRT"),
            _ => return None,
        };
        is_half(format).map(|is_half| Self { function, is_half, values: Values::Special })
    }

    /// Whether all of its values are computed by the host, though no manual gives their bits.
    pub(crate) fn is_approximate(self) -> bool {
        self.values == Values::Approximate
    }

    /// With such values, if it is an approximation.
    pub(crate) fn approximated(self) -> Self {
        match self.function {
            Function::Approximation(_) => Self { values: Values::Approximate, ..self },
            _ => self,
        }
    }

    /// Sources that it has.
    pub(crate) fn sources(self) -> usize {
        match self.function {
            Function::Add | Function::Subtract | Function::Multiply | Function::ToHalves => 2,
            Function::Minimum | Function::Maximum | Function::Least | Function::Greatest => 2,
            Function::Fused | Function::Accumulate => 3,
            _ => 1,
        }
    }

    /// The bits of a source that it reads.
    pub(crate) fn read_bits(self) -> u32 {
        match self.function {
            Function::FromHighHalf => 0xffff_0000,
            _ if self.is_half => 0xffff,
            _ => u32::MAX,
        }
    }

    /// The result; `None` of an approximation.
    pub(crate) fn compute(self, sources: [u32; 3], mode: &Mode) -> Option<u32> {
        let [a, b, _] = sources;
        let number = f32::from_bits(a);
        Some(match self.function {
            Function::FromSigned => (a as i32 as f32).to_bits(),
            Function::FromUnsigned => (a as f32).to_bits(),
            Function::ToSigned => number as i32 as u32,
            Function::ToUnsigned => number as u32,
            Function::FromHalf => conversion::of_half_bits(a, mode),
            Function::FromHighHalf => conversion::of_half_bits(a >> 16, mode),
            Function::ToHalf => conversion::to_half(a, mode) & 0xffff,
            Function::ToHalves => {
                conversion::to_half_toward_zero(a, mode) | conversion::to_half_toward_zero(b, mode) << 16
            }
            Function::Approximation(name) => self.approximation(name, a, mode)?,
            function if self.is_half => arithmetic::<Float16>(function, sources, mode)?,
            function => arithmetic::<Float32>(function, sources, mode)?,
        })
    }

    /// The result of a vector instruction, where that is known.
    fn approximation(self, name: &str, a: u32, mode: &Mode) -> Option<u32> {
        let format = if self.is_half { "F16" } else { "F32" };
        let (result, known) = approximate::of(&format!("{name}_{format}"), self.values)?.of_dwords([a; 3], mode)?;
        (self.is_approximate() || known & 1 == 1).then_some(result)
    }
}

/// Whether a format is half precision; `None` if it is neither that nor single precision.
fn is_half(format: &str) -> Option<bool> {
    match format {
        "F16" => Some(true),
        "F32" => Some(false),
        _ => None,
    }
}

fn arithmetic<F: Format<Bits = u32>>(function: Function, [a, b, c]: [u32; 3], mode: &Mode) -> Option<u32> {
    Some(match function {
        Function::Add => F::add(a, b, mode),
        Function::Subtract => F::subtract(a, b, mode),
        Function::Multiply => F::multiply(a, b, mode),
        Function::Minimum => F::minimum(a, b, mode),
        Function::Maximum => F::maximum(a, b, mode),
        Function::Least => F::least(a, b, mode),
        Function::Greatest => F::greatest(a, b, mode),
        Function::Fused => F::fused(a, b, c, mode),
        Function::Accumulate => F::fused(b, c, a, mode),
        Function::Ceiling => F::ceiling(a, mode),
        Function::Floor => F::floor(a, mode),
        Function::Truncate => F::truncate(a, mode),
        Function::Nearest => F::nearest(a, mode),
        _ => return None,
    })
}

/// What S_CMP_*_F16 and S_CMP_*_F32 ask of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FloatComparison {
    less: bool,
    equal: bool,
    greater: bool,
    unordered: bool,
    is_half: bool,
}

impl FloatComparison {
    /// The comparison of an instruction.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let (relation, format) = name.strip_prefix("S_CMP_")?.rsplit_once('_')?;
        let is_half = is_half(format)?;
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
        Some(Self { less, equal, greater, unordered, is_half })
    }

    /// The bits of a source that it reads.
    pub(crate) fn read_bits(self) -> u32 {
        if self.is_half { 0xffff } else { u32::MAX }
    }

    /// Whether it holds; denormals count as the mode says.
    pub(crate) fn holds(self, a: u32, b: u32, mode: &Mode) -> bool {
        let order = match self.is_half {
            true => Float16::read(a, mode).partial_cmp(&Float16::read(b, mode)),
            false => Float32::read(a, mode).partial_cmp(&Float32::read(b, mode)),
        };
        match order {
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

    fn mode() -> Mode {
        Mode::starting(0xf0, "gfx12")
    }

    #[test]
    fn scalar_numbers_are_rounded_and_compared() {
        let mode = mode();
        let of = |name: &str, sources: [f32; 3]| {
            f32::from_bits(ScalarFloat::of(name).unwrap().compute(sources.map(f32::to_bits), &mode).unwrap())
        };
        assert_eq!(of("S_SUB_F32", [1.0, 0.25, 0.0]), 0.75);
        assert_eq!(of("S_FMAC_F32", [1.0, 3.0, 0.5]), 2.5);
        assert_eq!(of("S_FMAAK_F32", [3.0, 0.5, 1.0]), 2.5);
        assert_eq!(of("S_RNDNE_F32", [2.5, 0.0, 0.0]), 2.0);
        assert_eq!(of("S_MAXIMUM_F32", [-0.0, 0.0, 0.0]).to_bits(), 0);
        let converted = ScalarFloat::of("S_CVT_I32_F32").unwrap().compute([(-2.9_f32).to_bits(), 0, 0], &mode);
        assert_eq!(converted, Some(-2_i32 as u32));
        let holds =
            |name: &str, a: f32, b: f32| FloatComparison::of(name).unwrap().holds(a.to_bits(), b.to_bits(), &mode);
        assert!(holds("S_CMP_LT_F32", 1.0, 2.0) && !holds("S_CMP_LT_F32", f32::NAN, 2.0));
        assert!(holds("S_CMP_NGE_F32", f32::NAN, 2.0) && !holds("S_CMP_NGE_F32", 2.0, 2.0));
    }

    #[test]
    fn halves_are_those_of_the_low_bits() {
        let mode = mode();
        let of = |name: &str, sources: [u32; 3]| ScalarFloat::of(name).unwrap().compute(sources, &mode);
        // 1.5, −0.25 and 3 with other numbers above them.
        let [a, b, c] = [0xffff_3e00, 0x7c01_b400, 0x1234_4200];
        assert_eq!(of("S_ADD_F16", [a, b, 0]), Some(0x3d00));
        assert_eq!(of("S_SUB_F16", [a, b, 0]), Some(0x3f00));
        assert_eq!(of("S_MUL_F16", [a, c, 0]), Some(0x4480));
        assert_eq!(of("S_FMAC_F16", [b, a, c]), Some(0x4440));
        assert_eq!([of("S_MIN_F16", [a, b, 0]), of("S_MAX_F16", [a, b, 0])], [Some(0xb400), Some(0x3e00)]);
        assert_eq!(of("S_MINIMUM_F16", [a, 0x7e01, 0]), Some(0x7e01));
        assert_eq!([of("S_CEIL_F16", [b, 0, 0]), of("S_FLOOR_F16", [b, 0, 0])], [Some(0x8000), Some(0xbc00)]);
        assert_eq!([of("S_TRUNC_F16", [a, 0, 0]), of("S_RNDNE_F16", [a, 0, 0])], [Some(0x3c00), Some(0x4000)]);
        // Rounded once to half precision: 2048 + 1 lies between two numbers, and the even one is taken.
        assert_eq!(of("S_ADD_F16", [0x6800, 0x3c00, 0]), Some(0x6800));
        assert_eq!(of("S_CVT_HI_F32_F16", [0x4200_ffff, 0, 0]), Some(3.0_f32.to_bits()));
        let [almost, two] = [1.999_999_9_f32, -2.0].map(f32::to_bits);
        assert_eq!(of("S_CVT_PK_RTZ_F16_F32", [almost, two, 0]), Some(0xc000_3fff));
        let holds = |name: &str, a: u32, b: u32| FloatComparison::of(name).unwrap().holds(a, b, &mode);
        assert!(holds("S_CMP_GT_F16", a, b) && holds("S_CMP_U_F16", 0x7e00, a) && !holds("S_CMP_NLT_F16", b, a));
    }

    #[test]
    fn approximations_are_known_of_special_numbers_alone() {
        let mode = mode();
        let of = |name: &str, a: u32| ScalarFloat::of(name).unwrap().compute([a, 0, 0], &mode);
        assert_eq!(of("V_S_RCP_F32", 0x8000_0000), Some(0xff80_0000));
        assert_eq!(of("V_S_SQRT_F16", 0xbc00), Some(0xfe00));
        assert_eq!(of("V_S_LOG_F32", 3.0_f32.to_bits()), None);
        let logarithm = ScalarFloat::of("V_S_LOG_F32").unwrap().approximated();
        let found = logarithm.compute([3.0_f32.to_bits(), 0, 0], &mode).map(f32::from_bits);
        assert!(found.is_some_and(|found| (found - 3.0_f32.log2()).abs() < 1e-6), "{found:?}");
        assert!(!ScalarFloat::of("S_ADD_F32").unwrap().approximated().is_approximate());
    }
}
