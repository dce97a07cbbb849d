//! The floating-point kernels' results, with this host's arithmetic.

use super::Expected;

/// Kernels of `float.cl` that take and give a dword for each item.
pub(crate) const KERNELS: [(&str, Expected); 6] = [
    ("polynomial", polynomial),
    ("fused", fused),
    ("sum", sum),
    ("extremes", extremes),
    ("rounding", rounding),
    ("conversions", conversions),
];

/// Single precision, whose denormals are zero if the kernel asks for that.
fn flushed(value: f32, is_on: bool) -> f32 {
    if is_on && value.is_subnormal() { 0.0_f32.copysign(value) } else { value }
}

fn each(input: &[u32], flush: bool, of: impl Fn(usize, f32, f32) -> f32) -> Vec<u32> {
    let number = |i: usize| flushed(f32::from_bits(input[i]), flush);
    (0..input.len()).map(|i| flushed(of(i, number(i), number(i ^ 1)), flush).to_bits()).collect()
}

fn polynomial(input: &[u32], flush: bool) -> Vec<u32> {
    let f = |value: f32| flushed(value, flush);
    each(input, flush, |_, x, _| {
        let y = f(f(0.25 * x) + 1.5);
        let y = f(f(y * x) - 0.75);
        f(f(y * x) + 3.0)
    })
}

fn fused(input: &[u32], flush: bool) -> Vec<u32> {
    each(input, flush, |_, x, z| flushed(x.mul_add(z, 0.1), flush).mul_add(x, -z))
}

fn sum(input: &[u32], flush: bool) -> Vec<u32> {
    each(input, flush, |_, x, z| flushed(x + z, flush) * flushed(x - z, flush))
}

fn extremes(input: &[u32], flush: bool) -> Vec<u32> {
    let number = |i: usize| flushed(f32::from_bits(input[i]), flush);
    (0..input.len())
        .map(|i| {
            let (x, z) = (number(i), number(i ^ 1));
            let bits = [
                x < z,
                x <= z,
                x == z,
                x != z,
                !matches!(x.partial_cmp(&z), Some(std::cmp::Ordering::Greater | std::cmp::Ordering::Equal)),
                x.is_nan() || z.is_nan(),
                x.is_nan(),
            ];
            bits.iter().zip(0..).fold(0, |mask, (bit, i)| mask | u32::from(*bit) << i)
        })
        .collect()
}

fn rounding(input: &[u32], flush: bool) -> Vec<u32> {
    each(input, flush, |i, x, _| {
        let y = match i & 3 {
            0 => x.floor(),
            1 => x.ceil(),
            2 => x.trunc(),
            _ => x.round_ties_even(),
        };
        y.abs() - 0.5_f32.copysign(x)
    })
}

fn conversions(input: &[u32], flush: bool) -> Vec<u32> {
    let of = |a: u32| {
        let (f, g) = (a as f32, a as i32 as f32);
        let (d, e) = (f64::from(a), f64::from(a as i32));
        let mut r = f.to_bits() ^ g.to_bits() << 1;
        let w = d.to_bits().wrapping_add((e * 0.5).to_bits());
        r = r.wrapping_add(w as u32 ^ (w >> 32) as u32);
        let integers = ((a >> 9) as f32 as u32)
            .wrapping_add((flushed(g * 0.001, flush) as i32) as u32)
            .wrapping_add(f64::from(a >> 1) as u32);
        r ^= integers;
        r.wrapping_add(((d * 1.1) as f32).to_bits())
    };
    input.iter().map(|a| of(*a)).collect()
}

/// The double-precision kernel.
pub(crate) fn dot(input: &[f64]) -> Vec<f64> {
    (0..input.len())
        .map(|item| {
            let (mut a, mut b) = (0.0, 1.0);
            for i in 0..8 {
                let (x, y) = (input[(item + i) & 127], input[(item * 3 + i) & 127]);
                a += x * y;
                b = f64::mul_add(x, y, b);
            }
            a - b
        })
        .collect()
}

/// The half-precision value of the bits, by arithmetic alone.
fn half(bits: u32) -> f64 {
    let magnitude = match (bits >> 10 & 31, f64::from(bits & 0x3ff)) {
        (31, 0.0) => f64::INFINITY,
        (31, _) => f64::NAN,
        (0, mantissa) => mantissa * 2.0_f64.powi(-24),
        (exponent, mantissa) => (1024.0 + mantissa) * 2.0_f64.powi(exponent as i32 - 25),
    };
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}

/// The nearest half-precision number, found by the distance to multiples of its unit.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let exponent = (value.abs().log2().floor() as i32).max(-14);
    let unit = 2.0_f64.powi(exponent - 10);
    let rounded = (value / unit).round_ties_even() * unit;
    if rounded.abs() >= 65520.0 { f64::INFINITY.copysign(value) } else { rounded.clamp(-65504.0, 65504.0) }
}

fn bits(value: f64) -> u32 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    sign | if value.is_nan() {
        0x7e00
    } else if magnitude.is_infinite() {
        0x7c00
    } else if magnitude < 2.0_f64.powi(-14) {
        (magnitude * 2.0_f64.powi(24)) as u32
    } else {
        let exponent = magnitude.log2().floor() as i32;
        ((exponent + 15) as u32) << 10 | ((magnitude * 2.0_f64.powi(10 - exponent)) as u32 - 1024)
    }
}

/// The kernel on single halves; each dword of input and output has two items.
pub(crate) fn halves(input: &[u32]) -> Vec<u32> {
    let items: Vec<f64> = input.iter().flat_map(|word| [half(word & 0xffff), half(word >> 16)]).collect();
    let of = |i: usize| {
        let (x, y) = (items[i], items[i ^ 1]);
        let z = rounded(rounded(x * y) + x);
        let z = rounded(z - rounded(y * 0.5));
        bits(if x < y { -z } else { z })
    };
    (0..input.len() / 2).map(|i| of(2 * i) | of(2 * i + 1) << 16).collect()
}

/// The kernel on pairs of halves.
pub(crate) fn packed(input: &[u32]) -> Vec<u32> {
    let of = |x: u32, y: u32, y_other: u32| {
        let (x, y, other) = (half(x & 0xffff), half(y & 0xffff), half(y_other & 0xffff));
        bits(rounded(rounded(rounded(x + y) * x) - other))
    };
    (0..input.len())
        .map(|i| {
            let (x, y) = (input[i], input[i ^ 1]);
            of(x, y, y >> 16) | of(x >> 16, y >> 16, y) << 16
        })
        .collect()
}
