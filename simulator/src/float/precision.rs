//! Half, single and double precision.

use crate::float::format::Format;
use crate::float::half::{fused_to_odd, half_of, of_half};
use crate::float::scaling::{power_of_two, scaled};
use crate::state::mode::Mode;

/// Half precision: computed in double precision and rounded once.
pub(crate) struct Float16;

impl Format for Float16 {
    type Bits = u32;
    type Number = f64;

    const SIGN: u32 = 0x8000;
    const MAGNITUDE: u32 = 0x7fff;
    const EXPONENT: u32 = 0x7c00;
    const QUIET: u32 = 0x200;
    const BELOW_ONE: f64 = 1.0 - 1.0 / 2048.0;
    const FRACTION: u32 = 10;

    #[inline(always)]
    fn number(bits: u32) -> f64 {
        of_half(bits)
    }

    #[inline(always)]
    fn bits(number: f64) -> u32 {
        half_of(number)
    }

    #[inline(always)]
    fn flushes(mode: &Mode) -> bool {
        mode.flush16
    }

    #[inline(always)]
    fn minimum_flushes(mode: &Mode) -> bool {
        mode.flush16_minimum
    }

    #[inline(always)]
    fn multiplied_and_added(a: f64, b: f64, c: f64) -> f64 {
        fused_to_odd(a, b, c)
    }

    #[inline(always)]
    fn scaled(a: f64, power: u32) -> f64 {
        a * power_of_two(i32::from(power as i16).clamp(-100, 100))
    }
}

/// Single precision.
pub(crate) struct Float32;

impl Format for Float32 {
    type Bits = u32;
    type Number = f32;

    const SIGN: u32 = 1 << 31;
    const MAGNITUDE: u32 = 0x7fff_ffff;
    const EXPONENT: u32 = 0x7f80_0000;
    const QUIET: u32 = 0x40_0000;
    const BELOW_ONE: f32 = f32::from_bits(0x3f7f_ffff);
    const FRACTION: u32 = 23;

    #[inline(always)]
    fn number(bits: u32) -> f32 {
        f32::from_bits(bits)
    }

    #[inline(always)]
    fn bits(number: f32) -> u32 {
        number.to_bits()
    }

    #[inline(always)]
    fn flushes(mode: &Mode) -> bool {
        mode.flush32
    }

    #[inline(always)]
    fn minimum_flushes(mode: &Mode) -> bool {
        mode.flush32_minimum
    }

    #[inline(always)]
    fn multiplied_and_added(a: f32, b: f32, c: f32) -> f32 {
        fused_to_odd(a.into(), b.into(), c.into()) as f32
    }

    #[inline(always)]
    fn scaled(a: f32, power: u32) -> f32 {
        (f64::from(a) * power_of_two((power as i32).clamp(-400, 400))) as f32
    }
}

/// Double precision.
pub(crate) struct Float64;

impl Format for Float64 {
    type Bits = u64;
    type Number = f64;

    const SIGN: u64 = 1 << 63;
    const MAGNITUDE: u64 = u64::MAX >> 1;
    const EXPONENT: u64 = 0x7ff << 52;
    const QUIET: u64 = 1 << 51;
    const BELOW_ONE: f64 = f64::from_bits(0x3fef_ffff_ffff_ffff);
    const FRACTION: u32 = 52;

    #[inline(always)]
    fn number(bits: u64) -> f64 {
        f64::from_bits(bits)
    }

    #[inline(always)]
    fn bits(number: f64) -> u64 {
        number.to_bits()
    }

    #[inline(always)]
    fn flushes(mode: &Mode) -> bool {
        mode.flush64
    }

    #[inline(always)]
    fn minimum_flushes(mode: &Mode) -> bool {
        mode.flush16_minimum
    }

    #[inline(always)]
    fn multiplied_and_added(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn scaled(a: f64, power: u32) -> f64 {
        scaled(a, power.cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::float::conversion::to_half_toward_zero;
    use crate::state::mode::Mode;

    /// Denormals kept, IEEE.
    fn mode() -> Mode {
        Mode::starting(0x8f0, "gfx9")
    }

    fn is_same(got: u32, expected: f32) -> bool {
        got == expected.to_bits() || Float32::is_nan(got) && expected.is_nan()
    }

    proptest! {
        #[test]
        fn single_precision_is_that_of_the_host(a in any::<u32>(), b in any::<u32>(), c in any::<u32>(), power in -300..300_i32) {
            let (x, y, z) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
            let mode = mode();
            prop_assert!(is_same(Float32::fused(a, b, c, &mode), x.mul_add(y, z)));
            // A sum that nearly cancels, where the product's low bits decide.
            let near = -(x * y);
            prop_assert!(is_same(Float32::fused(a, b, near.to_bits(), &mode), x.mul_add(y, near)));
            prop_assert!(is_same(Float32::add(a, b, &mode), x + y));
            prop_assert!(is_same(Float32::scale(a, power as u32, &mode), (f64::from(x) * 2.0_f64.powi(power)) as f32));
            if x.is_finite() && x != 0.0 {
                let (mantissa, exponent) = (Float32::mantissa(a, &mode), Float32::exponent(a, &mode));
                let mantissa = f64::from(f32::from_bits(mantissa));
                prop_assert!((0.5..1.0).contains(&mantissa.abs()));
                prop_assert_eq!(mantissa * 2.0_f64.powi(exponent), f64::from(x));
                let (least, most) = (x.min(y).min(z), x.max(y).max(z));
                let median = f32::from_bits(Float32::median(a, b, c, &mode));
                prop_assert!(y.is_nan() || z.is_nan() || (least..=most).contains(&median) && [x, y, z].contains(&median));
            }
            let half = to_half_toward_zero(a, &mode);
            prop_assert!(x.is_nan() || of_half(half).abs() <= f64::from(x).abs());
            prop_assert!(x.is_nan() || x.is_infinite() || of_half(half + 1).abs() > f64::from(x).abs());
        }

        #[test]
        fn double_precision_is_scaled_once(a in any::<u64>(), power in -2200..2200_i32) {
            let (value, mode) = (f64::from_bits(a), mode());
            prop_assume!(value.is_finite() && value != 0.0);
            let mantissa = f64::from_bits(Float64::mantissa(a, &mode));
            let exponent = Float64::exponent(a, &mode);
            prop_assert_eq!(scaled(mantissa, exponent), value);
            // Down in one step and up again loses no more than rounding once to a multiple of the smallest denormal does.
            let moved = scaled(value, power);
            if moved.is_normal() {
                prop_assert_eq!(scaled(moved, -power), value);
            } else if moved.is_finite() && exponent + power > -1080 && exponent + power < -1000 {
                let units = mantissa * 2.0_f64.powi(exponent + power + 1074);
                prop_assert_eq!(moved, units.round_ties_even() * f64::from_bits(1));
            }
        }

        #[test]
        fn half_precision_is_rounded_once(a in 0..0x1_0000_u32, b in 0..0x1_0000_u32) {
            let mode = mode();
            let exact = of_half(a) * of_half(b);
            prop_assume!(!Float16::is_nan(a) && !Float16::is_nan(b) && !exact.is_nan());
            prop_assert_eq!(Float16::multiply(a, b, &mode), half_of(exact));
            prop_assert_eq!(Float16::fused(a, b, 0x8000, &mode), half_of(exact - 0.0));
        }
    }
}
