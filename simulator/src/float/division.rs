//! The instructions that a division is made of: V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP.
//!
//! Source: AMD "MI300 ISA" and "RDNA3 ISA", VOP3 opcode tables; the older manuals say another power for V_DIV_FMAS, which would not undo what
//! V_DIV_SCALE does. Where a card does something else than the manuals say, it is what tinygrad's tests recorded on RDNA 3
//! (`test/amd/hw/test_vop3.py`): V_DIV_SCALE sets VCC for zeros and takes a quotient of the smallest normal number for a denormal, V_DIV_FIXUP
//! makes an infinity of an estimate that is not a number.
//!
//! `a` is what is scaled or the quotient, `b` the denominator, `c` the numerator.

use crate::float::format::{Bits, Format, Number};
use crate::float::precision::{Float32, Float64};
use crate::float::scaling::scaled;
use crate::state::mode::Mode;

/// What V_DIV_SCALE goes by in a format, in powers of two.
struct Scaling {
    /// So much larger than the denominator a numerator is at least that makes too large a quotient.
    far: i32,
    /// The power that it scales by.
    power: i32,
    /// The largest exponent, as in the bits, of a numerator that is scaled as it is too small.
    small: i32,
}

/// The scaled source of single precision, and whether V_DIV_FMAS is to scale back.
pub(crate) fn scale32(a: u32, b: u32, c: u32, mode: &Mode) -> (u32, bool) {
    let scaled = |a: u32, power: i32| Float32::scale(a, power as u32, &mode.with_denormals());
    scale::<Float32>([a, b, c], &Scaling { far: 96, power: 64, small: 23 }, mode, scaled)
}

/// The same in double precision.
pub(crate) fn scale64(a: u64, b: u64, c: u64, mode: &Mode) -> (u64, bool) {
    let scaled = |a: u64, power: i32| scaled(f64::from_bits(a), power).to_bits();
    scale::<Float64>([a, b, c], &Scaling { far: 768, power: 128, small: 53 }, mode, scaled)
}

fn scale<F: Format>(
    sources: [F::Bits; 3],
    &Scaling { far, power, small }: &Scaling,
    mode: &Mode,
    scaled: impl Fn(F::Bits, i32) -> F::Bits,
) -> (F::Bits, bool) {
    let [a, b, c] = sources.map(|bits| F::flush(bits, F::flushes(mode)));
    let is_zero = |bits: F::Bits| bits & F::MAGNITUDE == F::Bits::ZERO;
    let is_denormal = |bits: F::Bits| !is_zero(bits) && F::biased_exponent(bits) == 0;
    let distance = F::biased_exponent(c) - F::biased_exponent(b);
    let inverse_is_denormal = is_denormal(F::bits(F::Number::of_double(1.0) / F::number(b)));
    let quotient = F::bits(F::number(c) / F::number(b));
    let is_smallest = (quotient & F::MAGNITUDE).into() == 1 << F::FRACTION;
    let quotient_is_denormal = is_denormal(quotient) || is_smallest;
    if is_zero(c) || is_zero(b) {
        (F::EXPONENT | F::QUIET, true)
    } else if distance >= far {
        (if a == b { scaled(a, power) } else { a }, true)
    } else if is_denormal(b) {
        (scaled(a, power), false)
    } else if inverse_is_denormal && quotient_is_denormal {
        // The manuals scale the denominator up, which makes an infinity of a large one: compilers' divisions, which are exact on cards, need it
        // scaled down.
        (if a == b { scaled(a, -power) } else { a }, true)
    } else if inverse_is_denormal {
        (scaled(a, -power), false)
    } else if quotient_is_denormal {
        (if a == c { scaled(a, power) } else { a }, true)
    } else if F::biased_exponent(c) <= small {
        (scaled(a, power), false)
    } else {
        (a, false)
    }
}

/// The fused product and sum; where V_DIV_SCALE has scaled, by 2^`power` up if the addend is 2 or more, and down otherwise.
pub(crate) fn fused<F: Format>(sources: [F::Bits; 3], is_scaled: bool, power: i32, mode: &Mode) -> F::Bits {
    let [a, b, c] = sources;
    let fused = F::fused(a, b, c, mode);
    // The exponent of 1 is half of that of an infinity.
    let is_large = F::biased_exponent(c) > F::biased_exponent(F::EXPONENT) / 2;
    let power = if is_large { power } else { -power };
    if is_scaled { F::scale(fused, power as u32, mode) } else { fused }
}

/// What special cases make of a quotient; below 2^`least` it is zero.
pub(crate) fn fixup<F: Format>([a, b, c]: [F::Bits; 3], least: i32, mode: &Mode) -> F::Bits {
    // As those of V_DIV_SCALE, which makes a NaN of what counts as zero.
    let [b, c] = [b, c].map(|bits| F::flush(bits, F::flushes(mode)));
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
    } else if F::is_nan(a) {
        sign | infinity
    } else {
        sign | a & F::MAGNITUDE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Denormals of single precision are flushed, as tinygrad's tests run.
    fn mode() -> Mode {
        Mode::starting(0xc0, "gfx11")
    }

    #[test]
    fn a_division_is_scaled_and_scaled_back_as_on_rdna_3() {
        let (one, two) = (1.0_f32.to_bits(), 2.0_f32.to_bits());
        let fmas =
            |a: f32, b: f32, c: f32| f32::from_bits(fused::<Float32>([a, b, c].map(f32::to_bits), true, 64, &mode()));
        assert_eq!(fmas(1.0, 1.0, 2.0), 3.0 * 2.0_f32.powi(64));
        assert_eq!(fmas(2.0, 3.0, 1.0), 7.0 * 2.0_f32.powi(-64));
        let wide = |c: f64| f64::from_bits(fused::<Float64>([1.0, 1.0, c].map(f64::to_bits), true, 128, &mode()));
        assert_eq!((wide(2.0), wide(1.0)), (3.0 * 2.0_f64.powi(128), 2.0 * 2.0_f64.powi(-128)));
        let scale = |a, b, c| scale32(a, b, c, &mode());
        let (quiet, denormal, smallest) = (0x7fc0_0000, 1, 0x0080_0000);
        for (a, b, c) in [(one, 0, one), (0, one, 0), (denormal, denormal, one)] {
            assert_eq!(scale(a, b, c), (quiet, true), "{a:#x} {b:#x} {c:#x}");
        }
        assert_eq!(scale(smallest, one, smallest), (smallest + (64 << 23), true));
        assert_eq!(scale(two, 4.0_f32.to_bits(), two), (two, false));
        // A quotient that is denormal, of a large denominator: this one is made smaller, and the quotient scaled back.
        let large = 2.0_f32.powi(127).to_bits();
        assert_eq!(scale(large, large, one), (2.0_f32.powi(63).to_bits(), true));
        let large64 = 2.0_f64.powi(1023).to_bits();
        assert_eq!(scale64(large64, large64, 1.0_f64.to_bits(), &mode()), (2.0_f64.powi(895).to_bits(), true));
        let [one64, zero64] = [1.0_f64, 0.0].map(f64::to_bits);
        assert_eq!(scale64(one64, zero64, one64, &mode()), (0x7ff8 << 48, true));
        let fixed = |b: u32, c: u32| fixup::<Float32>([quiet, b, c], -150, &mode());
        assert_eq!([fixed(one, one), fixed(one | 1 << 31, one)], [0x7f80_0000, 0xff80_0000]);
        assert_eq!([fixed(denormal, one), fixed(one, denormal)], [0x7f80_0000, 0]);
    }
}
