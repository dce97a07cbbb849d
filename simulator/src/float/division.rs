//! The instructions that a division is made of: V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP.
//!
//! Source: AMD "Vega ISA", VOP3 opcode table. `a` is what is scaled or the quotient, `b` the denominator, `c` the numerator.

use crate::float::float32;
use crate::float::float64;
use crate::float::format::{is_nan16, is_nan32, is_nan64};
use crate::state::mode::Mode;

fn exponent32(bits: u32) -> i32 {
    (bits >> 23 & 0xff) as i32
}

fn exponent64(bits: u64) -> i32 {
    (bits >> 52 & 0x7ff) as i32
}

/// The scaled source, and whether V_DIV_FMAS is to scale back.
pub(crate) fn scale32(a: u32, b: u32, c: u32, mode: &Mode) -> (u32, bool) {
    let [x, y] = [b, c].map(f32::from_bits);
    let is_denormal = |value: f32| value != 0.0 && value.abs() < f32::MIN_POSITIVE;
    let scaled = |power: i32| float32::scale(a, power as u32, &mode.with_denormals());
    let distance = exponent32(c) - exponent32(b);
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
    } else if exponent32(c) <= 23 {
        (scaled(64), false)
    } else {
        (a, false)
    }
}

/// The same in double precision.
pub(crate) fn scale64(a: u64, b: u64, c: u64) -> (u64, bool) {
    let [x, y] = [b, c].map(f64::from_bits);
    let is_denormal = |value: f64| value != 0.0 && value.abs() < f64::MIN_POSITIVE;
    let scaled = |power: i32| float64::scaled(f64::from_bits(a), power).to_bits();
    let distance = exponent64(c) - exponent64(b);
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
    } else if exponent64(c) <= 53 {
        (scaled(128), false)
    } else {
        (a, false)
    }
}

/// The fused product and sum, scaled back where `is_scaled`.
pub(crate) fn fused32(a: u32, b: u32, c: u32, is_scaled: bool, mode: &Mode) -> u32 {
    let fused = float32::fused(a, b, c, mode);
    if is_scaled { float32::scale(fused, 32, mode) } else { fused }
}

/// The same in double precision.
pub(crate) fn fused64(a: u64, b: u64, c: u64, is_scaled: bool, mode: &Mode) -> u64 {
    let fused = float64::fused(a, b, c, mode);
    if is_scaled { float64::scale(fused, 64, mode) } else { fused }
}

/// What special cases make of a quotient.
pub(crate) fn fixup32(a: u32, b: u32, c: u32) -> u32 {
    const INFINITY: u32 = 0x7f80_0000;
    let sign = (b ^ c) & 0x8000_0000;
    let (denominator, numerator) = (b & 0x7fff_ffff, c & 0x7fff_ffff);
    if is_nan32(c) {
        c | 0x40_0000
    } else if is_nan32(b) {
        b | 0x40_0000
    } else if denominator == 0 && numerator == 0 || denominator == INFINITY && numerator == INFINITY {
        0xffc0_0000
    } else if denominator == 0 || numerator == INFINITY {
        sign | INFINITY
    } else if denominator == INFINITY || numerator == 0 || exponent32(c) - exponent32(b) < -150 {
        sign
    } else {
        sign | a & 0x7fff_ffff
    }
}

/// The same in double precision.
pub(crate) fn fixup64(a: u64, b: u64, c: u64) -> u64 {
    const INFINITY: u64 = 0x7ff0 << 48;
    let sign = (b ^ c) & 1 << 63;
    let (denominator, numerator) = (b & (u64::MAX >> 1), c & (u64::MAX >> 1));
    if is_nan64(c) {
        c | 1 << 51
    } else if is_nan64(b) {
        b | 1 << 51
    } else if denominator == 0 && numerator == 0 || denominator == INFINITY && numerator == INFINITY {
        0xfff8 << 48
    } else if denominator == 0 || numerator == INFINITY {
        sign | INFINITY
    } else if denominator == INFINITY || numerator == 0 || exponent64(c) - exponent64(b) < -1075 {
        sign
    } else {
        sign | a & (u64::MAX >> 1)
    }
}

/// The same in half precision, which has no other special cases.
pub(crate) fn fixup16(a: u32, b: u32, c: u32) -> u32 {
    const INFINITY: u32 = 0x7c00;
    let sign = (b ^ c) & 0x8000;
    let (denominator, numerator) = (b & 0x7fff, c & 0x7fff);
    if is_nan16(c) {
        c & 0xffff | 0x200
    } else if is_nan16(b) {
        b & 0xffff | 0x200
    } else if denominator == 0 && numerator == 0 || denominator == INFINITY && numerator == INFINITY {
        0xfe00
    } else if denominator == 0 || numerator == INFINITY {
        sign | INFINITY
    } else if denominator == INFINITY || numerator == 0 {
        sign
    } else {
        sign | a & 0x7fff
    }
}
