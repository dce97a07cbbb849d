//! Half precision: computed in double precision and rounded once.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", VOP1, VOP2, VOP3 and VOP3P opcode tables. Sources and results are in the low halves.

use crate::float::format::{flush16, fused_to_odd, is_nan16, is_signalling16, of_half, settle16};
use crate::state::mode::Mode;

#[inline(always)]
fn one(a: u32, mode: &Mode, f: impl Fn(f64) -> f64) -> u32 {
    let a = flush16(a, mode.flush16);
    settle16(f(of_half(a)), [a, 0, 0], mode.flush16)
}

#[inline(always)]
fn two(a: u32, b: u32, flush: bool, f: impl Fn(f64, f64) -> f64) -> u32 {
    let (a, b) = (flush16(a, flush), flush16(b, flush));
    settle16(f(of_half(a), of_half(b)), [a, b, 0], flush)
}

#[inline(always)]
pub(crate) fn add(a: u32, b: u32, mode: &Mode) -> u32 {
    two(a, b, mode.flush16, |a, b| a + b)
}

#[inline(always)]
pub(crate) fn subtract(a: u32, b: u32, mode: &Mode) -> u32 {
    two(a, b, mode.flush16, |a, b| a - b)
}

#[inline(always)]
pub(crate) fn multiply(a: u32, b: u32, mode: &Mode) -> u32 {
    two(a, b, mode.flush16, |a, b| a * b)
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
    let [a, b, c] = [a, b, c].map(|bits| flush16(bits, mode.flush16));
    settle16(fused_to_odd(of_half(a), of_half(b), of_half(c)), [a, b, c], mode.flush16)
}

#[inline(always)]
fn extremum(
    a: u32,
    b: u32,
    mode: &Mode,
    takes_first: impl Fn(f64, f64) -> bool,
    zero: impl Fn(u32, u32) -> u32,
) -> u32 {
    let (a, b) = (flush16(a, mode.flush16_minimum), flush16(b, mode.flush16_minimum));
    if mode.ieee && is_signalling16(a) {
        a | 0x200
    } else if mode.ieee && is_signalling16(b) {
        b | 0x200
    } else if is_nan16(a) {
        b
    } else if is_nan16(b) {
        a
    } else if (a | b) & 0x7fff == 0 {
        zero(a, b)
    } else if takes_first(of_half(a), of_half(b)) {
        a
    } else {
        b
    }
}

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
    if is_nan16(a) || is_nan16(b) || is_nan16(c) {
        return minimum(minimum(a, b, mode), c, mode);
    }
    let largest = of_half(maximum(maximum(a, b, mode), c, mode));
    let is = |bits: u32| of_half(flush16(bits, mode.flush16_minimum)) == largest;
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
            one(a, mode, f64::$function)
        }
    )*};
}
rounding!(truncate trunc ceiling ceil nearest round_ties_even floor floor);

/// a − floor(a), but below one.
#[inline(always)]
pub(crate) fn fraction(a: u32, mode: &Mode) -> u32 {
    const BELOW_ONE: f64 = 1.0 - 1.0 / 2048.0;
    one(a, mode, |a| {
        let of = a - a.floor();
        if of > BELOW_ONE { BELOW_ONE } else { of }
    })
}

/// a × 2^b, rounded once.
#[inline(always)]
pub(crate) fn scale(a: u32, b: u32, mode: &Mode) -> u32 {
    let power = i32::from(b as i16).clamp(-100, 100);
    let factor = f64::from_bits(((1023 + power) as u64) << 52);
    one(a, mode, |a| a * factor)
}

/// The power of two by which [`mantissa`] is to be multiplied; 0 of zeros, infinities and NaNs.
#[inline(always)]
pub(crate) fn exponent(a: u32, mode: &Mode) -> u32 {
    let a = flush16(a, mode.flush16);
    if a & 0x7fff == 0 || a & 0x7c00 == 0x7c00 {
        return 0;
    }
    (((of_half(a).to_bits() >> 52 & 0x7ff) as i32 - 1022) as u32) & 0xffff
}

/// The number scaled to 0.5 up to 1; zeros, infinities and NaNs stay.
#[inline(always)]
pub(crate) fn mantissa(a: u32, mode: &Mode) -> u32 {
    one(
        a,
        mode,
        |a| {
            if a == 0.0 || !a.is_finite() { a } else { f64::from_bits(a.to_bits() & !(0x7ff << 52) | 1022 << 52) }
        },
    )
}

/// Which of the ten classes a number is in, one bit each, as [`float32::class`](crate::float::float32::class) numbers them.
#[inline(always)]
pub(crate) fn class(a: u32) -> u32 {
    let is_negative = a >> 15 & 1 == 1;
    let by_sign = |negative: u32, positive: u32| 1 << if is_negative { negative } else { positive };
    match (a >> 10 & 0x1f, a & 0x3ff) {
        (0x1f, 0) => by_sign(2, 9),
        (0x1f, _) => 1 << u32::from(!is_signalling16(a)),
        (0, 0) => by_sign(5, 6),
        (0, _) => by_sign(4, 7),
        _ => by_sign(3, 8),
    }
}
