//! Formats of 4, 6 and 8 bits, of single precision and back.
//!
//! Source: OCP "8-bit Floating Point Specification" 1.0 and "Microscaling Formats (MX) Specification" 1.0 for the formats of CDNA 4; AMD "CDNA3 ISA",
//! and LLVM `APFloat.h` (Float8E4M3FNUZ, Float8E5M2FNUZ), for those of CDNA 3: no infinities, no −0, one NaN, and a bias one higher.

use crate::float::scaling::{power_of_two, split};

/// What the largest exponent stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Special {
    /// Numbers.
    Nothing,
    /// Numbers, but for the largest fraction, which is a NaN.
    LastIsNan,
    /// Infinities and NaNs.
    Ieee,
    /// Numbers; what would be −0 is the NaN.
    NegativeZeroIsNan,
}

/// A floating-point format of 4, 6 or 8 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SmallFormat {
    exponent: u32,
    fraction: u32,
    bias: i32,
    special: Special,
}

impl SmallFormat {
    /// E4M3 of CDNA 3.
    pub(crate) const FP8_FNUZ: Self = Self::new(4, 3, 8, Special::NegativeZeroIsNan);
    /// E5M2 of CDNA 3.
    pub(crate) const BF8_FNUZ: Self = Self::new(5, 2, 16, Special::NegativeZeroIsNan);
    /// E4M3 of OCP.
    pub(crate) const FP8: Self = Self::new(4, 3, 7, Special::LastIsNan);
    /// E5M2 of OCP.
    pub(crate) const BF8: Self = Self::new(5, 2, 15, Special::Ieee);
    /// E2M3 of OCP.
    pub(crate) const FP6: Self = Self::new(2, 3, 1, Special::Nothing);
    /// E3M2 of OCP.
    pub(crate) const BF6: Self = Self::new(3, 2, 3, Special::Nothing);
    /// E2M1 of OCP.
    pub(crate) const FP4: Self = Self::new(2, 1, 1, Special::Nothing);

    const fn new(exponent: u32, fraction: u32, bias: i32, special: Special) -> Self {
        Self { exponent, fraction, bias, special }
    }

    /// Bits of a number.
    pub(crate) const fn bits(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    fn sign(self) -> u32 {
        1 << (self.exponent + self.fraction)
    }

    /// The bits of the largest number.
    fn largest(self) -> u32 {
        match self.special {
            Special::Nothing | Special::NegativeZeroIsNan => self.sign() - 1,
            Special::LastIsNan => self.sign() - 2,
            Special::Ieee => (((1 << self.exponent) - 1) << self.fraction) - 1,
        }
    }

    /// The number that bits stand for, exactly.
    pub(crate) fn number(self, bits: u32) -> f32 {
        let magnitude = bits & (self.sign() - 1);
        let is_negative = bits & self.sign() != 0;
        if self.special == Special::NegativeZeroIsNan && is_negative && magnitude == 0 {
            return f32::NAN;
        }
        if magnitude > self.largest() {
            let is_infinite = self.special == Special::Ieee && magnitude == self.largest() + 1;
            return match (is_infinite, is_negative) {
                (false, _) => f32::NAN,
                (true, true) => f32::NEG_INFINITY,
                (true, false) => f32::INFINITY,
            };
        }
        let (exponent, fraction) = (magnitude >> self.fraction, magnitude & ((1 << self.fraction) - 1));
        let (significand, exponent) =
            if exponent == 0 { (fraction, 1) } else { (fraction | 1 << self.fraction, exponent as i32) };
        let value = f64::from(significand) * power_of_two(exponent - self.bias - self.fraction as i32);
        (if is_negative { -value } else { value }) as f32
    }

    /// The nearest number, the even one of two. What is too large becomes infinity, or a NaN where there is none; in a format without either the
    /// largest number, as a NaN does.
    pub(crate) fn nearest(self, value: f32) -> u32 {
        let sign = if value.is_sign_negative() { self.sign() } else { 0 };
        let beyond = match self.special {
            Special::Nothing => sign | self.largest(),
            Special::NegativeZeroIsNan => self.sign(),
            Special::LastIsNan | Special::Ieee => sign | (self.largest() + 1),
        };
        if value.is_nan() {
            // The quiet one of an IEEE format has the highest bit of the fraction.
            let quiet = if self.special == Special::Ieee { 1 << (self.fraction - 1) } else { 0 };
            return beyond | quiet;
        }
        let magnitude = f64::from(value.abs());
        if magnitude == 0.0 || value.is_infinite() {
            let zero = if self.special == Special::NegativeZeroIsNan { 0 } else { sign };
            return if value.is_infinite() { beyond } else { zero };
        }
        let exponent = (split(magnitude).1 - 1).max(1 - self.bias);
        let units = (magnitude * power_of_two(self.fraction as i32 - exponent)).round_ties_even() as u32;
        // The leading one of a normal number adds to the exponent, as does a carry.
        let code = units + (((exponent + self.bias - 1) as u32) << self.fraction);
        match code {
            0 if self.special == Special::NegativeZeroIsNan => 0,
            code if code > self.largest() => beyond,
            code => sign | code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [SmallFormat; 7] = [
        SmallFormat::FP8_FNUZ,
        SmallFormat::BF8_FNUZ,
        SmallFormat::FP8,
        SmallFormat::BF8,
        SmallFormat::FP6,
        SmallFormat::BF6,
        SmallFormat::FP4,
    ];

    #[test]
    fn the_largest_and_smallest_numbers_are_those_of_the_specifications() {
        let of = |format: SmallFormat| (format.number(format.largest()), format.number(1));
        assert_eq!(of(SmallFormat::FP8_FNUZ), (240.0, 2.0_f32.powi(-10)));
        assert_eq!(of(SmallFormat::BF8_FNUZ), (57344.0, 2.0_f32.powi(-17)));
        assert_eq!(of(SmallFormat::FP8), (448.0, 2.0_f32.powi(-9)));
        assert_eq!(of(SmallFormat::BF8), (57344.0, 2.0_f32.powi(-16)));
        assert_eq!(of(SmallFormat::FP6), (7.5, 0.125));
        assert_eq!(of(SmallFormat::BF6), (28.0, 0.0625));
        assert_eq!(of(SmallFormat::FP4), (6.0, 0.5));
        assert_eq!(SmallFormat::FP4.number(0b1011), -1.5);
        assert!(SmallFormat::FP8_FNUZ.number(0x80).is_nan() && SmallFormat::FP8.number(0xff).is_nan());
        assert_eq!((SmallFormat::BF8.number(0x7c), SmallFormat::BF8.number(0xfc)), (f32::INFINITY, f32::NEG_INFINITY));
        assert!(SmallFormat::BF8.number(0x7d).is_nan());
    }

    #[test]
    fn numbers_come_back_and_between_them_the_nearest_is_taken() {
        for format in ALL {
            for bits in 0..1 << format.bits() {
                let value = format.number(bits);
                if value.is_nan() {
                    assert!(format.number(format.nearest(value)).is_nan(), "{format:?} {bits:#x}");
                    continue;
                }
                assert_eq!(format.nearest(value), bits, "{format:?}");
                let magnitude = bits & (format.sign() - 1);
                if magnitude >= format.largest() {
                    continue;
                }
                let next = format.number(bits + 1);
                let middle = f32::midpoint(value, next);
                let beside = (next - value) / 64.0;
                assert_eq!(format.nearest(middle + beside), bits + 1, "{format:?} {bits:#x}");
                let below = format.nearest(middle - beside);
                // −0 is 0 where there is none.
                assert!(below == bits || format.number(below) == value, "{format:?} {bits:#x}");
                assert_eq!(format.nearest(middle), bits + (bits & 1), "{format:?} {bits:#x}");
            }
        }
    }

    #[test]
    fn what_is_too_large_is_what_the_format_has_for_it() {
        assert_eq!(SmallFormat::FP8_FNUZ.nearest(1e9), 0x80);
        assert_eq!(SmallFormat::FP8_FNUZ.nearest(-0.0), 0);
        assert_eq!((SmallFormat::FP8.nearest(463.0), SmallFormat::FP8.nearest(465.0)), (0x7e, 0x7f));
        assert_eq!(SmallFormat::BF8.nearest(-1e9), 0xfc);
        assert_eq!(SmallFormat::FP4.nearest(-1e9), 0xf);
    }
}
