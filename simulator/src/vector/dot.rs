//! Dot products of halves, BF16, bytes and nibbles. Those with a C in their names add to their destination.
//!
//! Source: LLVM `IntrinsicsAMDGPU.td` (fdot2, sdot2, udot2, sdot4, udot4, sdot8, udot8): `r = a[0] * b[0] + a[1] * b[1] + … + c`. Of integers that
//! is all there is to say, but with clamp, of which no source says whether each sum saturates or the last alone. Numbers are added as
//! [`aligned`](crate::vector::aligned) has it where a card of the generation showed it; elsewhere no source says how often V_DOT2_F32_F16 rounds: its
//! result is known where nothing has to be rounded, in whatever order.

use crate::float::format::Format;
use crate::float::half::of_half;
use crate::float::precision::{Float16, Float32};
use crate::vector::aligned::{BF8, BRAIN, FP8, HALF, Sum, dot};
use crate::vector::lanes::{Inputs, Lanes, dword};
use crate::vector::packed::Packed;
use gcn_model::decode::Vop3Fields;
use gcn_model::isa::DotProducts;

/// Element `n`, extended with its sign or with zeros.
#[inline(always)]
fn element<const BITS: u32, const SIGNED: bool>(dword: u32, n: u32) -> u32 {
    let (top, rest) = (dword << (32 - BITS * (n + 1)), 32 - BITS);
    if SIGNED { (top as i32 >> rest) as u32 } else { top >> rest }
}

/// The products of all elements, of which those of A and B may have signs, added to C.
fn integers<const BITS: u32, const A: bool, const B: bool>() -> Lanes {
    dword!(|a, b, c, _| {
        let product = |n| element::<BITS, A>(a, n).wrapping_mul(element::<BITS, B>(b, n));
        (0..32 / BITS).fold(c, |sum, n| sum.wrapping_add(product(n)))
    })
}

/// The function of an instruction whose NEG says which of its first two sources have signs.
///
/// Source: AMD "RDNA3 ISA" and "RDNA4 ISA", V_DOT4_I32_IU8 and V_DOT8_I32_IU4.
pub(crate) fn of_signs(name: &str, neg: [bool; 3]) -> Option<Lanes> {
    fn of<const BITS: u32>(neg: [bool; 3]) -> Lanes {
        match neg {
            [false, false, _] => integers::<BITS, false, false>(),
            [false, true, _] => integers::<BITS, false, true>(),
            [true, false, _] => integers::<BITS, true, false>(),
            [true, true, _] => integers::<BITS, true, true>(),
        }
    }
    Some(match name {
        "V_DOT4_I32_IU8" => of::<8>(neg),
        "V_DOT8_I32_IU4" => of::<4>(neg),
        _ => return None,
    })
}

/// A sum that does not have to be rounded, and is no denormal.
fn exact_sum(a: f32, b: f32) -> Option<f32> {
    let sum = a + b;
    // What rounding took away (Knuth, The Art of Computer Programming, volume 2, 4.2.2, theorem B).
    let of_b = sum - a;
    let error = (a - (sum - of_b)) + (b - of_b);
    (error == 0.0 && (sum == 0.0 || sum.is_normal())).then_some(sum)
}

/// A product of two halves, which single precision holds; `None` for denormals, which a mode may flush, and for values that are not numbers.
fn product(a: u32, b: u32) -> Option<f32> {
    let number = |bits: u32| {
        let bits = bits & 0xffff;
        let is_plain = !Float16::is_nan(bits) && (bits & 0x7fff == 0 || (0x400..0x7c00).contains(&(bits & 0x7fff)));
        is_plain.then(|| of_half(bits) as f32)
    };
    Some(number(a)? * number(b)?)
}

/// Likewise for BF16, whose product may be too large or too small for single precision.
fn product_bf16(a: u32, b: u32) -> Option<f32> {
    let number = |bits: u32| Some(f32::from_bits(bits << 16)).filter(|value| value.is_normal() || *value == 0.0);
    let (a, b) = (number(a)?, number(b)?);
    let product = a * b;
    (product.is_normal() || a == 0.0 || b == 0.0).then_some(product)
}

/// The result of V_DOT2_F32_F16 where every order of the sums, rounded or fused, gives the same.
///
/// Denormals of single precision are flushed whatever the mode says (LLVM `SIISelLowering.cpp`, performFMACombine).
fn of_halves(product: fn(u32, u32) -> Option<f32>, a: u32, b: u32, c: u32) -> Option<u32> {
    let (low, high) = (product(a, b)?, product(a >> 16, b >> 16)?);
    let addend = f32::from_bits(Float32::flush(c, true));
    if Float32::is_nan(c) || addend.is_infinite() {
        return None;
    }
    let orders = [(low, high, addend), (low, addend, high), (high, addend, low)];
    let [first, second, third] = orders.map(|(x, y, z)| exact_sum(exact_sum(x, y)?, z).map(f32::to_bits));
    (first? == second? && first? == third?).then_some(first?)
}

/// Of all lanes; the bits say where the result is known.
fn of_all(sum: impl Fn(u32, u32, u32) -> Option<u32>, inputs: &Inputs<'_, u32>, result: &mut [u32]) -> u64 {
    let [a, b, c] = inputs.sources;
    let lanes = a.iter().zip(b).zip(c);
    result.iter_mut().zip(lanes).enumerate().fold(0, |known, (lane, (result, ((a, b), c)))| {
        let found = sum(*a, *b, *c);
        *result = found.unwrap_or(0);
        known | u64::from(found.is_some()) << lane
    })
}

/// Whether an instruction's bits say in which lanes its result is known.
pub(crate) fn says_what_is_known(name: &str) -> bool {
    has_halves(name) && name.ends_with("F16") || name.starts_with("V_DOT4_F32_")
}

/// Whether its first two sources are pairs of halves.
pub(crate) fn has_halves(name: &str) -> bool {
    ["V_DOT2_", "V_DOT2C_", "V_DOT2ACC_"].iter().any(|start| name.starts_with(start))
}

/// The halves of the first two sources, if they are not in order; `None` where no source says the
/// modifiers do.
///
/// Source: LLVM `AMDGPUISelDAGToDAG.cpp`, SelectVOP3PMods: NEG and NEG_HI together negate the last source of V_DOT2_F32_F16 and V_DOT2_F32_BF16.
pub(crate) fn halves(name: &str, fields: &Vop3Fields) -> Option<Option<Packed>> {
    let is_float = says_what_is_known(name);
    let (is_as_it_stands, is_negated) = (
        fields.op_sel[..2] == [false; 2] && fields.op_sel_hi[..2] == [true; 2],
        fields.neg != [false; 3] || fields.neg_hi != [false; 3],
    );
    if fields.op_sel[2] || !fields.op_sel_hi[2] || fields.neg[2] != fields.neg_hi[2] {
        return None;
    }
    if of_signs(name, fields.neg).is_some() {
        return (is_as_it_stands && fields.neg_hi == [false; 3]).then_some(None);
    }
    if is_negated && !(is_float && has_halves(name)) || !is_as_it_stands && !has_halves(name) {
        return None;
    }
    let high = [[fields.op_sel[0], fields.op_sel[1], false], fields.op_sel_hi];
    let negated = [fields.neg, fields.neg_hi];
    Some((!is_as_it_stands || is_negated).then_some(Packed { high, negated }))
}

/// The function of an instruction that adds numbers, where a card showed how it does.
fn of_numbers(name: &str, how: DotProducts) -> Option<Lanes> {
    macro_rules! sum {
        ($n:literal, $how:ident, $layouts:expr, $sum:expr) => {
            Lanes::Dword(|inputs, result| {
                of_all(|a, b, c| dot::<$n>(DotProducts::$how, $layouts, $sum, [a, b, c]), inputs, result)
            })
        };
    }
    macro_rules! sum_by {
        ($n:literal, $layouts:expr, $sum:expr) => {
            match how {
                DotProducts::AtOnce => sum!($n, AtOnce, $layouts, $sum),
                DotProducts::ProductsFirst => sum!($n, ProductsFirst, $layouts, $sum),
            }
        };
    }
    Some(match name {
        "V_DOT2_F32_F16" | "V_DOT2C_F32_F16" | "V_DOT2ACC_F32_F16" => sum_by!(2, [HALF; 2], Sum::Single),
        "V_DOT2_F32_BF16" | "V_DOT2C_F32_BF16" => sum_by!(2, [BRAIN; 2], Sum::Single),
        "V_DOT2_F16_F16" => sum_by!(2, [HALF; 2], Sum::Half),
        "V_DOT2_BF16_BF16" => sum_by!(2, [BRAIN; 2], Sum::Brain),
        "V_DOT4_F32_FP8_FP8" => sum_by!(4, [FP8; 2], Sum::Single),
        "V_DOT4_F32_FP8_BF8" => sum_by!(4, [FP8, BF8], Sum::Single),
        "V_DOT4_F32_BF8_FP8" => sum_by!(4, [BF8, FP8], Sum::Single),
        "V_DOT4_F32_BF8_BF8" => sum_by!(4, [BF8; 2], Sum::Single),
        _ => return None,
    })
}

/// The function of an instruction.
pub(crate) fn of(name: &str, how: Option<DotProducts>) -> Option<Lanes> {
    if let Some(lanes) = how.and_then(|how| of_numbers(name, how)) {
        return Some(lanes);
    }
    Some(match name {
        "V_DOT2_F32_F16" | "V_DOT2C_F32_F16" | "V_DOT2ACC_F32_F16" => {
            Lanes::Dword(|inputs, result| of_all(|a, b, c| of_halves(product, a, b, c), inputs, result))
        }
        "V_DOT2_F32_BF16" | "V_DOT2C_F32_BF16" => {
            Lanes::Dword(|inputs, result| of_all(|a, b, c| of_halves(product_bf16, a, b, c), inputs, result))
        }
        "V_DOT2_I32_I16" | "V_DOT2C_I32_I16" => integers::<16, true, true>(),
        "V_DOT2_U32_U16" => integers::<16, false, false>(),
        "V_DOT4_I32_I8" | "V_DOT4C_I32_I8" => integers::<8, true, true>(),
        "V_DOT4_U32_U8" => integers::<8, false, false>(),
        "V_DOT8_I32_I4" | "V_DOT8C_I32_I4" => integers::<4, true, true>(),
        "V_DOT8_U32_U4" => integers::<4, false, false>(),
        _ => return of_signs(name, [false; 3]),
    })
}
