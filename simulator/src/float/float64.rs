//! Double precision.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", VOP1 and VOP3 opcode tables.

use crate::float::format::{flush64, is_nan64, is_signalling64, settle64};
use crate::state::mode::Mode;

#[inline(always)]
fn one(a: u64, mode: &Mode, f: impl Fn(f64) -> f64) -> u64 {
    let a = flush64(a, mode.flush64);
    settle64(f(f64::from_bits(a)), [a, 0, 0], mode.flush64)
}

#[inline(always)]
fn two(a: u64, b: u64, mode: &Mode, f: impl Fn(f64, f64) -> f64) -> u64 {
    let (a, b) = (flush64(a, mode.flush64), flush64(b, mode.flush64));
    settle64(f(f64::from_bits(a), f64::from_bits(b)), [a, b, 0], mode.flush64)
}

#[inline(always)]
pub(crate) fn add(a: u64, b: u64, mode: &Mode) -> u64 {
    two(a, b, mode, |a, b| a + b)
}

#[inline(always)]
pub(crate) fn multiply(a: u64, b: u64, mode: &Mode) -> u64 {
    two(a, b, mode, |a, b| a * b)
}

/// Rounded once.
#[inline(always)]
pub(crate) fn fused(a: u64, b: u64, c: u64, mode: &Mode) -> u64 {
    let [a, b, c] = [a, b, c].map(|bits| flush64(bits, mode.flush64));
    let [x, y, z] = [a, b, c].map(f64::from_bits);
    settle64(x.mul_add(y, z), [a, b, c], mode.flush64)
}

#[inline(always)]
fn extremum(
    a: u64,
    b: u64,
    mode: &Mode,
    takes_first: impl Fn(f64, f64) -> bool,
    zero: impl Fn(u64, u64) -> u64,
) -> u64 {
    let (a, b) = (flush64(a, mode.flush16_minimum), flush64(b, mode.flush16_minimum));
    if mode.ieee && is_signalling64(a) {
        a | 1 << 51
    } else if mode.ieee && is_signalling64(b) {
        b | 1 << 51
    } else if is_nan64(a) {
        b
    } else if is_nan64(b) {
        a
    } else if (a | b) << 1 == 0 {
        zero(a, b)
    } else if takes_first(f64::from_bits(a), f64::from_bits(b)) {
        a
    } else {
        b
    }
}

#[inline(always)]
pub(crate) fn minimum(a: u64, b: u64, mode: &Mode) -> u64 {
    extremum(a, b, mode, |a, b| a < b, |a, b| a | b)
}

#[inline(always)]
pub(crate) fn maximum(a: u64, b: u64, mode: &Mode) -> u64 {
    extremum(a, b, mode, |a, b| a >= b, |a, b| a & b)
}

macro_rules! rounding {
    ($($name:ident $function:ident)*) => {$(
        #[inline(always)]
        pub(crate) fn $name(a: u64, mode: &Mode) -> u64 {
            one(a, mode, f64::$function)
        }
    )*};
}
rounding!(truncate trunc ceiling ceil nearest round_ties_even floor floor);

/// a − floor(a), but below one.
#[inline(always)]
pub(crate) fn fraction(a: u64, mode: &Mode) -> u64 {
    const BELOW_ONE: f64 = f64::from_bits(0x3fef_ffff_ffff_ffff);
    one(a, mode, |a| {
        let of = a - a.floor();
        if of > BELOW_ONE { BELOW_ONE } else { of }
    })
}

/// a × 2^b, rounded once.
#[inline(always)]
pub(crate) fn scale(a: u64, b: u64, mode: &Mode) -> u64 {
    one(a, mode, |a| scaled(a, b as u32 as i32))
}

/// a × 2^power by way of the exponent's bits, so that nothing is rounded twice.
pub(crate) fn scaled(a: f64, power: i32) -> f64 {
    if a == 0.0 || !a.is_finite() {
        return a;
    }
    let (mantissa, exponent) = split(a);
    let exponent = i64::from(exponent) + i64::from(power);
    // 0.5 up to 1, times 2^exponent.
    match exponent {
        1025.. => f64::INFINITY.copysign(a),
        -1021..=1024 => mantissa * 2.0 * f64::from_bits(((1023 + exponent - 1) as u64) << 52),
        -1080..=-1022 => mantissa * f64::from_bits(1 << 52) * f64::from_bits(((1023 + exponent + 1022) as u64) << 52),
        _ => 0.0_f64.copysign(a),
    }
}

/// A finite number other than zero as one from 0.5 up to 1 and a power of two.
fn split(a: f64) -> (f64, i32) {
    let normal = if a.to_bits() >> 52 & 0x7ff == 0 { (a * (1_u64 << 54) as f64, 54) } else { (a, 0) };
    let bits = normal.0.to_bits();
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), (bits >> 52 & 0x7ff) as i32 - 1022 - normal.1)
}

/// The power of two by which [`mantissa`] is to be multiplied; 0 of zeros, infinities and NaNs.
#[inline(always)]
pub(crate) fn exponent(a: u64, mode: &Mode) -> u32 {
    let a = f64::from_bits(flush64(a, mode.flush64));
    if a == 0.0 || !a.is_finite() { 0 } else { split(a).1 as u32 }
}

/// The number scaled to 0.5 up to 1; zeros, infinities and NaNs stay.
#[inline(always)]
pub(crate) fn mantissa(a: u64, mode: &Mode) -> u64 {
    one(a, mode, |a| if a == 0.0 || !a.is_finite() { a } else { split(a).0 })
}

/// Which of the ten classes a number is in, one bit each, as [`float32::class`](crate::float::float32::class) numbers them.
#[inline(always)]
pub(crate) fn class(a: u64) -> u32 {
    let is_negative = a >> 63 == 1;
    let by_sign = |negative: u32, positive: u32| 1 << if is_negative { negative } else { positive };
    match (a >> 52 & 0x7ff, a & ((1 << 52) - 1)) {
        (0x7ff, 0) => by_sign(2, 9),
        (0x7ff, _) => 1 << u32::from(!is_signalling64(a)),
        (0, 0) => by_sign(5, 6),
        (0, _) => by_sign(4, 7),
        _ => by_sign(3, 8),
    }
}
