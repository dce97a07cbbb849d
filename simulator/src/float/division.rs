//! The instructions that a division is made of: V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP.
//!
//! Source: AMD "MI300 ISA" and "RDNA3 ISA", VOP3 opcode tables; the older manuals say another power for V_DIV_FMAS, which would not undo what
//! V_DIV_SCALE does. Where a card does something else than the manuals say, it is what tinygrad's tests recorded on RDNA 3
//! (`test/amd/hw/test_vop3.py`): V_DIV_SCALE sets VCC for zeros and takes a quotient of the smallest normal number for a denormal, V_DIV_FIXUP
//! makes an infinity of an estimate that is not a number.
//!
//! `a` is what is scaled or the quotient, `b` the denominator, `c` the numerator.

use crate::float::format::{Bits, Format};
use crate::float::precision::{Float32, Float64};
use crate::float::scaling::scaled;
use crate::state::mode::Mode;

/// The scaled source, and whether V_DIV_FMAS is to scale back.
pub(crate) fn scale32(a: u32, b: u32, c: u32, mode: &Mode) -> (u32, bool) {
    let [a, b, c] = [a, b, c].map(|bits| Float32::flush(bits, mode.flush32));
    let [x, y] = [b, c].map(f32::from_bits);
    let is_denormal = |value: f32| value != 0.0 && value.abs() < f32::MIN_POSITIVE;
    let scaled = |power: i32| Float32::scale(a, power as u32, &mode.with_denormals());
    let distance = Float32::biased_exponent(c) - Float32::biased_exponent(b);
    let inverse_is_denormal = is_denormal(1.0 / x);
    let quotient_is_denormal = is_denormal(y / x) || (y / x).abs() == f32::MIN_POSITIVE;
    if c << 1 == 0 || b << 1 == 0 {
        (0x7fc0_0000, true)
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
pub(crate) fn scale64(a: u64, b: u64, c: u64, mode: &Mode) -> (u64, bool) {
    let [a, b, c] = [a, b, c].map(|bits| Float64::flush(bits, mode.flush64));
    let [x, y] = [b, c].map(f64::from_bits);
    let is_denormal = |value: f64| value != 0.0 && value.abs() < f64::MIN_POSITIVE;
    let scaled = |power: i32| scaled(f64::from_bits(a), power).to_bits();
    let distance = Float64::biased_exponent(c) - Float64::biased_exponent(b);
    let inverse_is_denormal = is_denormal(1.0 / x);
    let quotient_is_denormal = is_denormal(y / x) || (y / x).abs() == f64::MIN_POSITIVE;
    if c << 1 == 0 || b << 1 == 0 {
        (0x7ff8 << 48, true)
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
    use gcn_model::code_object::ProgramRegisters;
    use gcn_model::isa::generation;

    /// Denormals of single precision are flushed, as tinygrad's tests run.
    fn mode() -> Mode {
        Mode::of(ProgramRegisters { rsrc1: 0xc0 << 12, rsrc2: 0, rsrc3: 0 }, generation("gfx11"))
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
        let [one64, zero64] = [1.0_f64, 0.0].map(f64::to_bits);
        assert_eq!(scale64(one64, zero64, one64, &mode()), (0x7ff8 << 48, true));
        let fixed = |b: u32, c: u32| fixup::<Float32>([quiet, b, c], -150, &mode());
        assert_eq!([fixed(one, one), fixed(one | 1 << 31, one)], [0x7f80_0000, 0xff80_0000]);
        assert_eq!([fixed(denormal, one), fixed(one, denormal)], [0x7f80_0000, 0]);
    }
}
