//! Registers with matrices in them, and the plain multiplication that D is compared with.

use super::semantics;
use crate::matrix::element::Element;
use crate::matrix::product::{Sources, product};
use crate::matrix::shape::{Shape, Sum};
use crate::state::vector_registers::LANES;
use gcn_model::decode::MatrixFields;

/// A row of numbers that come out of a seed.
pub(super) struct Numbers(pub u64);

impl Numbers {
    pub(super) fn next(&mut self) -> u64 {
        // Knuth's MMIX; the high bits are the good ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    pub(super) fn below(&mut self, end: u64) -> usize {
        (self.next() % end) as usize
    }
}

/// A matrix of each block.
type Blocks = Vec<Vec<Vec<f64>>>;

/// Bits of an element that is a small number, and the number; `fine` asks for one with a long fraction.
pub(super) fn element(of: Element, numbers: &mut Numbers, fine: bool) -> (u64, f64) {
    match of {
        Element::I8 => {
            let value = numbers.next() as i8;
            (u64::from(value as u8), f64::from(value))
        }
        Element::F64 if fine => {
            let value = numbers.next() as f64 / f64::from(1 << 30) - 1.0;
            (value.to_bits(), value)
        }
        Element::F32 if fine => {
            let value = (numbers.next() as f64 / f64::from(1 << 30) - 1.0) as f32;
            (u64::from(value.to_bits()), f64::from(value))
        }
        Element::F64 => {
            let value = numbers.below(17) as f64 - 8.0;
            (value.to_bits(), value)
        }
        Element::F32 | Element::Xf32 | Element::Bf16 => {
            let value = numbers.below(17) as f32 - 8.0;
            let bits = u64::from(value.to_bits());
            (if of == Element::Bf16 { bits >> 16 } else { bits }, f64::from(value))
        }
        // 1 up to 2 in steps of 1/1024, and both signs.
        Element::F16 => {
            let (steps, step) = if fine { (1024, 1) } else { (4, 256) };
            let bits = (numbers.below(steps) * step) | (numbers.below(2) << 15);
            let value = 1.0 + (bits & 0x3ff) as f64 / 1024.0;
            (bits as u64 | 0x3c00, if bits & 0x8000 == 0 { value } else { -value })
        }
        Element::Small(format) => loop {
            let bits = numbers.below(1 << format.bits()) as u32;
            let value = format.number(bits);
            if value.is_finite() && value.abs() <= 8.0 {
                return (u64::from(bits), f64::from(value));
            }
        },
    }
}

/// Puts the bits of an element at a place.
pub(super) fn put(registers: &mut [[u32; LANES]], lane: usize, first_bit: usize, width: usize, bits: u64) {
    for bit in 0..width {
        let at = first_bit + bit;
        registers[at / 32][lane] |= ((bits >> bit & 1) as u32) << (at % 32);
    }
}

/// The lane and the first bit of A[line][k] or of B[k][line] of a dense instruction, as the calculator prints them.
fn input_place(shape: &Shape, lines: usize, block: usize, line: usize, k: usize, width: usize) -> (usize, usize) {
    let held = shape.depth * lines * shape.blocks / 64;
    match (lines, shape.blocks) {
        // One block in all lanes, by k.
        (32, 1) => (32 * (k / held) + line, k % held * width),
        (16, 1) => (16 * (k / held) + line, k % held * width),
        (32, 2) => (32 * block + line, k * width),
        (16, 4) => (16 * block + line, k * width),
        (4, 16) => (4 * block + line, k * width),
        // V_MFMA_F64_4X4X4F64.
        (4, 4) => (16 * k + 4 * block + line, 0),
        other => panic!("no instruction has {other:?}"),
    }
}

/// The lane and the first bit of B[k][line]. Where B of a sparse instruction takes eight registers, the second half of K is in the last four of them.
fn b_place(shape: &Shape, block: usize, line: usize, k: usize) -> (usize, usize) {
    let width = shape.b.bits();
    if !shape.is_sparse || shape.b_registers() < 8 {
        return input_place(shape, shape.columns, block, line, k, width);
    }
    let (half, in_half) = (k / (shape.depth / 2), k % (shape.depth / 2));
    let items = 128 / width;
    (line + shape.columns * (in_half / items), (half * items + in_half % items) * width)
}

/// The lane and the register of C and D.
pub(super) fn sum_place(shape: &Shape, block: usize, i: usize, j: usize) -> (usize, usize) {
    match (shape.sum, shape.rows, shape.blocks) {
        (Sum::F64, 16, 1) => (16 * (i % 4) + j, i / 4 * 2),
        (Sum::F64, 4, 4) => (16 * i + 4 * block + j, 0),
        (_, 32, _) => (i / 4 % 2 * 32 + j, 16 * block + i / 8 * 4 + i % 4),
        (_, 16, _) => (i / 4 * 16 + j, 4 * block + i % 4),
        (_, 4, 16) => (4 * block + j, i),
        other => panic!("no instruction has {other:?}"),
    }
}

/// Registers, and the matrices that they hold.
pub(super) struct Filled {
    pub a: Vec<[u32; LANES]>,
    pub b: Vec<[u32; LANES]>,
    c: Vec<[u32; LANES]>,
    indices: [u32; LANES],
    a_matrix: Blocks,
    b_matrix: Blocks,
    c_matrix: Blocks,
}

pub(super) fn filled(shape: &Shape, numbers: &mut Numbers, fine: bool, fields: &MatrixFields) -> Filled {
    let zeros = |rows: usize, columns: usize| vec![vec![vec![0.0; columns]; rows]; shape.blocks];
    let mut this = Filled {
        a: vec![[0; LANES]; shape.a_registers()],
        b: vec![[0; LANES]; shape.b_registers()],
        c: vec![[0; LANES]; shape.sum_registers()],
        indices: std::array::from_fn(|_| numbers.next() as u32),
        a_matrix: zeros(shape.rows, shape.depth),
        b_matrix: zeros(shape.depth, shape.columns),
        c_matrix: zeros(shape.rows, shape.columns),
    };
    for block in 0..shape.blocks {
        for line in 0..shape.rows {
            if shape.is_sparse {
                fill_sparse_row(shape, &mut this, numbers, line, fields);
            } else {
                for k in 0..shape.depth {
                    let (bits, value) = element(shape.a, numbers, fine);
                    let (lane, bit) = input_place(shape, shape.rows, block, line, k, shape.a.bits());
                    put(&mut this.a, lane, bit, shape.a.bits(), bits);
                    this.a_matrix[block][line][k] = value;
                }
            }
            for k in 0..shape.depth {
                let (bits, value) = element(shape.b, numbers, fine);
                let (lane, bit) = b_place(shape, block, line, k);
                put(&mut this.b, lane, bit, shape.b.bits(), bits);
                this.b_matrix[block][k][line] = value;
            }
            for j in 0..shape.columns {
                let value = numbers.below(1000) as f64 - 500.0;
                let (lane, register) = sum_place(shape, block, line, j);
                let bits = match shape.sum {
                    Sum::I32 => u64::from(value as i32 as u32),
                    Sum::F32 => u64::from((value as f32).to_bits()),
                    Sum::F64 => value.to_bits(),
                };
                put(&mut this.c[register..], lane, 0, 32 * shape.sum.registers(), bits);
                this.c_matrix[block][line][j] = value;
            }
        }
    }
    this
}

/// A row of a sparse A: of each four elements two, of which the indices are in the set that the fields pick.
fn fill_sparse_row(shape: &Shape, this: &mut Filled, numbers: &mut Numbers, line: usize, fields: &MatrixFields) {
    const PAIRS: [(u32, u32); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let held = shape.lane_depth();
    let set = if fields.cbsz == 0 { usize::from(fields.abid) % (32 / held) } else { 0 };
    for four in 0..shape.depth / 4 {
        let lane = line + shape.rows * (4 * four / held);
        let pair_in_lane = four % (held / 4);
        let (first, second) = PAIRS[numbers.below(6)];
        let shift = set * held + 4 * pair_in_lane;
        this.indices[lane] = this.indices[lane] & !(0xf << shift) | (first | second << 2) << shift;
        for (number, place) in [first, second].into_iter().enumerate() {
            let (bits, value) = element(shape.a, numbers, false);
            put(&mut this.a, lane, (2 * pair_in_lane + number) * shape.a.bits(), shape.a.bits(), bits);
            this.a_matrix[0][line][4 * four + place as usize] = value;
        }
    }
}

pub(super) fn run(shape: &Shape, filled: &Filled, fields: &MatrixFields) -> Vec<[u32; LANES]> {
    let sources = Sources {
        a: &filled.a,
        b: &filled.b,
        c: &filled.c,
        indices: shape.is_sparse.then_some(&filled.indices),
        scales: None,
    };
    product(shape, &sources, &semantics(shape, fields))
}

/// Compares D with the sum of products, in double precision, to the last bit where `is_exact` or all is integer.
pub(super) fn compare(name: &str, shape: &Shape, filled: &Filled, got: &[[u32; LANES]], is_exact: bool) {
    for block in 0..shape.blocks {
        for i in 0..shape.rows {
            for j in 0..shape.columns {
                let c = filled.c_matrix[block][i][j];
                let terms = (0..shape.depth).map(|k| filled.a_matrix[block][i][k] * filled.b_matrix[block][k][j]);
                let (mut want, mut size) = (c, c.abs());
                for term in terms {
                    want += term;
                    size += term.abs();
                }
                let (lane, register) = sum_place(shape, block, i, j);
                let low = got[register][lane];
                let (value, epsilon) = match shape.sum {
                    Sum::I32 => (f64::from(low as i32), 0.0),
                    Sum::F32 => (f64::from(f32::from_bits(low)), f64::from(f32::EPSILON)),
                    Sum::F64 => {
                        let high = u64::from(got[register + 1][lane]) << 32;
                        (f64::from_bits(high | u64::from(low)), 4.0 * f64::EPSILON)
                    }
                };
                // The tolerance that docs/architecture.md states.
                let tolerance = if is_exact { 0.0 } else { epsilon * shape.depth as f64 * size };
                assert!(
                    (value - want).abs() <= tolerance,
                    "{name} block {block} D[{i}][{j}]: {value} instead of {want}"
                );
            }
        }
    }
}
