//! What the three floating-point formats share: NaNs, denormals, rounding.
//!
//! A NaN that comes out is the first NaN among the sources, made quiet, or 0x7fc00000 (and the like) where there is none:
//! no manual says which payload is kept.

/// The sign of a number of single precision.
pub(crate) const SIGN32: u32 = 0x8000_0000;

/// Makes a number of single precision zero, with its sign, if it is a denormal.
#[inline(always)]
pub(crate) fn flush32(bits: u32, is_on: bool) -> u32 {
    if is_on && bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits }
}

/// The same for double precision.
#[inline(always)]
pub(crate) fn flush64(bits: u64, is_on: bool) -> u64 {
    if is_on && bits & 0x7ff0_0000_0000_0000 == 0 { bits & 1 << 63 } else { bits }
}

/// The same for half precision.
#[inline(always)]
pub(crate) fn flush16(bits: u32, is_on: bool) -> u32 {
    if is_on && bits & 0x7c00 == 0 { bits & 0x8000 } else { bits & 0xffff }
}

/// A denormal or a zero of single precision as +0; everything else as it is.
pub(crate) fn positive_zero32(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 { 0 } else { bits }
}

/// The same for double precision.
pub(crate) fn positive_zero64(bits: u64) -> u64 {
    if bits & 0x7ff0_0000_0000_0000 == 0 { 0 } else { bits }
}

/// The same for half precision.
pub(crate) fn positive_zero16(bits: u32) -> u32 {
    if bits & 0x7c00 == 0 { 0 } else { bits }
}

/// Whether the bits are a NaN of single precision.
#[inline(always)]
pub(crate) fn is_nan32(bits: u32) -> bool {
    bits & 0x7fff_ffff > 0x7f80_0000
}

/// Whether the bits are a NaN of double precision.
#[inline(always)]
pub(crate) fn is_nan64(bits: u64) -> bool {
    bits & (u64::MAX >> 1) > 0x7ff0_0000_0000_0000
}

/// Whether the bits are a NaN of half precision.
#[inline(always)]
pub(crate) fn is_nan16(bits: u32) -> bool {
    bits & 0x7fff > 0x7c00
}

/// Whether they are one that signals.
#[inline(always)]
pub(crate) fn is_signalling32(bits: u32) -> bool {
    is_nan32(bits) && bits & 0x40_0000 == 0
}

/// The same for double precision.
#[inline(always)]
pub(crate) fn is_signalling64(bits: u64) -> bool {
    is_nan64(bits) && bits & 1 << 51 == 0
}

/// The same for half precision.
#[inline(always)]
pub(crate) fn is_signalling16(bits: u32) -> bool {
    is_nan16(bits) && bits & 0x200 == 0
}

/// A result of single precision with its NaN, if it is one, made from the sources.
#[inline(always)]
pub(crate) fn settle32(result: f32, sources: [u32; 3], flush: bool) -> u32 {
    let bits = flush32(result.to_bits(), flush);
    if is_nan32(bits) { nan32(sources) } else { bits }
}

#[inline(always)]
fn nan32([a, b, c]: [u32; 3]) -> u32 {
    let of = |bits: u32, other: u32| if is_nan32(bits) { bits | 0x40_0000 } else { other };
    of(a, of(b, of(c, 0x7fc0_0000)))
}

/// A result of double precision with its NaN, if it is one, made from the sources.
#[inline(always)]
pub(crate) fn settle64(result: f64, [a, b, c]: [u64; 3], flush: bool) -> u64 {
    let bits = flush64(result.to_bits(), flush);
    if !is_nan64(bits) {
        return bits;
    }
    let of = |bits: u64, other: u64| if is_nan64(bits) { bits | 1 << 51 } else { other };
    of(a, of(b, of(c, 0x7ff8 << 48)))
}

/// A result of half precision, rounded once, with its NaN, if it is one, made from the sources.
#[inline(always)]
pub(crate) fn settle16(result: f64, [a, b, c]: [u32; 3], flush: bool) -> u32 {
    if result.is_nan() {
        let of = |bits: u32, other: u32| if is_nan16(bits) { bits & 0xffff | 0x200 } else { other };
        return of(a, of(b, of(c, 0x7e00)));
    }
    flush16(half_of(result), flush)
}

/// A number of half precision, exactly.
#[inline(always)]
pub(crate) fn of_half(bits: u32) -> f64 {
    let sign = u64::from(bits & 0x8000) << 48;
    let (exponent, mantissa) = (u64::from(bits >> 10 & 0x1f), u64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => (mantissa as f64 * (1.0 / 16_777_216.0)).to_bits(),
        31 => 0x7ff << 52 | mantissa << 42,
        _ => (exponent + 1023 - 15) << 52 | mantissa << 42,
    };
    f64::from_bits(sign | magnitude)
}

/// The number of half precision nearest to a number, which is no NaN; the even one of two.
#[inline(always)]
pub(crate) fn half_of(value: f64) -> u32 {
    let sign = (value.to_bits() >> 48) as u32 & 0x8000;
    let magnitude = value.abs();
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    if magnitude < 1.0 / 16384.0 {
        // Denormals are multiples of 2^-24; the last of them may round up to the first normal number.
        return sign | (magnitude * 16_777_216.0).round_ties_even() as u32;
    }
    let bits = magnitude.to_bits();
    let (kept, rest) = (bits >> 42, bits & ((1 << 42) - 1));
    let half = 1 << 41;
    let up = u64::from(rest > half || rest == half && kept & 1 == 1);
    sign | (kept + up - (1008 << 10)) as u32
}

/// a × b + c, where a × b is exact, rounded to odd: rounding it again to a narrower format is rounding once.
#[inline(always)]
pub(crate) fn fused_to_odd(a: f64, b: f64, c: f64) -> f64 {
    let product = a * b;
    let sum = product + c;
    // Knuth's two-sum: what the rounding left out, exactly.
    let part = sum - product;
    let error = (product - (sum - part)) + (c - part);
    let bits = sum.to_bits();
    let is_inexact = error != 0.0 && sum.is_finite() && bits & 1 == 0;
    // Toward the side on which the exact sum is.
    let is_beyond = (error > 0.0) == (sum > 0.0);
    f64::from_bits(match (is_inexact, is_beyond) {
        (false, _) => bits,
        (true, true) => bits + 1,
        (true, false) => bits.wrapping_sub(1),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::float::float16;
    use crate::float::float32;
    use crate::float::float64;
    use crate::state::mode::Mode;
    use gcn_model::code_object::ProgramRegisters;
    use gcn_model::isa::generation;

    /// Denormals kept, IEEE.
    fn mode() -> Mode {
        Mode::of(ProgramRegisters { rsrc1: 0xf0 << 12 | 1 << 23, rsrc2: 0 }, generation("gfx9"))
    }

    fn is_same(got: u32, expected: f32) -> bool {
        got == expected.to_bits() || is_nan32(got) && expected.is_nan()
    }

    #[test]
    fn halves_are_exact_and_nearest() {
        for bits in (0..0x1_0000_u32).filter(|bits| !is_nan16(*bits)) {
            let value = of_half(bits);
            assert_eq!(half_of(value), bits);
            if bits & 0x7fff < 0x7c00 {
                // Between two neighbours the even one is taken at the middle, and the nearer one beside it.
                let next = if bits & 0x7fff == 0x7bff { 65536.0_f64.copysign(value) } else { of_half(bits + 1) };
                let middle = (value + next) / 2.0;
                let (below, above) = (middle - (next - value) / 64.0, middle + (next - value) / 64.0);
                assert_eq!((half_of(below), half_of(above)), (bits, bits + 1));
                assert_eq!(half_of(middle), bits + (bits & 1));
            }
        }
    }

    proptest! {
        #[test]
        fn single_precision_is_that_of_the_host(a in any::<u32>(), b in any::<u32>(), c in any::<u32>(), power in -300..300_i32) {
            let (x, y, z) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
            let mode = mode();
            prop_assert!(is_same(float32::fused(a, b, c, &mode), x.mul_add(y, z)));
            // A sum that nearly cancels, where the product's low bits decide.
            let near = -(x * y);
            prop_assert!(is_same(float32::fused(a, b, near.to_bits(), &mode), x.mul_add(y, near)));
            prop_assert!(is_same(float32::add(a, b, &mode), x + y));
            prop_assert!(is_same(float32::scale(a, power as u32, &mode), (f64::from(x) * 2.0_f64.powi(power)) as f32));
            if x.is_finite() && x != 0.0 {
                let (mantissa, exponent) = (float32::mantissa(a, &mode), float32::exponent(a, &mode) as i32);
                let mantissa = f64::from(f32::from_bits(mantissa));
                prop_assert!((0.5..1.0).contains(&mantissa.abs()));
                prop_assert_eq!(mantissa * 2.0_f64.powi(exponent), f64::from(x));
                let (least, most) = (x.min(y).min(z), x.max(y).max(z));
                let median = f32::from_bits(float32::median(a, b, c, &mode));
                prop_assert!(y.is_nan() || z.is_nan() || (least..=most).contains(&median) && [x, y, z].contains(&median));
            }
            let half = float32::to_half_toward_zero(a, &mode);
            prop_assert!(x.is_nan() || of_half(half).abs() <= f64::from(x).abs());
            prop_assert!(x.is_nan() || x.is_infinite() || of_half(half + 1).abs() > f64::from(x).abs());
        }

        #[test]
        fn double_precision_is_scaled_once(a in any::<u64>(), power in -2200..2200_i32) {
            let (value, mode) = (f64::from_bits(a), mode());
            prop_assume!(value.is_finite() && value != 0.0);
            let mantissa = f64::from_bits(float64::mantissa(a, &mode));
            let exponent = float64::exponent(a, &mode) as i32;
            prop_assert_eq!(float64::scaled(mantissa, exponent), value);
            // Down in one step and up again loses no more than rounding once to a multiple of the smallest denormal does.
            let scaled = float64::scaled(value, power);
            if scaled.is_normal() {
                prop_assert_eq!(float64::scaled(scaled, -power), value);
            } else if scaled.is_finite() && exponent + power > -1080 && exponent + power < -1000 {
                let units = mantissa * 2.0_f64.powi(exponent + power + 1074);
                prop_assert_eq!(scaled, units.round_ties_even() * f64::from_bits(1));
            }
        }

        #[test]
        fn half_precision_is_rounded_once(a in 0..0x1_0000_u32, b in 0..0x1_0000_u32) {
            let mode = mode();
            let exact = of_half(a) * of_half(b);
            prop_assume!(!is_nan16(a) && !is_nan16(b) && !exact.is_nan());
            prop_assert_eq!(float16::multiply(a, b, &mode), half_of(exact));
            prop_assert_eq!(float16::fused(a, b, 0x8000, &mode), half_of(exact - 0.0));
        }
    }
}
