//! Products of elements of eight and four bits with a scale for each 32 of them: the kernels of `scaled.cl` on CDNA 4, against plain multiplication.

use super::compiler::{Run, Target, compile_for};

const SIZE: usize = 64;
const DEPTH: usize = 256;
/// Elements of a scale.
const SCALED: usize = 32;

/// Numbers that every order of additions gives exactly, and their scales as exponents.
struct Matrices {
    /// A row by row, then B column by column.
    elements: Vec<i32>,
    scales: Vec<i32>,
}

impl Matrices {
    fn new() -> Self {
        let mut state = 4711_u32;
        let mut next = |below: i32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as i32 % below
        };
        let elements = (0..2 * SIZE * DEPTH).map(|_| next(9) - 4).collect();
        Self { elements, scales: (0..2 * SIZE * DEPTH / SCALED).map(|_| next(5) - 2).collect() }
    }

    /// The product, row by row.
    fn product(&self) -> Vec<f32> {
        let scaled = |line: usize, k: usize| {
            let at = line * DEPTH + k;
            f64::from(self.elements[at]) * 2.0_f64.powi(self.scales[at / SCALED])
        };
        let of = |i: usize, j: usize| (0..DEPTH).map(|k| scaled(i, k) * scaled(SIZE + j, k)).sum::<f64>();
        (0..SIZE * SIZE).map(|at| of(at / SIZE, at % SIZE) as f32).collect()
    }

    /// The scales as exponents with a bias of 127.
    fn scale_bytes(&self) -> impl Iterator<Item = u8> {
        self.scales.iter().map(|scale| (127 + scale) as u8)
    }
}

/// A small number in FP8 of OCP, whose bias is 7.
fn fp8(value: i32) -> u8 {
    let magnitude = value.unsigned_abs() as u8;
    let sign = if value < 0 { 0x80 } else { 0 };
    if magnitude == 0 {
        return 0;
    }
    let exponent = magnitude.ilog2() as u8;
    sign | (exponent + 7) << 3 | (magnitude << (3 - exponent)) & 7
}

/// The same in FP4: 0, 1, 2, 3 and 4 are the codes 0, 2, 4, 5 and 6.
fn fp4(value: i32) -> u8 {
    let sign = if value < 0 { 8 } else { 0 };
    sign | [0, 2, 4, 5, 6][value.unsigned_abs() as usize]
}

#[test]
fn scaled_products_are_those_of_the_host() {
    let matrices = Matrices::new();
    let expected = matrices.product();
    let (a, b) = matrices.elements.split_at(SIZE * DEPTH);
    let bytes = |values: &[i32]| values.iter().map(|value| fp8(*value)).collect::<Vec<u8>>();
    let nibbles: Vec<u8> = a.chunks_exact(2).map(|pair| fp4(pair[0]) | fp4(pair[1]) << 4).collect();
    let kernels = [("fp8_16x16x128", bytes(a), 16), ("fp4_fp8_32x32x64", nibbles, 4)];
    for compiled in compile_for("scaled.cl", &Target::SCALED) {
        for (kernel, first, groups) in &kernels {
            let mut input = [&first[..], &bytes(b)].concat();
            input.extend(matrices.scale_bytes());
            let run = Run {
                kernel,
                input: &input,
                output_bytes: SIZE * SIZE * 4,
                n: DEPTH as u32,
                grid: [64 * groups, 1, 1],
                group: [64, 1, 1],
            };
            let (output, _) = compiled.run(&run).unwrap_or_else(|error| panic!("{} {kernel}: {error}", compiled.name));
            let got: Vec<f32> =
                output.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect();
            assert_eq!(got, expected, "{} {kernel}", compiled.name);
        }
    }
}
