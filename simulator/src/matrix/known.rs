//! Which elements of D are known: those whose row of A, column of B and element of C are.

use crate::matrix::broadcast::Broadcast;
use crate::matrix::layout::{Line, sum};
use crate::matrix::shape::Shape;
use crate::state::vector_registers::LANES;

/// The lanes whose registers are all known, of each source; of C register by register.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownSources<'a> {
    /// Of A, and of what belongs to it lane by lane: indices, scales.
    pub a: u64,
    /// Likewise for B.
    pub b: u64,
    pub c: &'a [u64],
}

/// The known lanes of each register of D.
pub(crate) fn known(shape: &Shape, broadcast: Broadcast, sources: &KnownSources<'_>) -> Vec<u64> {
    let lines = |lanes: u64, lines: usize, from: &dyn Fn(usize) -> usize| {
        let mut of = vec![true; lines * shape.blocks];
        for lane in 0..LANES {
            let Line { line, block, .. } = Line::of_lane(lane, lines, shape.blocks);
            of[block * lines + line] &= lanes >> from(lane) & 1 == 1;
        }
        of
    };
    let rows = lines(sources.a, shape.rows, &|lane| broadcast.of_a(lane));
    let columns = lines(sources.b, shape.columns, &|lane| broadcast.of_b(lane));
    let each = shape.sum.registers();
    let mut result = vec![0; shape.sum_registers()];
    for block in 0..shape.blocks {
        for i in 0..shape.rows {
            for j in 0..shape.columns {
                let (item, lane) = sum(shape, block, i, j);
                let registers = item * each..(item + 1) * each;
                let is_known = rows[block * shape.rows + i]
                    && columns[block * shape.columns + j]
                    && sources.c[registers.clone()].iter().all(|known| known >> lane & 1 == 1);
                registers.for_each(|register| result[register] |= u64::from(is_known) << lane);
            }
        }
    }
    result
}
