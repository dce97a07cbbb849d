//! The instructions that a division is made of: V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP.
//!
//! Source: AMD "Vega ISA", VOP3 opcode table. `a` is what is scaled or the quotient, `b` the denominator, `c` the numerator.

use crate::float::format::{Bits, Format};
use crate::float::precision::{Float32, Float64};
use crate::float::scaling::scaled;
use crate::state::mode::Mode;

/// The scaled source, and whether V_DIV_FMAS is to scale back.
pub(crate) fn scale32(a: u32, b: u32, c: u32, mode: &Mode) -> (u32, bool) {
    let [x, y] = [b, c].map(f32::from_bits);
    let is_denormal = |value: f32| value != 0.0 && value.abs() < f32::MIN_POSITIVE;
    let scaled = |power: i32| Float32::scale(a, power as u32, &mode.with_denormals());
    let distance = Float32::biased_exponent(c) - Float32::biased_exponent(b);
    let (inverse_is_denormal, quotient_is_denormal) = (is_denormal(1.0 / x), is_denormal(y / x));
    if c << 1 == 0 || b << 1 == 0 {
        (0x7fc0_0000, false)
    } else if distance >= 96 {
        (if a == b { scaled(64) } else { a }, true)
    } else if is_denormal(x) {
        (scaled(64), false)
    } else if inverse_is_denormal && quotient_is_denormal {
        (if a == b { scaled(64) } else { a }, true)
    } else if inverse_is_denormal {
        (scaled(-64), false)
    } else if quotient_is_denormal {
        (if a == c { scaled(64) } else { a }, true)
    } else if Float32::biased_exponent(c) <= 23 {
        (scaled(64), false)
    } else {
        (a, false)
    }
}

/// The same in double precision.
pub(crate) fn scale64(a: u64, b: u64, c: u64) -> (u64, bool) {
    let [x, y] = [b, c].map(f64::from_bits);
    let is_denormal = |value: f64| value != 0.0 && value.abs() < f64::MIN_POSITIVE;
    let scaled = |power: i32| scaled(f64::from_bits(a), power).to_bits();
    let distance = Float64::biased_exponent(c) - Float64::biased_exponent(b);
    let (inverse_is_denormal, quotient_is_denormal) = (is_denormal(1.0 / x), is_denormal(y / x));
    if c << 1 == 0 || b << 1 == 0 {
        (0x7ff8 << 48, false)
    } else if distance >= 768 {
        (if a == b { scaled(128) } else { a }, true)
    } else if is_denormal(x) {
        (scaled(128), false)
    } else if inverse_is_denormal && quotient_is_denormal {
        (if a == b { scaled(128) } else { a }, true)
    } else if inverse_is_denormal {
        (scaled(-128), false)
    } else if quotient_is_denormal {
        (if a == c { scaled(128) } else { a }, true)
    } else if Float64::biased_exponent(c) <= 53 {
        (scaled(128), false)
    } else {
        (a, false)
    }
}

/// The fused product and sum, scaled back by a power of two where `is_scaled`.
pub(crate) fn fused<F: Format>(sources: [F::Bits; 3], is_scaled: bool, power: u32, mode: &Mode) -> F::Bits {
    let [a, b, c] = sources;
    let fused = F::fused(a, b, c, mode);
    if is_scaled { F::scale(fused, power, mode) } else { fused }
}

/// What special cases make of a quotient; below 2^`least` it is zero.
pub(crate) fn fixup<F: Format>(a: F::Bits, b: F::Bits, c: F::Bits, least: i32) -> F::Bits {
    let sign = (b ^ c) & F::SIGN;
    let (denominator, numerator) = (b & F::MAGNITUDE, c & F::MAGNITUDE);
    let (zero, infinity) = (F::Bits::ZERO, F::EXPONENT);
    let quiet = |bits: F::Bits| bits & (F::SIGN | F::MAGNITUDE) | F::QUIET;
    if F::is_nan(c) {
        quiet(c)
    } else if F::is_nan(b) {
        quiet(b)
    } else if denominator == zero && numerator == zero || denominator == infinity && numerator == infinity {
        F::SIGN | quiet(infinity)
    } else if denominator == zero || numerator == infinity {
        sign | infinity
    } else if denominator == infinity || numerator == zero || F::biased_exponent(c) - F::biased_exponent(b) < least {
        sign
    } else {
        sign | a & F::MAGNITUDE
    }
}
