//! Products of matrices: the kernels of `matrix.cl` and `wmma.cl` on the targets that have matrix instructions, against plain multiplication.

use super::bytes;
use super::compiler::{Compiled, Run, Target, compile_for};

const SIZE: usize = 64;
const DEPTH: usize = 64;

/// Small numbers, whose products and sums every order of additions gives exactly.
fn numbers() -> Vec<i32> {
    let mut state = 12345_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as i32 % 9 - 4
    };
    (0..2 * SIZE * DEPTH).map(|_| next()).collect()
}

/// A × B, of elements that `keeps` lets through of A.
fn product(numbers: &[i32], keeps: impl Fn(usize) -> bool) -> Vec<i32> {
    let (a, b) = numbers.split_at(SIZE * DEPTH);
    let of = |i: usize, j: usize| (0..DEPTH).filter(|k| keeps(*k)).map(|k| a[i * DEPTH + k] * b[k * SIZE + j]).sum();
    (0..SIZE * SIZE).map(|at| of(at / SIZE, at % SIZE)).collect()
}

/// A small number in half precision.
fn half(value: i32) -> u16 {
    let magnitude = value.unsigned_abs() as u16;
    let sign = if value < 0 { 0x8000 } else { 0 };
    if magnitude == 0 {
        return 0;
    }
    let exponent = magnitude.ilog2() as u16;
    sign | (exponent + 15) << 10 | (magnitude << (10 - exponent)) & 0x3ff
}

/// The same in FP8, whose bias is 8 on CDNA 3, and 7 on CDNA 4.
fn fp8(value: i32, bias: u8) -> u8 {
    let magnitude = value.unsigned_abs() as u8;
    let sign = if value < 0 { 0x80 } else { 0 };
    if magnitude == 0 {
        return 0;
    }
    let exponent = magnitude.ilog2() as u8;
    sign | (exponent + bias) << 3 | (magnitude << (3 - exponent)) & 7
}

fn run(compiled: &Compiled, kernel: &str, groups: usize, input: &[u8], element_bytes: usize) -> Vec<u8> {
    let run = Run {
        kernel,
        input,
        output_bytes: SIZE * SIZE * element_bytes,
        n: DEPTH as u32,
        grid: [64 * groups as u32, 1, 1],
        group: [64, 1, 1],
    };
    compiled.run(&run).unwrap_or_else(|error| panic!("{} {kernel}: {error}", compiled.name)).0
}

fn check(compiled: &Compiled, kernel: &str, groups: usize, input: &[u8], expected: &[i32]) {
    let output = run(compiled, kernel, groups, input, 4);
    let got: Vec<f32> = output.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect();
    let expected: Vec<f32> = expected.iter().map(|value| *value as f32).collect();
    assert_eq!(got, expected, "{} {kernel}", compiled.name);
}

#[test]
fn products_of_matrices_are_those_of_the_host() {
    let numbers = numbers();
    let expected = product(&numbers, |_| true);
    let halves = bytes(&numbers, |value| half(value).to_le_bytes());
    let singles = bytes(&numbers, |value| (value as f32).to_le_bytes());
    for compiled in compile_for("matrix.cl", &Target::MATRIX) {
        check(&compiled, "f16_16x16x16", 16, &halves, &expected);
        check(&compiled, "f16_32x32x8", 4, &halves, &expected);
        check(&compiled, "f32_4x4x1", 16, &singles, &expected);
        check(&compiled, "f32_4x4x1_broadcast", 16, &singles, &expected);
        check(&compiled, "packed_single", 64, &singles, &expected);
        let doubles = run(&compiled, "f64_16x16x4", 16, &bytes(&numbers, |value| f64::from(value).to_le_bytes()), 8);
        assert_eq!(doubles, bytes(&expected, |value| f64::from(value).to_le_bytes()), "{}", compiled.name);
        let integers = run(&compiled, "i8_16x16", 16, &bytes(&numbers, |value| (value as i8).to_le_bytes()), 4);
        assert_eq!(integers, bytes(&expected, i32::to_le_bytes), "{}", compiled.name);
        let bias = [("gfx942", 8), ("gfx950", 7)].into_iter().find(|(target, _)| compiled.name.starts_with(target));
        if let Some((_, bias)) = bias {
            check(&compiled, "fp8_32x32x16", 4, &bytes(&numbers, |value| [fp8(value, bias)]), &expected);
            check(&compiled, "sparse_16x16x32", 16, &halves, &product(&numbers, |k| k % 2 == 1));
        }
    }
}

#[test]
fn products_of_wmma_are_those_of_the_host() {
    let numbers = numbers();
    let expected = product(&numbers, |_| true);
    let exact = bytes(&expected, i32::to_le_bytes);
    let small = bytes(&numbers, |value| (value as i8).to_le_bytes());
    let halves = bytes(&numbers, |value| half(value).to_le_bytes());
    // A without a sign: a negative value is 256 more.
    let mut unsigned = numbers.clone();
    unsigned[..SIZE * DEPTH].iter_mut().for_each(|value| *value &= 0xff);
    let of_unsigned = bytes(&product(&unsigned, |_| true), i32::to_le_bytes);
    let compiled = compile_for("wmma.cl", &Target::WAVE_MATRIX);
    for compiled in &compiled {
        let lanes = compiled.lanes("i8") as usize;
        let groups = 16 * lanes / 64;
        assert_eq!(run(compiled, "i8", groups, &small, 4), exact, "{} i8", compiled.name);
        assert_eq!(run(compiled, "u8", groups, &small, 4), of_unsigned, "{} u8", compiled.name);
        check(compiled, "f16", groups, &halves, &expected);
        check(compiled, "bf16", groups, &bytes(&numbers, brain), &expected);
        check(compiled, "f16_of_f16", groups, &halves, &expected);
        let is_gfx12 = compiled.name.starts_with("gfx12");
        if is_gfx12 {
            check(compiled, "fp8", groups, &bytes(&numbers, |value| [fp8(value, 7)]), &expected);
            assert_eq!(run(compiled, "deep_i4", groups, &small, 4), exact, "{} deep_i4", compiled.name);
        }
        // Half a register of nibbles of a lane: no source says where they are.
        if !is_gfx12 || lanes == 32 {
            assert_eq!(run(compiled, "i4", groups, &small, 4), exact, "{} i4", compiled.name);
        }
    }
}

/// A small number as BF16.
fn brain(value: i32) -> [u8; 2] {
    let bits = (value as f32).to_bits();
    ((bits >> 16) as u16).to_le_bytes()
}
