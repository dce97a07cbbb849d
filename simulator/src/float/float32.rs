//! Single precision, and the conversions that end or begin there.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", VOP1, VOP2 and VOP3 opcode tables.

use crate::float::format::{
    flush32, fused_to_odd, half_of, is_nan32, is_nan64, is_signalling32, of_half, settle16, settle32,
};
use crate::state::mode::Mode;

#[inline(always)]
fn one(a: u32, mode: &Mode, f: impl Fn(f32) -> f32) -> u32 {
    let a = flush32(a, mode.flush32);
    settle32(f(f32::from_bits(a)), [a, 0, 0], mode.flush32)
}

#[inline(always)]
fn two(a: u32, b: u32, flush: bool, f: impl Fn(f32, f32) -> f32) -> u32 {
    let (a, b) = (flush32(a, flush), flush32(b, flush));
    settle32(f(f32::from_bits(a), f32::from_bits(b)), [a, b, 0], flush)
}

#[inline(always)]
pub(crate) fn add(a: u32, b: u32, mode: &Mode) -> u32 {
    two(a, b, mode.flush32, |a, b| a + b)
}

#[inline(always)]
pub(crate) fn subtract(a: u32, b: u32, mode: &Mode) -> u32 {
    two(a, b, mode.flush32, |a, b| a - b)
}

#[inline(always)]
pub(crate) fn multiply(a: u32, b: u32, mode: &Mode) -> u32 {
    two(a, b, mode.flush32, |a, b| a * b)
}

/// Zero times anything is zero.
#[inline(always)]
pub(crate) fn multiply_legacy(a: u32, b: u32, mode: &Mode) -> u32 {
    let is_zero = |bits: u32| flush32(bits, mode.flush32) << 1 == 0;
    if is_zero(a) || is_zero(b) { 0 } else { multiply(a, b, mode) }
}

/// Rounded after the product and after the sum; it never has denormals.
#[inline(always)]
pub(crate) fn multiply_add(a: u32, b: u32, c: u32) -> u32 {
    let product = two(a, b, true, |a, b| a * b);
    two(product, c, true, |product, c| product + c)
}

/// Rounded once.
#[inline(always)]
pub(crate) fn fused(a: u32, b: u32, c: u32, mode: &Mode) -> u32 {
    let [a, b, c] = [a, b, c].map(|bits| flush32(bits, mode.flush32));
    let [x, y, z] = [a, b, c].map(|bits| f64::from(f32::from_bits(bits)));
    settle32(fused_to_odd(x, y, z) as f32, [a, b, c], mode.flush32)
}

#[inline(always)]
fn extremum(
    a: u32,
    b: u32,
    mode: &Mode,
    takes_first: impl Fn(f32, f32) -> bool,
    zero: impl Fn(u32, u32) -> u32,
) -> u32 {
    let (a, b) = (flush32(a, mode.flush32_minimum), flush32(b, mode.flush32_minimum));
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    if mode.ieee && is_signalling32(a) {
        a | 0x40_0000
    } else if mode.ieee && is_signalling32(b) {
        b | 0x40_0000
    } else if is_nan32(a) {
        b
    } else if is_nan32(b) {
        a
    } else if (a | b) << 1 == 0 {
        zero(a, b)
    } else if takes_first(x, y) {
        a
    } else {
        b
    }
}

/// −0 is smaller than +0.
#[inline(always)]
pub(crate) fn minimum(a: u32, b: u32, mode: &Mode) -> u32 {
    extremum(a, b, mode, |a, b| a < b, |a, b| a | b)
}

#[inline(always)]
pub(crate) fn maximum(a: u32, b: u32, mode: &Mode) -> u32 {
    extremum(a, b, mode, |a, b| a >= b, |a, b| a & b)
}

/// The middle of three; the smallest where there is a NaN.
#[inline(always)]
pub(crate) fn median(a: u32, b: u32, c: u32, mode: &Mode) -> u32 {
    if is_nan32(a) || is_nan32(b) || is_nan32(c) {
        return minimum(minimum(a, b, mode), c, mode);
    }
    let largest = maximum(maximum(a, b, mode), c, mode);
    let is = |bits: u32| f32::from_bits(flush32(bits, mode.flush32_minimum)) == f32::from_bits(largest);
    if is(a) {
        maximum(b, c, mode)
    } else if is(b) {
        maximum(a, c, mode)
    } else {
        maximum(a, b, mode)
    }
}

macro_rules! rounding {
    ($($name:ident $function:ident)*) => {$(
        #[inline(always)]
        pub(crate) fn $name(a: u32, mode: &Mode) -> u32 {
            one(a, mode, f32::$function)
        }
    )*};
}
rounding!(truncate trunc ceiling ceil nearest round_ties_even floor floor);

/// a − floor(a), but below one.
#[inline(always)]
pub(crate) fn fraction(a: u32, mode: &Mode) -> u32 {
    const BELOW_ONE: f32 = f32::from_bits(0x3f7f_ffff);
    // Of an infinity there is none.
    one(a, mode, |a| {
        if a.is_nan() {
            a
        } else {
            let of = a - a.floor();
            if of > BELOW_ONE { BELOW_ONE } else { of }
        }
    })
}

/// a × 2^b, rounded once.
#[inline(always)]
pub(crate) fn scale(a: u32, b: u32, mode: &Mode) -> u32 {
    let power = (b as i32).clamp(-400, 400);
    let factor = f64::from_bits(((1023 + power) as u64) << 52);
    one(a, mode, |a| (f64::from(a) * factor) as f32)
}

/// The power of two by which [`mantissa`] is to be multiplied; 0 of zeros, infinities and NaNs.
#[inline(always)]
pub(crate) fn exponent(a: u32, mode: &Mode) -> u32 {
    let a = flush32(a, mode.flush32);
    match a >> 23 & 0xff {
        0xff => 0,
        0 if a << 1 == 0 => 0,
        // The leading one of the 23 bits stands for 2^-127 where it is the first.
        0 => (-126 - (a << 9).leading_zeros() as i32) as u32,
        biased => (biased as i32 - 126) as u32,
    }
}

/// The number scaled to 0.5 up to 1; zeros, infinities and NaNs stay.
#[inline(always)]
pub(crate) fn mantissa(a: u32, mode: &Mode) -> u32 {
    one(a, mode, |a| {
        if a == 0.0 || !a.is_finite() {
            return a;
        }
        let bits = f64::from(a).to_bits();
        f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52) as f32
    })
}

/// Rounded to nearest, infinite where it overflows.
#[inline(always)]
pub(crate) fn to_half(a: u32, mode: &Mode) -> u32 {
    let a = flush32(a, mode.flush32);
    if is_nan32(a) {
        return a >> 16 & 0x8000 | 0x7e00 | a >> 13 & 0x3ff;
    }
    settle16(f64::from(f32::from_bits(a)), [0; 3], mode.flush16)
}

/// Rounded toward zero.
#[inline(always)]
pub(crate) fn to_half_toward_zero(a: u32, mode: &Mode) -> u32 {
    let a = flush32(a, mode.flush32);
    if is_nan32(a) {
        return a >> 16 & 0x8000 | 0x7e00 | a >> 13 & 0x3ff;
    }
    let value = f64::from(f32::from_bits(a));
    if value.is_infinite() {
        return half_of(value);
    }
    let nearest = half_of(value);
    // One step back where rounding went away from zero; infinity is one step beyond the largest number.
    let is_beyond = of_half(nearest).abs() > value.abs();
    crate::float::format::flush16(if is_beyond { nearest - 1 } else { nearest }, mode.flush16)
}

#[inline(always)]
pub(crate) fn of_half_bits(a: u32, mode: &Mode) -> u32 {
    let a = crate::float::format::flush16(a, mode.flush16);
    if crate::float::format::is_nan16(a) {
        return (a & 0x8000) << 16 | 0x7fc0_0000 | (a & 0x3ff) << 13;
    }
    flush32((of_half(a) as f32).to_bits(), mode.flush32)
}

#[inline(always)]
pub(crate) fn of_double(a: u64, mode: &Mode) -> u32 {
    let a = crate::float::format::flush64(a, mode.flush64);
    if is_nan64(a) {
        return (a >> 32) as u32 & 0x8000_0000 | 0x7fc0_0000 | (a >> 29) as u32 & 0x7f_ffff;
    }
    flush32((f64::from_bits(a) as f32).to_bits(), mode.flush32)
}

#[inline(always)]
pub(crate) fn to_double(a: u32, mode: &Mode) -> u64 {
    let a = flush32(a, mode.flush32);
    if is_nan32(a) {
        return u64::from(a & 0x8000_0000) << 32 | 0x7ff8 << 48 | u64::from(a & 0x7f_ffff) << 29;
    }
    f64::from(f32::from_bits(a)).to_bits()
}

/// Which of the ten classes a number is in: quiet NaN is 2, −∞ 4, …, +∞ 512; a signalling NaN is 1.
#[inline(always)]
pub(crate) fn class(a: u32) -> u32 {
    let is_negative = a >> 31 == 1;
    let by_sign = |negative: u32, positive: u32| 1 << if is_negative { negative } else { positive };
    match (a >> 23 & 0xff, a & 0x7f_ffff) {
        (0xff, 0) => by_sign(2, 9),
        (0xff, _) => 1 << u32::from(!is_signalling32(a)),
        (0, 0) => by_sign(5, 6),
        (0, _) => by_sign(4, 7),
        _ => by_sign(3, 8),
    }
}

/// Correctly rounded, which is inside the 1 ulp that the manual gives.
#[inline(always)]
pub(crate) fn reciprocal(a: u32, mode: &Mode) -> u32 {
    one(a, mode, |a| 1.0 / a)
}
