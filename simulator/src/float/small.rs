//! Formats of 4, 6 and 8 bits, of single precision and back.
//!
//! Source: OCP "8-bit Floating Point Specification" 1.0 and "Microscaling Formats (MX) Specification" 1.0 for the formats of CDNA 4; AMD "CDNA3 ISA",
//! and LLVM `APFloat.h` (Float8E4M3FNUZ, Float8E5M2FNUZ), for those of CDNA 3: no infinities, no −0, one NaN, and a bias one higher.

use crate::float::scaling::{power_of_two, split};

/// The meaning of the largest exponent.
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

    /// The nearest number, the even one of two.
    pub(crate) fn nearest(self, value: f32) -> u32 {
        self.rounded(value, |units| units.round_ties_even() as u32)
    }

    /// Bits of a fraction of single precision that this one has not.
    fn dropped(self) -> u32 {
        23 - self.fraction
    }

    /// The number after random bits are added below its last bit and the sum is cut off; what they are added to has as many bits as a
    /// normal number has in single precision.
    pub(crate) fn stochastic(self, value: f32, random: u32) -> u32 {
        let dropped = self.dropped();
        self.rounded(value, |units| {
            let kept = (units * f64::from(1_u32 << dropped)) as u32;
            (kept + (random >> (32 - dropped))) >> dropped
        })
    }

    /// The same as the pseudocode of AMD's manuals has it: the fraction with the random bits added wraps around, and is rounded to nearest.
    pub(crate) fn stochastic_of_text(self, value: f32, random: u32) -> u32 {
        const FRACTION: u32 = (1 << 23) - 1;
        if !value.is_finite() {
            return self.nearest(value);
        }
        let fraction = (value.to_bits() + (random >> (32 - self.dropped()))) & FRACTION;
        self.nearest(f32::from_bits(value.to_bits() & !FRACTION | fraction))
    }

    /// A number rounded as a function rounds it in units of its last place. What is too large becomes infinity, or a NaN where there is none; in a
    /// format without either the largest number, as a NaN does.
    fn rounded(self, value: f32, round: impl Fn(f64) -> u32) -> u32 {
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
        let units = round(magnitude * power_of_two(self.fraction as i32 - exponent));
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
                // −0 is 0 where the format lacks it.
                assert!(below == bits || format.number(below) == value, "{format:?} {bits:#x}");
                assert_eq!(format.nearest(middle), bits + (bits & 1), "{format:?} {bits:#x}");
            }
        }
    }

    #[test]
    fn a_number_becomes_one_of_its_neighbours_by_chance() {
        // FP8 counts eighths there: 1.3125 lies half between two. The random bits are S1[31:12], of BF8 S1[31:11].
        let fp8 = |value: f32, random: u32| SmallFormat::FP8.number(SmallFormat::FP8.stochastic(value, random));
        assert_eq!([0, u32::MAX].map(|random| fp8(1.25, random)), [1.25; 2]);
        assert_eq!(
            [0, 0x7fff_ffff, 0x8000_0000, u32::MAX].map(|random| fp8(1.3125, random)),
            [1.25, 1.25, 1.375, 1.375]
        );
        // A carry reaches the exponent, and beyond the largest number there is the NaN.
        assert_eq!(fp8(-1.9375, 0x8000_0000), -2.0);
        assert!(fp8(460.0, u32::MAX).is_nan() && fp8(460.0, 0) == 448.0);
        let bf8 = |value: f32, random: u32| SmallFormat::BF8.number(SmallFormat::BF8.stochastic(value, random));
        assert_eq!([0, 0xbfff_ffff, 0xc000_0000].map(|random| bf8(1.0625, random)), [1.0, 1.0, 1.25]);
        // Below the least normal number the number keeps as many bits as it would there.
        let least = 2.0_f32.powi(-9);
        assert_eq!([0x7fff_ffff, 0x8000_0000].map(|random| fp8(1.5 * least, random)), [least, 2.0 * least]);
        assert_eq!([0x7fff_ffff, 0x8000_0000].map(|random| fp8(-0.5 * least, random)), [-0.0, -least]);
        assert_eq!(fp8(f32::from_bits(1), u32::MAX), 0.0);
        // The manuals' pseudocode agrees where nothing is left to round.
        assert_eq!(SmallFormat::FP8.stochastic_of_text(1.25, 0x7fff_ffff), SmallFormat::FP8.nearest(1.25));
        assert_ne!(
            SmallFormat::FP8.stochastic_of_text(1.9375, 0x8000_0000),
            SmallFormat::FP8.stochastic(1.9375, 0x8000_0000)
        );
    }

    #[test]
    fn overflow_gives_the_formats_largest_value() {
        assert_eq!(SmallFormat::FP8_FNUZ.nearest(1e9), 0x80);
        assert_eq!(SmallFormat::FP8_FNUZ.nearest(-0.0), 0);
        assert_eq!((SmallFormat::FP8.nearest(463.0), SmallFormat::FP8.nearest(465.0)), (0x7e, 0x7f));
        assert_eq!(SmallFormat::BF8.nearest(-1e9), 0xfc);
        assert_eq!(SmallFormat::FP4.nearest(-1e9), 0xf);
    }
}
