//! Powers of two, of numbers of double precision.

/// 2^power, of a number that is normal.
pub(crate) fn power_of_two(power: i32) -> f64 {
    f64::from_bits(((1023 + power) as u64) << 52)
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
        // The factor that keeps it normal comes first: only the last product is rounded.
        -1080..=-1022 => mantissa * f64::from_bits(((1023 + exponent + 1022) as u64) << 52) * f64::from_bits(1 << 52),
        _ => 0.0_f64.copysign(a),
    }
}

/// A finite number other than zero as one from 0.5 up to 1 and a power of two.
pub(crate) fn split(a: f64) -> (f64, i32) {
    let normal = if a.to_bits() >> 52 & 0x7ff == 0 { (a * (1_u64 << 54) as f64, 54) } else { (a, 0) };
    let bits = normal.0.to_bits();
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), (bits >> 52 & 0x7ff) as i32 - 1022 - normal.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denormal_result_is_rounded_once() {
        // 435565717713603 7/16 units of the smallest denormal: rounded to eighths first, it would be a tie.
        let a = f64::from_bits(14_238_343_873_974_185_015);
        assert_eq!(scaled(a, -1116).to_bits(), 1 << 63 | 435_565_717_713_603);
        assert_eq!(scaled(1.5 + f64::EPSILON, -1074).to_bits(), 2);
        assert_eq!(scaled(1.5 - f64::EPSILON, -1074).to_bits(), 1);
    }
}
