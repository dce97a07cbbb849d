//! Reciprocals, square roots, powers, logarithms, sines: special values, which the manuals define, and those that none gives to the bit.
//!
//! Each of the latter is what this host computes in double precision, rounded to the format: nearer to the true value than any manual promises, and yet
//! another value than a card's. [`Configuration::approximates`](crate::Configuration::approximates) asks for them; otherwise they are unknown.
//!
//! Sources: AMD "Southern Islands ISA", "GCN3 ISA" and "Vega ISA", VOP1 opcode tables, for the functions, the range of sines and the
//! special cases; CLRX, `GcnInstrsVop1.md`, for V_EXP_F32, V_LOG_F32 and V_RSQ_F32 of single precision, which have no denormals whatever
//! MODE says, and for the sign of the NaN of a negative number.

use crate::float::format::{Bits, Format, Number};
use crate::float::precision::{Float16, Float32, Float64};
use crate::state::mode::Mode;
use crate::vector::lanes::{Lanes, carry_dword, carry_two, dword, two};

/// Sines and cosines are computed up to this many turns; beyond, they are those of 0.
const MOST_TURNS: f64 = 256.0;

/// Which values a function has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    /// All, as this host computes them.
    Approximate,
    /// Those that the manuals define; the bits that the lanes give say where.
    Special,
}

/// The function of an instruction.
pub(crate) fn of(name: &str, values: Values) -> Option<Lanes> {
    // What MODE says of denormals of a format; a few instructions have none whatever it says.
    macro_rules! function {
        ($format:ty, $flush:expr, $lanes:ident, $special:ident, $function:expr, $is_exact:expr) => {
            match values {
                Values::Approximate => $lanes!(|a, _, _, mode| value::<$format>(a, $flush(mode), $function)),
                Values::Special => $special!(|a, _, _, _, mode| {
                    let result = value::<$format>(a, $flush(mode), $function);
                    (result, is_defined::<$format>(a, result, $is_exact))
                }),
            }
        };
    }
    macro_rules! single {
        ($flush:expr, $function:expr, $is_exact:expr) => {
            function!(Float32, $flush, dword, carry_dword, $function, $is_exact)
        };
    }
    macro_rules! half {
        ($function:expr, $is_exact:expr) => {
            function!(Float16, Float16::flushes, dword, carry_dword, $function, $is_exact)
        };
    }
    macro_rules! double {
        ($function:expr) => {
            function!(Float64, Float64::flushes, two, carry_two, $function, never)
        };
    }
    Some(match name {
        "V_RCP_F32" => single!(Float32::flushes, reciprocal, are_powers),
        "V_RCP_CLAMP_F32" => single!(Float32::flushes, |a| clamped(reciprocal(a)), are_powers),
        "V_RCP_LEGACY_F32" => single!(Float32::flushes, |a| finite(reciprocal(a)), are_powers),
        "V_SQRT_F32" => single!(Float32::flushes, f64::sqrt, are_powers),
        "V_RSQ_F32" => single!(always, inverse_root, are_powers),
        "V_RSQ_CLAMP_F32" => single!(always, |a| clamped(inverse_root(a)), are_powers),
        "V_RSQ_LEGACY_F32" => single!(always, |a| finite(inverse_root(a)), are_powers),
        "V_EXP_F32" | "V_EXP_LEGACY_F32" => single!(always, f64::exp2, is_integral),
        "V_LOG_F32" | "V_LOG_LEGACY_F32" => single!(always, f64::log2, is_one),
        "V_LOG_CLAMP_F32" => single!(always, |a: f64| a.log2().max(f64::from(f32::MIN)), is_one),
        "V_SIN_F32" => single!(Float32::flushes, sine, is_quarter),
        "V_COS_F32" => single!(Float32::flushes, cosine, is_quarter),
        "V_RCP_F16" => half!(reciprocal, are_powers),
        "V_SQRT_F16" => half!(f64::sqrt, are_powers),
        "V_RSQ_F16" => half!(inverse_root, are_powers),
        "V_EXP_F16" => half!(f64::exp2, is_integral),
        "V_LOG_F16" => half!(f64::log2, is_one),
        "V_SIN_F16" => half!(sine, is_quarter),
        "V_COS_F16" => half!(cosine, is_quarter),
        "V_RCP_F64" => double!(reciprocal),
        "V_RCP_CLAMP_F64" => double!(|a| largest(reciprocal(a))),
        "V_SQRT_F64" => double!(f64::sqrt),
        "V_RSQ_F64" => double!(inverse_root),
        "V_RSQ_CLAMP_F64" => double!(|a| largest(inverse_root(a))),
        _ => return None,
    })
}

fn always(_: &Mode) -> bool {
    true
}

/// Whether the manuals define a result: of zeros, infinities and NaNs, of what has none, and where it is exact.
///
/// Denormals are not among them: whether they are zero differs between chips.
fn is_defined<F: Format>(a: F::Bits, result: F::Bits, is_exact: impl Fn(f64, f64) -> bool) -> bool {
    let is_denormal = |bits: F::Bits| F::class(bits) & DENORMALS != 0;
    if is_denormal(a) {
        return false;
    }
    let (x, y) = (F::number(a).to_double(), F::number(result).to_double());
    x == 0.0 || !x.is_finite() || y.is_nan() || !is_denormal(result) && is_exact(x, y)
}

/// Bits of the classes of denormals.
const DENORMALS: u32 = 1 << 4 | 1 << 7;

/// Powers of two, of which both signs are meant: the manuals' examples (−2 becomes −½, the root of 4 is 2) say what becomes of their fraction, and
/// exponents are exact. AMD's simulator (`ROCm/rocm-systems`, `emulation/rocjitsu`, `amdgpu_rcp.h` and its like) has the same from an RX 7900 XTX and an RX 9070 XT.
fn are_powers(a: f64, result: f64) -> bool {
    let is_power = |value: f64| value.is_finite() && value != 0.0 && value.to_bits() << 12 == 0;
    is_power(a) && is_power(result)
}

/// 2 to the power of an integer, by the same sources.
fn is_integral(a: f64, result: f64) -> bool {
    a == a.trunc() && result.is_normal()
}

fn is_one(a: f64, _: f64) -> bool {
    a == 1.0
}

/// A quarter of a turn forward, and values out of range.
fn is_quarter(a: f64, _: f64) -> bool {
    a == 0.25 || a.abs() > MOST_TURNS
}

fn never(_: f64, _: f64) -> bool {
    false
}

/// A function's value, rounded once. Without a value, and for a number as the source, it is the negative NaN.
fn value<F: Format>(a: F::Bits, flush: bool, function: impl Fn(f64) -> f64) -> F::Bits {
    let a = F::flush(a, flush);
    let result = function(F::number(a).to_double());
    if result.is_nan() && !F::is_nan(a) {
        return F::SIGN | F::EXPONENT | F::QUIET;
    }
    F::settle(F::Number::of_double(result), [a, F::Bits::ZERO, F::Bits::ZERO], flush)
}

fn reciprocal(a: f64) -> f64 {
    1.0 / a
}

fn inverse_root(a: f64) -> f64 {
    1.0 / a.sqrt()
}

/// The largest number of single precision in place of an infinity.
fn clamped(value: f64) -> f64 {
    value.clamp(f64::from(f32::MIN), f64::from(f32::MAX))
}

/// Likewise for double precision.
fn largest(value: f64) -> f64 {
    value.clamp(f64::MIN, f64::MAX)
}

/// Zero instead of infinity in single precision.
fn finite(value: f64) -> f64 {
    if (value as f32).is_infinite() { 0.0_f64.copysign(value) } else { value }
}

/// The sine of a number of turns; its zeros are positive, but for that of −0.
fn sine(turns: f64) -> f64 {
    if turns.is_finite() && turns.abs() > MOST_TURNS {
        return 0.0;
    }
    if turns == 0.0 { turns } else { sine_ahead(turns, 0) }
}

/// The cosine of a number of turns.
fn cosine(turns: f64) -> f64 {
    if turns.is_finite() && turns.abs() > MOST_TURNS {
        return 1.0;
    }
    sine_ahead(turns, 1)
}

/// The sine this many quarters of a turn further on. The angle from the nearest quarter is exact, so that quarters give zeros and ones.
fn sine_ahead(turns: f64, quarters: i64) -> f64 {
    let nearest = (turns * 4.0).round();
    let angle = (turns - nearest / 4.0) * std::f64::consts::TAU;
    match ((nearest as i64).rem_euclid(4) + quarters) % 4 {
        0 => angle.sin() + 0.0,
        1 => angle.cos(),
        2 => 0.0 - angle.sin(),
        _ => -angle.cos(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An instruction's function of a number, with denormals kept or not, and in which lanes it is known.
    fn computed(name: &str, values: Values, a: u32, keeps_denormals: bool) -> (u32, u64) {
        let lanes = of(name, values).unwrap_or_else(|| panic!("{name} has no function"));
        let mode = Mode::starting(if keeps_denormals { 0xf0 } else { 0 }, "gfx9");
        lanes.of_dwords([a; 3], &mode).expect("it is of dwords")
    }

    fn single(name: &str, a: u32, keeps_denormals: bool) -> u32 {
        computed(name, Values::Approximate, a, keeps_denormals).0
    }

    fn double(name: &str, a: f64) -> f64 {
        let lanes = of(name, Values::Approximate).unwrap_or_else(|| panic!("{name} has no function"));
        let result = lanes.of_two([a.to_bits(); 3], &Mode::starting(0xf0, "gfx9"));
        f64::from_bits(result.expect("it is of 64 bits"))
    }

    const NEGATIVE_NAN: u32 = 0xffc0_0000;
    const INFINITY: u32 = 0x7f80_0000;
    const MINUS: u32 = 1 << 31;
    const MOST: u32 = 0x7f7f_ffff;
    const ONE: u32 = 0x3f80_0000;
    /// 2^-128, whose reciprocal is beyond the largest number.
    const DENORMAL: u32 = 0x0020_0000;

    #[test]
    fn special_values_are_those_of_the_manuals() {
        // The instruction, its source, its result with denormals flushed and with denormals kept.
        let cases: &[(&str, u32, u32, u32)] = &[
            ("V_RCP_F32", 0, INFINITY, INFINITY),
            ("V_RCP_F32", MINUS, MINUS | INFINITY, MINUS | INFINITY),
            ("V_RCP_F32", MINUS | INFINITY, MINUS, MINUS),
            ("V_RCP_F32", 0x7f00_0000, 0, 0x0040_0000),
            ("V_RCP_F32", 0x4040_0000, 0x3eaa_aaab, 0x3eaa_aaab),
            ("V_RCP_CLAMP_F32", MINUS, MINUS | MOST, MINUS | MOST),
            ("V_RCP_CLAMP_F32", DENORMAL, MOST, MOST),
            ("V_RCP_LEGACY_F32", MINUS, MINUS, MINUS),
            ("V_RCP_LEGACY_F32", DENORMAL, 0, 0),
            ("V_SQRT_F32", MINUS, MINUS, MINUS),
            ("V_SQRT_F32", MINUS | ONE, NEGATIVE_NAN, NEGATIVE_NAN),
            ("V_SQRT_F32", INFINITY, INFINITY, INFINITY),
            ("V_SQRT_F32", 0x0000_0002, 0, 0x1a80_0000),
            ("V_SQRT_F32", 0x7f80_0001, 0x7fc0_0001, 0x7fc0_0001),
            ("V_RSQ_F32", 0, INFINITY, INFINITY),
            ("V_RSQ_F32", 0x4080_0000, 0x3f00_0000, 0x3f00_0000),
            ("V_RSQ_F32", DENORMAL, INFINITY, INFINITY),
            ("V_RSQ_F32", MINUS | ONE, NEGATIVE_NAN, NEGATIVE_NAN),
            ("V_RSQ_CLAMP_F32", 0, MOST, MOST),
            ("V_RSQ_LEGACY_F32", 0, 0, 0),
            ("V_EXP_F32", 0, ONE, ONE),
            ("V_EXP_F32", 0xc2fc_0000, 0x0080_0000, 0x0080_0000),
            ("V_EXP_F32", 0xc2fd_0000, 0, 0),
            ("V_EXP_F32", 0x4300_0000, INFINITY, INFINITY),
            ("V_EXP_F32", MINUS | INFINITY, 0, 0),
            ("V_EXP_LEGACY_F32", 0x4120_0000, 0x4480_0000, 0x4480_0000),
            ("V_LOG_F32", 0, MINUS | INFINITY, MINUS | INFINITY),
            ("V_LOG_F32", DENORMAL, MINUS | INFINITY, MINUS | INFINITY),
            ("V_LOG_F32", ONE, 0, 0),
            ("V_LOG_F32", 0x4480_0000, 0x4120_0000, 0x4120_0000),
            ("V_LOG_F32", MINUS | ONE, NEGATIVE_NAN, NEGATIVE_NAN),
            ("V_LOG_CLAMP_F32", 0, MINUS | MOST, MINUS | MOST),
            ("V_SIN_F32", MINUS, MINUS, MINUS),
            ("V_SIN_F32", 0x3e80_0000, ONE, ONE),
            ("V_SIN_F32", 0x3f00_0000, 0, 0),
            ("V_SIN_F32", 0x4380_1000, 0, 0),
            ("V_SIN_F32", INFINITY, NEGATIVE_NAN, NEGATIVE_NAN),
            ("V_COS_F32", 0x3f00_0000, MINUS | ONE, MINUS | ONE),
            ("V_COS_F32", 0xff7f_ffff, ONE, ONE),
            ("V_RCP_F16", 0x4000, 0x3800, 0x3800),
            ("V_RCP_F16", 0x7800, 0, 0x0200),
            ("V_RSQ_F16", 0x4400, 0x3800, 0x3800),
            ("V_SQRT_F16", 0xbc00, 0xfe00, 0xfe00),
            ("V_EXP_F16", 0x4200, 0x4800, 0x4800),
            ("V_LOG_F16", 0x0001, 0xfc00, 0xce00),
            ("V_SIN_F16", 0xfbff, 0, 0),
            ("V_COS_F16", 0x3800, 0xbc00, 0xbc00),
        ];
        for (name, a, flushed, kept) in cases {
            let found = [false, true].map(|keeps| single(name, *a, keeps));
            assert_eq!(
                found.map(|bits| format!("{bits:#x}")),
                [*flushed, *kept].map(|bits| format!("{bits:#x}")),
                "{name} {a:#x}"
            );
        }
        assert_eq!(double("V_RCP_F64", -0.0), f64::NEG_INFINITY);
        assert_eq!(double("V_RCP_CLAMP_F64", -0.0), f64::MIN);
        assert_eq!(double("V_RSQ_CLAMP_F64", 0.0), f64::MAX);
        assert_eq!(double("V_RSQ_F64", 16.0), 0.25);
        assert_eq!(double("V_SQRT_F64", 2.0), std::f64::consts::SQRT_2);
        assert!(double("V_SQRT_F64", -1.0).is_nan());
    }

    #[test]
    fn manual_defined_values_are_known_without_approximations() {
        let known = |name: &str, a: f32| {
            let (result, known) = computed(name, Values::Special, a.to_bits(), true);
            (known & 1 == 1).then_some(f32::from_bits(result))
        };
        // The functional examples of "RDNA4 ISA", VOP1.
        let infinity = f32::INFINITY;
        for (name, a, result) in [
            ("V_RCP_F32", -infinity, -0.0),
            ("V_RCP_F32", -2.0, -0.5),
            ("V_RCP_F32", -0.0, -infinity),
            ("V_RSQ_F32", 4.0, 0.5),
            ("V_RSQ_F32", infinity, 0.0),
            ("V_SQRT_F32", 4.0, 2.0),
            ("V_SQRT_F32", -0.0, -0.0),
            ("V_EXP_F32", -infinity, 0.0),
            ("V_EXP_F32", -0.0, 1.0),
            ("V_LOG_F32", 0.0, -infinity),
            ("V_LOG_F32", 1.0, 0.0),
            ("V_SIN_F32", -f32::MAX, 0.0),
            ("V_SIN_F32", 0.25, 1.0),
            ("V_COS_F32", 0.25, 0.0),
            ("V_COS_F32", -0.0, 1.0),
        ] {
            assert_eq!(known(name, a).map(f32::to_bits), Some(result.to_bits()), "{name} {a}");
        }
        for (name, a) in
            [("V_SQRT_F32", -1.0), ("V_LOG_F32", -infinity), ("V_SIN_F32", infinity), ("V_RCP_F32", f32::NAN)]
        {
            assert!(known(name, a).is_some_and(f32::is_nan), "{name} {a}");
        }
        // Not those between, and no denormals.
        for (name, a) in [
            ("V_RCP_F32", 3.0),
            ("V_RCP_F32", 1.0e-40),
            ("V_RCP_F32", 2.0_f32.powi(127)),
            ("V_SQRT_F32", 2.0),
            ("V_EXP_F32", 0.5),
            ("V_LOG_F32", 2.0),
            ("V_SIN_F32", 0.125),
        ] {
            assert_eq!(known(name, a), None, "{name} {a}");
        }
    }

    /// The distance between neighbours of single precision where a number is.
    fn ulp(value: f64) -> f64 {
        let magnitude = (value as f32).abs().max(f32::MIN_POSITIVE);
        f64::from(f32::from_bits(magnitude.to_bits() + 1)) - f64::from(magnitude)
    }

    proptest! {
        #[test]
        fn an_inverse_function_is_within_an_ulp(a in 1.0e-30_f32..1.0e30, turns in -256.0_f32..256.0) {
            let of = |name: &str, a: f32| f64::from(f32::from_bits(single(name, a.to_bits(), true)));
            let exact = f64::from(a);
            // The error of a result, times how much what undoes it grows there.
            let rcp = of("V_RCP_F32", a);
            prop_assert!((rcp * exact - 1.0).abs() <= ulp(rcp) * exact, "1 / {a}: {rcp}");
            let sqrt = of("V_SQRT_F32", a);
            prop_assert!((sqrt * sqrt - exact).abs() <= 2.0 * ulp(sqrt) * sqrt * 1.000_001, "√{a}: {sqrt}");
            let rsq = of("V_RSQ_F32", a);
            prop_assert!((rsq * rsq * exact - 1.0).abs() <= 2.0 * ulp(rsq) / rsq * 1.000_001, "1 / √{a}: {rsq}");
            let log = of("V_LOG_F32", a);
            let back = of("V_EXP_F32", log as f32);
            let loss = (ulp(log) * std::f64::consts::LN_2 * exact + ulp(back)) * 1.01;
            prop_assert!((back - exact).abs() <= loss, "log2 {a}: {log}, {back}");
            let (sin, cos) = (of("V_SIN_F32", turns), of("V_COS_F32", turns));
            prop_assert!((sin * sin + cos * cos - 1.0).abs() < 3.0e-7, "{turns}: {sin} {cos}");
            let quarter = of("V_COS_F32", turns - 0.25);
            // Where the difference is exact, one function is the other a quarter of a turn away.
            if f64::from(turns - 0.25) == f64::from(turns) - 0.25 && turns > -255.0 {
                prop_assert_eq!(quarter, sin, "{}", turns);
            }
        }
    }
}
