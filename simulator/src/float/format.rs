//! The floating-point formats: each is a few constants and its rounding; the operations are common to all.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", VOP1, VOP2, VOP3 and VOP3P opcode tables.
//!
//! A resulting NaN is the first NaN among the sources, made quiet, or 0x7fc00000 (and the like) without one:
//! no manual says which payload is kept.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Sub};

use crate::float::scaling::split;
use crate::state::mode::Mode;

/// The bits of a number in a lane; half precision is in the low half of a dword.
pub(crate) trait Bits:
    Copy + PartialOrd + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Into<u64>
{
    const ZERO: Self;
}

impl Bits for u32 {
    const ZERO: Self = 0;
}

impl Bits for u64 {
    const ZERO: Self = 0;
}

/// The type that computes with a format's numbers.
pub(crate) trait Number:
    Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    fn is_nan(self) -> bool;
    fn trunc(self) -> Self;
    fn ceil(self) -> Self;
    fn round_ties_even(self) -> Self;
    fn floor(self) -> Self;
    fn to_double(self) -> f64;
    /// The nearest one.
    fn of_double(double: f64) -> Self;
}

macro_rules! number {
    ($number:ident) => {
        impl Number for $number {
            #[inline(always)]
            fn is_nan(self) -> bool {
                self.is_nan()
            }

            #[inline(always)]
            fn trunc(self) -> Self {
                self.trunc()
            }

            #[inline(always)]
            fn ceil(self) -> Self {
                self.ceil()
            }

            #[inline(always)]
            fn round_ties_even(self) -> Self {
                self.round_ties_even()
            }

            #[inline(always)]
            fn floor(self) -> Self {
                self.floor()
            }

            #[inline(always)]
            fn to_double(self) -> f64 {
                self as f64
            }

            #[inline(always)]
            fn of_double(double: f64) -> Self {
                double as Self
            }
        }
    };
}
number!(f32);
number!(f64);

/// A floating-point format.
pub(crate) trait Format {
    type Bits: Bits;
    /// What its numbers are computed with.
    type Number: Number;

    const SIGN: Self::Bits;
    /// Everything else.
    const MAGNITUDE: Self::Bits;
    /// The exponent: as a number, infinity.
    const EXPONENT: Self::Bits;
    /// Set in a NaN that does not signal.
    const QUIET: Self::Bits;
    /// The largest number below one.
    const BELOW_ONE: Self::Number;
    /// Bits of the fraction.
    const FRACTION: u32;

    /// The number that bits stand for.
    fn number(bits: Self::Bits) -> Self::Number;

    /// The bits of a number, rounded to the format; of a NaN any.
    fn bits(number: Self::Number) -> Self::Bits;

    /// Whether MODE makes denormals zero.
    fn flushes(mode: &Mode) -> bool;

    /// Likewise for minimum and maximum.
    fn minimum_flushes(mode: &Mode) -> bool;

    /// a × b + c, so that rounding it to the format is rounding once.
    fn multiplied_and_added(a: Self::Number, b: Self::Number, c: Self::Number) -> Self::Number;

    /// a × 2^power, so that rounding it to the format is rounding once; the power is the low bits of a source.
    fn scaled(a: Self::Number, power: u32) -> Self::Number;

    /// The exponent as in the bits.
    #[inline(always)]
    fn biased_exponent(bits: Self::Bits) -> i32 {
        ((bits & Self::EXPONENT).into() >> Self::FRACTION) as i32
    }

    /// Makes a denormal zero, with its sign.
    #[inline(always)]
    fn flush(bits: Self::Bits, is_on: bool) -> Self::Bits {
        let bits = bits & (Self::SIGN | Self::MAGNITUDE);
        if is_on && bits & Self::EXPONENT == Self::Bits::ZERO { bits & Self::SIGN } else { bits }
    }

    /// A denormal or a zero as +0; everything else as it is.
    #[inline(always)]
    fn positive_zero(bits: Self::Bits) -> Self::Bits {
        if bits & Self::EXPONENT == Self::Bits::ZERO { Self::Bits::ZERO } else { bits }
    }

    /// The number that bits stand for as MODE has it.
    #[inline(always)]
    fn read(bits: Self::Bits, mode: &Mode) -> Self::Number {
        Self::number(Self::flush(bits, Self::flushes(mode)))
    }

    /// Whether the bits are a NaN.
    #[inline(always)]
    fn is_nan(bits: Self::Bits) -> bool {
        bits & Self::MAGNITUDE > Self::EXPONENT
    }

    /// Whether they are one that signals.
    #[inline(always)]
    fn is_signalling(bits: Self::Bits) -> bool {
        Self::is_nan(bits) && bits & Self::QUIET == Self::Bits::ZERO
    }

    /// A result, rounded, with its NaN, if it is one, made from the sources.
    #[inline(always)]
    fn settle(result: Self::Number, [a, b, c]: [Self::Bits; 3], flush: bool) -> Self::Bits {
        // Both are computed, and one is chosen: lanes are then computed side by side.
        let bits = Self::flush(Self::bits(result), flush);
        let of = |bits: Self::Bits, other| {
            if Self::is_nan(bits) { bits & (Self::SIGN | Self::MAGNITUDE) | Self::QUIET } else { other }
        };
        if result.is_nan() { of(a, of(b, of(c, Self::EXPONENT | Self::QUIET))) } else { bits }
    }

    #[inline(always)]
    fn one(a: Self::Bits, mode: &Mode, f: impl Fn(Self::Number) -> Self::Number) -> Self::Bits {
        let a = Self::flush(a, Self::flushes(mode));
        Self::settle(f(Self::number(a)), [a, Self::Bits::ZERO, Self::Bits::ZERO], Self::flushes(mode))
    }

    #[inline(always)]
    fn two(
        a: Self::Bits,
        b: Self::Bits,
        flush: bool,
        f: impl Fn(Self::Number, Self::Number) -> Self::Number,
    ) -> Self::Bits {
        let (a, b) = (Self::flush(a, flush), Self::flush(b, flush));
        Self::settle(f(Self::number(a), Self::number(b)), [a, b, Self::Bits::ZERO], flush)
    }

    #[inline(always)]
    fn add(a: Self::Bits, b: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::two(a, b, Self::flushes(mode), |a, b| a + b)
    }

    #[inline(always)]
    fn subtract(a: Self::Bits, b: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::two(a, b, Self::flushes(mode), |a, b| a - b)
    }

    #[inline(always)]
    fn multiply(a: Self::Bits, b: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::two(a, b, Self::flushes(mode), |a, b| a * b)
    }

    /// Zero times anything is zero.
    #[inline(always)]
    fn multiply_legacy(a: Self::Bits, b: Self::Bits, mode: &Mode) -> Self::Bits {
        let is_zero = |bits| Self::flush(bits, Self::flushes(mode)) & Self::MAGNITUDE == Self::Bits::ZERO;
        if is_zero(a) || is_zero(b) { Self::Bits::ZERO } else { Self::multiply(a, b, mode) }
    }

    /// Rounded once; zero times anything leaves the addend, −0 as well.
    #[inline(always)]
    fn fused_legacy(a: Self::Bits, b: Self::Bits, c: Self::Bits, mode: &Mode) -> Self::Bits {
        let is_zero = |bits| Self::flush(bits, Self::flushes(mode)) & Self::MAGNITUDE == Self::Bits::ZERO;
        if is_zero(a) || is_zero(b) { Self::one(c, mode, |c| c) } else { Self::fused(a, b, c, mode) }
    }

    /// Rounded after the product and after the sum; it never has denormals.
    #[inline(always)]
    fn multiply_add(a: Self::Bits, b: Self::Bits, c: Self::Bits) -> Self::Bits {
        let product = Self::two(a, b, true, |a, b| a * b);
        Self::two(product, c, true, |product, c| product + c)
    }

    /// Rounded once.
    #[inline(always)]
    fn fused(a: Self::Bits, b: Self::Bits, c: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::fused_by(Self::multiplied_and_added, [a, b, c], mode)
    }

    /// Likewise where a function multiplies, adds and rounds once.
    #[inline(always)]
    fn fused_by(
        multiplied_and_added: impl Fn(Self::Number, Self::Number, Self::Number) -> Self::Number,
        sources: [Self::Bits; 3],
        mode: &Mode,
    ) -> Self::Bits {
        let sources = sources.map(|bits| Self::flush(bits, Self::flushes(mode)));
        let [a, b, c] = sources.map(Self::number);
        Self::settle(multiplied_and_added(a, b, c), sources, Self::flushes(mode))
    }

    #[inline(always)]
    fn extremum(
        a: Self::Bits,
        b: Self::Bits,
        mode: &Mode,
        takes_first: impl Fn(Self::Number, Self::Number) -> bool,
        zero: impl Fn(Self::Bits, Self::Bits) -> Self::Bits,
    ) -> Self::Bits {
        let flush = Self::minimum_flushes(mode);
        let (a, b) = (Self::flush(a, flush), Self::flush(b, flush));
        let (x, y) = (Self::number(a), Self::number(b));
        if mode.ieee && Self::is_signalling(a) {
            a | Self::QUIET
        } else if mode.ieee && Self::is_signalling(b) {
            b | Self::QUIET
        } else if Self::is_nan(a) {
            b
        } else if Self::is_nan(b) {
            a
        } else if (a | b) & Self::MAGNITUDE == Self::Bits::ZERO {
            zero(a, b)
        } else if takes_first(x, y) {
            a
        } else {
            b
        }
    }

    /// −0 is smaller than +0.
    #[inline(always)]
    fn minimum(a: Self::Bits, b: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::extremum(a, b, mode, |a, b| a < b, |a, b| a | b)
    }

    #[inline(always)]
    fn maximum(a: Self::Bits, b: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::extremum(a, b, mode, |a, b| a >= b, |a, b| a & b)
    }

    /// A NaN of the sources, quiet: one that signals before one that does not; otherwise the choice.
    #[inline(always)]
    fn nan_or(a: Self::Bits, b: Self::Bits, choice: Self::Bits) -> Self::Bits {
        if Self::is_signalling(a) || Self::is_nan(a) && !Self::is_signalling(b) {
            a | Self::QUIET
        } else if Self::is_nan(b) {
            b | Self::QUIET
        } else {
            choice
        }
    }

    /// The minimum; a NaN if a source is one.
    #[inline(always)]
    fn least(a: Self::Bits, b: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::nan_or(a, b, Self::minimum(a, b, mode))
    }

    /// The maximum; a NaN if a source is one.
    #[inline(always)]
    fn greatest(a: Self::Bits, b: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::nan_or(a, b, Self::maximum(a, b, mode))
    }

    /// The middle of three; the smallest where there is a NaN.
    #[inline(always)]
    fn median(a: Self::Bits, b: Self::Bits, c: Self::Bits, mode: &Mode) -> Self::Bits {
        if Self::is_nan(a) || Self::is_nan(b) || Self::is_nan(c) {
            return Self::minimum(Self::minimum(a, b, mode), c, mode);
        }
        let largest = Self::number(Self::maximum(Self::maximum(a, b, mode), c, mode));
        let is = |bits| Self::number(Self::flush(bits, Self::minimum_flushes(mode))) == largest;
        if is(a) {
            Self::maximum(b, c, mode)
        } else if is(b) {
            Self::maximum(a, c, mode)
        } else {
            Self::maximum(a, b, mode)
        }
    }

    #[inline(always)]
    fn truncate(a: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::one(a, mode, Self::Number::trunc)
    }

    #[inline(always)]
    fn ceiling(a: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::one(a, mode, Self::Number::ceil)
    }

    #[inline(always)]
    fn nearest(a: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::one(a, mode, Self::Number::round_ties_even)
    }

    #[inline(always)]
    fn floor(a: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::one(a, mode, Self::Number::floor)
    }

    /// a − floor(a), but below one. Of an infinity it does not exist.
    #[inline(always)]
    fn fraction(a: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::one(a, mode, |a| {
            let of = a - a.floor();
            if of > Self::BELOW_ONE { Self::BELOW_ONE } else { of }
        })
    }

    /// a × 2^b, rounded once.
    #[inline(always)]
    fn scale(a: Self::Bits, b: u32, mode: &Mode) -> Self::Bits {
        Self::one(a, mode, |a| Self::scaled(a, b))
    }

    /// The power of two by which [`Format::mantissa`] is to be multiplied; 0 of zeros, infinities and NaNs.
    #[inline(always)]
    fn exponent(a: Self::Bits, mode: &Mode) -> i32 {
        let a = Self::read(a, mode).to_double();
        if a == 0.0 || !a.is_finite() { 0 } else { split(a).1 }
    }

    /// The number scaled to 0.5 up to 1; zeros, infinities and NaNs stay.
    #[inline(always)]
    fn mantissa(a: Self::Bits, mode: &Mode) -> Self::Bits {
        Self::one(a, mode, |a| {
            let double = a.to_double();
            if double == 0.0 || !double.is_finite() { a } else { Self::Number::of_double(split(double).0) }
        })
    }

    /// Which of the ten classes a number is in: quiet NaN is 2, −∞ 4, …, +∞ 512; a signalling NaN is 1.
    #[inline(always)]
    fn class(a: Self::Bits) -> u32 {
        let by_sign =
            |negative: u32, positive: u32| 1 << if a & Self::SIGN == Self::Bits::ZERO { positive } else { negative };
        let (exponent, magnitude) = (a & Self::EXPONENT, a & Self::MAGNITUDE);
        if magnitude == Self::EXPONENT {
            by_sign(2, 9)
        } else if magnitude > Self::EXPONENT {
            1 << u32::from(!Self::is_signalling(a))
        } else if magnitude == Self::Bits::ZERO {
            by_sign(5, 6)
        } else if exponent == Self::Bits::ZERO {
            by_sign(4, 7)
        } else {
            by_sign(3, 8)
        }
    }
}
