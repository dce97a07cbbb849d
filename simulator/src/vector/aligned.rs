//! Sums of products as cards of RDNA 3 and 4 make them: aligned to one lowest bit, cut off there, added as integers, and rounded once.
//!
//! Source: AMD's simulator (`ROCm/rocm-systems`, `emulation/rocjitsu`, `shared/gfx11_dot2.h` and `gfx12_dot.h`), which has them from cards of gfx1100 and
//! gfx1201. What infinities and NaNs give is left unknown here.

use crate::float::half::half_of;
use crate::float::scaling::power_of_two;
use gcn_model::isa::DotProducts;

/// A floating-point format of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    bits: u32,
    fraction: u32,
    bias: i32,
    /// Its largest exponent stands for numbers, but for the largest fraction.
    is_finite: bool,
}

pub(crate) const HALF: Layout = Layout { bits: 16, fraction: 10, bias: 15, is_finite: false };
pub(crate) const BRAIN: Layout = Layout { bits: 16, fraction: 7, bias: 127, is_finite: false };
pub(crate) const FP8: Layout = Layout { bits: 8, fraction: 3, bias: 7, is_finite: true };
pub(crate) const BF8: Layout = Layout { bits: 8, fraction: 2, bias: 15, is_finite: false };
const SINGLE: Layout = Layout { bits: 32, fraction: 23, bias: 127, is_finite: false };

/// The format of the addend and of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sum {
    Single,
    Half,
    Brain,
}

/// A number as an integer times a power of two; zeros have a sign, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Term {
    is_negative: bool,
    magnitude: u64,
    exponent: i32,
}

/// Below all exponents.
const NONE: i32 = -1024;
/// Bits below the largest addend that are kept, and below the largest product.
const ADDEND_BITS: i32 = 26;
const PRODUCT_BITS: i32 = 24;

impl Term {
    /// The number that bits stand for, and the exponent of its format's leading bit; `None` of infinities and NaNs.
    fn of(layout: Layout, bits: u32, has_denormals: bool) -> Option<(Self, i32)> {
        let width = layout.bits - 1;
        let (field, fraction) = ((bits & ((1 << width) - 1)) >> layout.fraction, bits & ((1 << layout.fraction) - 1));
        let largest = (1 << (width - layout.fraction)) - 1;
        if field == largest && (!layout.is_finite || fraction == (1 << layout.fraction) - 1) {
            return None;
        }
        let magnitude = match field {
            0 if has_denormals => fraction,
            0 => 0,
            _ => fraction | 1 << layout.fraction,
        };
        let leading = field.max(1) as i32 - layout.bias;
        let is_negative = bits >> width & 1 == 1;
        Some((Self { is_negative, magnitude: magnitude.into(), exponent: leading - layout.fraction as i32 }, leading))
    }

    /// Exponent of its highest bit.
    fn top(self) -> i32 {
        if self.magnitude == 0 { NONE } else { self.exponent + self.magnitude.ilog2() as i32 }
    }

    /// Its magnitude in units of a bit, and whether something was cut off.
    fn cut(self, unit: i32) -> (i64, bool) {
        match self.exponent - unit {
            _ if self.magnitude == 0 => (0, false),
            up @ 0.. => ((self.magnitude << up) as i64, false),
            down @ -63.. => ((self.magnitude >> -down) as i64, self.magnitude & ((1 << -down) - 1) != 0),
            _ => (0, true),
        }
    }

    /// In units of a bit, rounded down.
    fn floor(self, unit: i32) -> i64 {
        let (kept, is_less) = self.cut(unit);
        if self.is_negative { -kept - i64::from(is_less) } else { kept }
    }
}

/// The products of elements, and the lowest bit that the largest of them leaves.
fn products<const N: usize>([a, b]: [Layout; 2], sources: [u32; 2], has_denormals: bool) -> Option<([Term; N], i32)> {
    let mut terms = [Term { is_negative: false, magnitude: 0, exponent: NONE }; N];
    let mut unit = NONE;
    for (n, term) in (0..).zip(&mut terms) {
        let (x, of_x) = Term::of(a, sources[0] >> (a.bits * n), has_denormals)?;
        let (y, of_y) = Term::of(b, sources[1] >> (b.bits * n), has_denormals)?;
        *term = Term {
            is_negative: x.is_negative != y.is_negative,
            magnitude: x.magnitude * y.magnitude,
            exponent: x.exponent + y.exponent,
        };
        if term.magnitude > 0 {
            unit = unit.max(of_x + of_y - PRODUCT_BITS);
        }
    }
    Some((terms, unit))
}

/// Products of N elements added to a number; `None` where a source is not a number.
pub(crate) fn dot<const N: usize>(
    how: DotProducts,
    layouts: [Layout; 2],
    sum: Sum,
    [a, b, c]: [u32; 3],
) -> Option<u32> {
    let is_at_once = how == DotProducts::AtOnce;
    let has_denormals = !is_at_once || layouts[0] != BRAIN;
    let (products, unit) = products::<N>(layouts, [a, b], has_denormals)?;
    let (addend, _) = match sum {
        Sum::Single => Term::of(SINGLE, c, !is_at_once)?,
        Sum::Half => Term::of(HALF, c, true)?,
        Sum::Brain => Term::of(SINGLE, c << 16, !is_at_once)?,
    };
    // The exponent that an addend has at least: that of the least normal number of the result.
    let least = if sum == Sum::Half { -14 } else { -126 };
    let value = match how {
        DotProducts::AtOnce => at_once(&products, unit, addend, (sum == Sum::Half).then_some(least)),
        DotProducts::ProductsFirst => products_first(&products, unit, addend, least),
    };
    let single = || rounded(value, is_at_once);
    Some(match sum {
        Sum::Single => single(),
        Sum::Half if value == 0.0 => 0,
        Sum::Half => match half_of(value) {
            0x8000 => 0,
            half => half,
        },
        // The lower half is cut off.
        Sum::Brain => single() >> 16,
    })
}

/// All at once; what has another sign than the addend loses one more unit.
fn at_once(products: &[Term], unit: i32, addend: Term, least: Option<i32>) -> f64 {
    if addend.magnitude == 0 && products.iter().all(|product| product.magnitude == 0) {
        return 0.0;
    }
    let of_addend = addend.top().max(least.unwrap_or(NONE));
    let top = products.iter().fold(of_addend, |top, product| top.max(product.top()));
    let unit = unit.max(top - ADDEND_BITS);
    let in_frame = |term: &Term| {
        let kept = term.cut(unit).0;
        if term.is_negative == addend.is_negative { kept } else { -kept - 1 }
    };
    let total: i64 = in_frame(&addend) + products.iter().map(in_frame).sum::<i64>();
    (if addend.is_negative { -total } else { total }) as f64 * power_of_two(unit)
}

/// The products first, rounded down; then their sum and the addend, which is nothing where no bit of it is left above the least exponent.
fn products_first(products: &[Term], of_products: i32, addend: Term, least: i32) -> f64 {
    let unit = of_products.max(addend.top().max(least) - ADDEND_BITS);
    let sum: i64 = products.iter().map(|product| product.floor(of_products)).sum();
    let sum = Term { is_negative: sum < 0, magnitude: sum.unsigned_abs(), exponent: of_products };
    let is_lost = addend.cut(unit).0 == 0 && unit > least;
    let total = sum.floor(unit) + if is_lost { 0 } else { addend.floor(unit) };
    total as f64 * power_of_two(unit)
}

/// Single precision; a zero is positive. Without denormals what is below the least normal number after rounding to 24 bits is zero.
fn rounded(value: f64, flushes: bool) -> u32 {
    // So far up that 24 bits are normal numbers where it matters.
    const UP: i32 = 100;
    let mut single = value as f32;
    if flushes && value.abs() < power_of_two(-UP) {
        let normal = f64::from((value * power_of_two(UP)) as f32) * power_of_two(-UP);
        single = if normal.abs() < f64::from(f32::MIN_POSITIVE) { 0.0 } else { normal as f32 };
    }
    if single == 0.0 { 0 } else { single.to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::half::of_half;
    use proptest::prelude::*;

    const HOW: [DotProducts; 2] = [DotProducts::AtOnce, DotProducts::ProductsFirst];

    fn halves(values: [f64; 2]) -> u32 {
        half_of(values[0]) | half_of(values[1]) << 16
    }

    fn single(how: DotProducts, a: [f64; 2], b: [f64; 2], c: f32) -> f32 {
        f32::from_bits(
            dot::<2>(how, [HALF; 2], Sum::Single, [halves(a), halves(b), c.to_bits()]).expect("all are numbers"),
        )
    }

    #[test]
    fn sums_of_one_sign_are_exact_where_they_fit() {
        for how in HOW {
            assert_eq!(single(how, [1.5, 2.0], [3.0, 0.25], 7.0), 12.0);
            assert_eq!(single(how, [-1.5, 2.0], [3.0, -0.25], -7.0), -12.0);
            assert_eq!(single(how, [0.0, -0.0], [1.0, 1.0], -0.0).to_bits(), 0);
            let half =
                |c: f64| dot::<2>(how, [HALF; 2], Sum::Half, [halves([1.5, 2.0]), halves([3.0, 0.25]), half_of(c)]);
            assert_eq!(half(7.0).map(of_half), Some(12.0));
            // 65504 + 5 is not far enough to be infinite.
            assert_eq!(half(65504.0).map(of_half), Some(65504.0));
            // BF16: 1 · 1 + 1 · 2^-9 is cut off to 1.
            let brain = dot::<2>(how, [BRAIN; 2], Sum::Brain, [0x3f80_3f80, 0x3b00_3f80, 0]);
            assert_eq!(brain, Some(0x3f80));
            assert_eq!(dot::<2>(how, [HALF; 2], Sum::Single, [0x7c00, 0x3c00, 0]), None);
        }
    }

    #[test]
    fn bits_below_the_common_one_are_cut_off() {
        // The product 2^-24 lies 24 bits below 1, within what is kept; 2^-27 beside 1 does not.
        let (least, tiny) = (2.0_f64.powi(-12), 2.0_f64.powi(-14));
        for how in HOW {
            // Half of the last place of 1, to the even one.
            assert_eq!(single(how, [least, 0.0], [least, 0.0], 1.0), 1.0);
            assert_eq!(single(how, [least, least], [least, least], 1.0), 1.0 + f32::EPSILON);
            assert_eq!(single(how, [tiny, 1.0], [tiny, 1.0], 1.0), 2.0);
        }
        // 1 − 1: on RDNA 3 what opposes the addend loses a unit, here 2^-24.
        assert_eq!(single(DotProducts::ProductsFirst, [-1.0, 0.0], [1.0, 0.0], 1.0), 0.0);
        assert_eq!(single(DotProducts::AtOnce, [-1.0, 0.0], [1.0, 0.0], 1.0), -(2.0_f32.powi(-24)));
        assert_eq!(single(DotProducts::AtOnce, [-2.0, 0.0], [1.0, 0.0], 3.0), 1.0 - 2.0_f32.powi(-23));
        // A negative product is rounded down: 1 − 2^-28 becomes 1 − 2^-24.
        let below = single(DotProducts::ProductsFirst, [1.0, -tiny], [1.0, tiny], 0.0);
        assert_eq!(below, 1.0 - 2.0_f32.powi(-24));
    }

    #[test]
    fn denormals_are_kept_on_rdna_4_alone() {
        let denormal = f32::from_bits(3);
        assert_eq!(single(DotProducts::ProductsFirst, [0.0; 2], [0.0; 2], denormal), denormal);
        assert_eq!(single(DotProducts::AtOnce, [0.0; 2], [0.0; 2], denormal), 0.0);
        // FP8: 1.5 · 2 + 2^-9 · 1, four at once.
        let fp8 = |a: u32, b: u32| dot::<4>(DotProducts::ProductsFirst, [FP8, BF8], Sum::Single, [a, b, 0]);
        assert_eq!(fp8(0x0001_003c, 0x003c_0040).map(f32::from_bits), Some(3.0 + 2.0_f32.powi(-9)));
        assert_eq!([fp8(0x7f, 0), fp8(0, 0x7c)], [None; 2]);
        assert_eq!(fp8(0x7e, 0x3c).map(f32::from_bits), Some(448.0));
    }

    proptest! {
        /// Rounding down and to nearest is never further off than the cut bits and half of the last place.
        #[test]
        fn sums_are_near_the_exact_ones(a in any::<[u16; 2]>(), b in any::<[u16; 2]>(), c in -1.0e5_f32..1.0e5) {
            prop_assume!(a.into_iter().chain(b).all(|half| half & 0x7c00 != 0x7c00));
            let [x, y] = [a, b].map(|halves| halves.map(|half| of_half(half.into())));
            let exact = x[0] * y[0] + x[1] * y[1] + f64::from(c);
            let most = (x[0] * y[0]).abs().max((x[1] * y[1]).abs()).max(f64::from(c).abs());
            for how in HOW {
                let error = (f64::from(single(how, x, y, c)) - exact).abs();
                prop_assert!(error <= most * 2.0_f64.powi(-22) + exact.abs() * 2.0_f64.powi(-24) + 2.0_f64.powi(-20), "{:?}: {}", how, error);
            }
        }
    }
}
