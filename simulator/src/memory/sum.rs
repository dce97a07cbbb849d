//! Sums of the floating-point atomics of CDNA.
//!
//! They round to the nearest even (LLVM 22.1 `SIISelLowering.cpp`, atomicrmw fadd). Whether denormals are kept hangs on the memory and on the
//! card, and which NaN comes out is nowhere said: a sum with either of them is unknown.

use crate::float::half::{half_of, of_half};
use crate::lower::operation::Width;

/// A sum of single or double precision.
pub(super) fn float(width: Width, a: u64, b: u64) -> Option<u64> {
    match width {
        Width::Dword => {
            let [a, b] = [a, b].map(|bits| f32::from_bits(bits as u32));
            let sum = a + b;
            let is_sure = |value: f32| !value.is_nan() && !value.is_subnormal();
            [a, b, sum].into_iter().all(is_sure).then(|| u64::from(sum.to_bits()))
        }
        Width::Two => {
            let [a, b] = [a, b].map(f64::from_bits);
            let sum = a + b;
            let is_sure = |value: f64| !value.is_nan() && !value.is_subnormal();
            [a, b, sum].into_iter().all(is_sure).then(|| sum.to_bits())
        }
    }
}

/// Two sums of half precision.
pub(super) fn halves(a: u64, b: u64) -> Option<u64> {
    each(a, b, |a, b| {
        // A sum of two halves is a double exactly.
        let sum = half_of(of_half(a) + of_half(b));
        let is_sure = |half: u32| {
            let value = of_half(half);
            !value.is_nan() && (value == 0.0 || value.abs() >= SMALLEST_HALF)
        };
        [a, b, sum].into_iter().all(is_sure).then_some(sum)
    })
}

/// Two sums of BF16.
pub(super) fn brain_floats(a: u64, b: u64) -> Option<u64> {
    each(a, b, |a, b| {
        let float = |bits: u32| f32::from_bits(bits << 16);
        // Rounding twice is rounding once: a float has more than twice as many bits, and two more.
        let bits = (float(a) + float(b)).to_bits();
        let sum = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
        let is_sure = |value: f32| !value.is_nan() && !value.is_subnormal();
        [float(a), float(b), f32::from_bits(bits), float(sum)].into_iter().all(is_sure).then_some(sum)
    })
}

/// The smallest half that is no denormal.
const SMALLEST_HALF: f64 = 6.103_515_625e-5;

fn each(a: u64, b: u64, sum: impl Fn(u32, u32) -> Option<u32>) -> Option<u64> {
    let half = |value: u64, shift: u32| (value >> shift) as u32 & 0xffff;
    let (low, high) = (sum(half(a, 0), half(b, 0))?, sum(half(a, 16), half(b, 16))?);
    Some(u64::from(low | high << 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_round_to_the_nearest_even_and_denormals_are_unknown() {
        let single = |a: f32, b: f32| float(Width::Dword, a.to_bits().into(), b.to_bits().into());
        assert_eq!(single(1.5, 2.25), Some(3.75_f32.to_bits().into()));
        assert_eq!((single(1e-40, 0.0), single(f32::NAN, 0.0)), (None, None));
        let double = float(Width::Two, 1.5_f64.to_bits(), (-0.5_f64).to_bits());
        assert_eq!(double, Some(1.0_f64.to_bits()));
        // 1 + 2 and 2048 + 1, which is halfway and goes to 2048.
        assert_eq!(halves(0x3c00_6800, 0x4000_3c00), Some(0x4200_6800));
        assert_eq!(halves(1, 0), None);
        // 256 + 1 is halfway between two BF16 and goes to the even one.
        assert_eq!(brain_floats(0x3f80_4380, 0x3f80_3f80), Some(0x4000_4380));
        assert_eq!(brain_floats(0x7fc0, 0), None);
    }
}
