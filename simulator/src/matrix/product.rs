//! The product itself.
//!
//! Integers wrap around (the ISA: a multiply-add of integers, whatever MODE says). Of floating-point numbers no source says in which order a card adds, nor what
//! it keeps in between: here the sum begins with C and takes the products by rising k, each fused and rounded once to the nearest number of the
//! sum's precision. With scales, the products of 32 k are summed up so from 0, scaled, and added to the sum. A NaN is the quiet one without a sign.

use crate::float::format::Format;
use crate::float::precision::Float32;
use crate::float::scaling::scaled;
use crate::matrix::broadcast::Broadcast;
use crate::matrix::element::{Element, bits};
use crate::matrix::layout::{Deal, Line, sum};
use crate::matrix::shape::{Shape, Sum};
use crate::matrix::sparse::Indices;
use crate::state::vector_registers::LANES;
use crate::vector::lanes::widest;

/// Elements along k that share a scale.
const SCALED_DEPTH: usize = 32;

/// The registers of an instruction's sources.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub a: &'a [[u32; LANES]],
    pub b: &'a [[u32; LANES]],
    pub c: &'a [[u32; LANES]],
    /// The indices of a sparse A.
    pub indices: Option<&'a [u32; LANES]>,
    /// The scales of A and of B: a power of two with a bias of 127 in the low byte of each lane, 255 for a NaN. Lanes hold those of the line and
    /// the group along k that they would hold of a matrix with one element for each 32.
    pub scales: Option<[&'a [u32; LANES]; 2]>,
}

/// An instruction's modifiers besides its shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Semantics {
    pub broadcast: Broadcast,
    pub indices: Indices,
    /// Which of A, B and C are negated.
    pub negated: [bool; 3],
    /// Denormals of A and B count as zero.
    pub flushes_inputs: bool,
    /// Denormals of D become zero.
    pub flushes_result: bool,
}

/// What elements are multiplied and added as.
trait Number: Copy + Default {
    fn multiply_add(self, b: Self, c: Self) -> Self;
}

impl Number for f32 {
    #[inline(always)]
    fn multiply_add(self, b: Self, c: Self) -> Self {
        self.mul_add(b, c)
    }
}

impl Number for f64 {
    #[inline(always)]
    fn multiply_add(self, b: Self, c: Self) -> Self {
        self.mul_add(b, c)
    }
}

impl Number for i32 {
    #[inline(always)]
    fn multiply_add(self, b: Self, c: Self) -> Self {
        c.wrapping_add(self.wrapping_mul(b))
    }
}

/// A, row by row of all blocks: elements and their k.
struct Left<T> {
    elements: Vec<(T, usize)>,
    /// Elements of a row.
    depth: usize,
}

/// Reads A.
fn left<T: Number>(
    shape: &Shape,
    sources: &Sources<'_>,
    semantics: &Semantics,
    read: impl Fn(Element, u64) -> T,
) -> Left<T> {
    let deal = Deal::of(shape, shape.a.bits(), false);
    let (groups, width) = (shape.groups(), shape.a.bits());
    let held = shape.lane_depth() / if shape.is_sparse { 2 } else { 1 };
    let depth = held * groups;
    let mut elements = vec![(T::default(), 0); shape.blocks * shape.rows * depth];
    for lane in 0..LANES {
        let Line { line, block, group } = Line::of_lane(lane, shape.rows, shape.blocks);
        let from = semantics.broadcast.of_a(lane);
        let row = &mut elements[(block * shape.rows + line) * depth..][..depth];
        for item in 0..held {
            let value = read(shape.a, bits(sources.a, from, item, width));
            match sources.indices {
                // In the order of the lanes' groups, which is that of k.
                Some(indices) => {
                    let place = semantics.indices.place(indices[from], item);
                    row[group * held + item] = (value, deal.depth(group, place));
                }
                None => {
                    let k = deal.depth(group, item);
                    row[k] = (value, k);
                }
            }
        }
    }
    Left { elements, depth }
}

/// Reads B: row by row of k, block by block.
fn right<T: Number>(
    shape: &Shape,
    sources: &Sources<'_>,
    semantics: &Semantics,
    read: impl Fn(Element, u64) -> T,
) -> Vec<T> {
    let deal = Deal::of(shape, shape.b.bits(), true);
    let width = shape.b.bits();
    let mut elements = vec![T::default(); shape.blocks * shape.depth * shape.columns];
    for lane in 0..LANES {
        let Line { line, block, group } = Line::of_lane(lane, shape.columns, shape.blocks);
        let from = semantics.broadcast.of_b(lane);
        for item in 0..shape.lane_depth() {
            let k = deal.depth(group, item);
            elements[(block * shape.depth + k) * shape.columns + line] =
                read(shape.b, bits(sources.b, from, item, width));
        }
    }
    elements
}

/// Adds the products to a row of sums, of elements of A and the B of their block.
#[inline(always)]
fn add_products<T: Number>(row: &mut [T], elements: &[(T, usize)], b: &[T]) {
    let columns = row.len();
    for (a, k) in elements {
        for (sum, b) in row.iter_mut().zip(&b[k * columns..][..columns]) {
            *sum = a.multiply_add(*b, *sum);
        }
    }
}

/// Adds all products to all sums.
fn multiply<T: Number>(shape: &Shape, a: &Left<T>, b: &[T], sums: &mut [T]) {
    widest(
        #[inline(always)]
        || {
            let rows = sums.chunks_exact_mut(shape.columns).zip(a.elements.chunks_exact(a.depth));
            for (number, (row, elements)) in rows.enumerate() {
                add_products(row, elements, &b[number / shape.rows * shape.depth * shape.columns..]);
            }
        },
    );
}

/// With scales, for a single block.
fn multiply_scaled(shape: &Shape, a: &Left<f32>, b: &[f32], scales: [&[u32; LANES]; 2], sums: &mut [f32]) {
    let scale = |number: usize, line: usize, lines: usize, part: usize| match scales[number][line + lines * part] & 0xff
    {
        255 => None,
        scale => Some(scale as i32 - 127),
    };
    let mut of_part = vec![0.0; shape.columns];
    for (i, row) in sums.chunks_exact_mut(shape.columns).enumerate() {
        for (part, elements) in a.elements[i * a.depth..][..a.depth].chunks(SCALED_DEPTH).enumerate() {
            of_part.fill(0.0);
            add_products(&mut of_part, elements, b);
            for (j, (sum, part_sum)) in row.iter_mut().zip(&of_part).enumerate() {
                *sum += match (scale(0, i, shape.rows, part), scale(1, j, shape.columns, part)) {
                    (Some(of_a), Some(of_b)) => scaled(f64::from(*part_sum), of_a + of_b) as f32,
                    _ => f32::NAN,
                };
            }
        }
    }
}

/// C as it lies in registers, block by block and row by row.
fn addends<T: Number>(shape: &Shape, c: &[[u32; LANES]], read: impl Fn(u64) -> T) -> Vec<T> {
    let width = 32 * shape.sum.registers();
    let mut sums = Vec::with_capacity(shape.blocks * shape.rows * shape.columns);
    for block in 0..shape.blocks {
        for i in 0..shape.rows {
            for j in 0..shape.columns {
                let (item, lane) = sum(shape, block, i, j);
                sums.push(read(bits(c, lane, item, width)));
            }
        }
    }
    sums
}

/// The registers of D.
fn registers<T: Number>(shape: &Shape, sums: &[T], write: impl Fn(T) -> u64) -> Vec<[u32; LANES]> {
    let each = shape.sum.registers();
    let mut result = vec![[0; LANES]; shape.sum_registers()];
    let mut sums = sums.iter();
    for block in 0..shape.blocks {
        for i in 0..shape.rows {
            for (j, element) in (0..shape.columns).zip(sums.by_ref()) {
                let (item, lane) = sum(shape, block, i, j);
                let element = write(*element);
                for (half, register) in result[item * each..][..each].iter_mut().enumerate() {
                    register[lane] = (element >> (32 * half)) as u32;
                }
            }
        }
    }
    result
}

/// D, register by register.
pub(crate) fn product(shape: &Shape, sources: &Sources<'_>, semantics: &Semantics) -> Vec<[u32; LANES]> {
    let [negates_a, negates_b, negates_c] = semantics.negated;
    match shape.sum {
        Sum::I32 => {
            let read = |_, bits: u64| i32::from(bits as u8 as i8);
            let (a, b) = (left(shape, sources, semantics, read), right(shape, sources, semantics, read));
            let mut sums = addends(shape, sources.c, |bits| bits as i32);
            multiply(shape, &a, &b, &mut sums);
            registers(shape, &sums, |sum| u64::from(sum as u32))
        }
        Sum::F64 => {
            let signed = |negates: bool| move |bits: u64| f64::from_bits(bits ^ u64::from(negates) << 63);
            let a = left(shape, sources, semantics, |_, bits| signed(negates_a)(bits));
            let b = right(shape, sources, semantics, |_, bits| signed(negates_b)(bits));
            let mut sums = addends(shape, sources.c, signed(negates_c));
            multiply(shape, &a, &b, &mut sums);
            registers(shape, &sums, |sum| if sum.is_nan() { 0x7ff8 << 48 } else { sum.to_bits() })
        }
        Sum::F32 => {
            let read = |element: Element, bits| element.single(bits, semantics.flushes_inputs);
            let (a, b) = (left(shape, sources, semantics, read), right(shape, sources, semantics, read));
            let mut sums = addends(shape, sources.c, |bits| f32::from_bits(bits as u32));
            match sources.scales {
                Some(scales) => multiply_scaled(shape, &a, &b, scales, &mut sums),
                None => multiply(shape, &a, &b, &mut sums),
            }
            registers(shape, &sums, |sum| {
                let bits = if sum.is_nan() { 0x7fc0_0000 } else { sum.to_bits() };
                u64::from(Float32::flush(bits, semantics.flushes_result))
            })
        }
    }
}
