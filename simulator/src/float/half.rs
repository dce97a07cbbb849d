//! Half precision in double precision: exact one way, rounded once the other.

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
    // Knuth's two-sum: the error of the rounding, exactly.
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
    use super::*;

    #[test]
    fn halves_are_exact_and_nearest() {
        for bits in (0..0x1_0000_u32).filter(|bits| !*bits & 0x7fff > 0x7c00) {
            let value = of_half(bits);
            assert_eq!(half_of(value), bits);
            if bits & 0x7fff < 0x7c00 {
                // Between two neighbours the even one is taken at the middle, and the nearer one elsewhere.
                let next = if bits & 0x7fff == 0x7bff { 65536.0_f64.copysign(value) } else { of_half(bits + 1) };
                let middle = (value + next) / 2.0;
                let (below, above) = (middle - (next - value) / 64.0, middle + (next - value) / 64.0);
                assert_eq!((half_of(below), half_of(above)), (bits, bits + 1));
                assert_eq!(half_of(middle), bits + (bits & 1));
            }
        }
    }
}
