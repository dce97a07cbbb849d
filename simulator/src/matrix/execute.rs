//! Executing a matrix instruction. EXEC is ignored (AMD "CDNA3 ISA", section 7.1).

use crate::matrix::function::MatrixFunction;
use crate::matrix::known::{KnownSources, known};
use crate::matrix::product::{Semantics, Sources, product};
use crate::matrix::shape::Sum;
use crate::state::operand::{Source, read_lanes};
use crate::state::vector_number::VectorNumber;
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;

/// V_MFMA_LD_SCALE_B32: the scales of A and B for the next instruction, of which each takes a byte of its lane.
pub(crate) fn load_scales(wave: &mut Wave, sources: [Source; 2], bytes: [u8; 2]) {
    let scales = std::array::from_fn(|n| {
        let (values, known) = read_lanes(wave, sources[n]);
        (values.map(|value| value >> (8 * bytes[n])), known)
    });
    wave.scales = Some(Box::new(scales));
}

/// Multiplies.
pub(crate) fn execute(wave: &mut Wave, function: &MatrixFunction) {
    let shape = &function.shape;
    let scales = if function.is_scaled { wave.scales.take() } else { None };
    // FP16_OVFL: no source says how the products of numbers heed it.
    let has_overflow_mode = wave.mode.bits().is_none_or(|bits| bits >> 23 & 1 == 1);
    let is_float = shape.sum != Sum::I32;
    let is_undefined = is_float && has_overflow_mode || function.is_scaled && scales.is_none();
    let count = shape.sum_registers();
    if is_undefined {
        return clobber(wave, function.d, count);
    }
    let (a, mut a_known) = wave.vectors.tuple(function.a, shape.a_registers());
    let (b, mut b_known) = wave.vectors.tuple(function.b, shape.b_registers());
    let mut indices = None;
    if let Some(register) = function.indices {
        let (values, known) = wave.vectors.read(register);
        indices = Some(values);
        a_known &= known;
    }
    if let Some(scales) = &scales {
        a_known &= scales[0].1;
        b_known &= scales[1].1;
    }
    let (constant, constant_known, c, c_known);
    match function.c {
        Source::Vector(register) => {
            (c, c_known) = wave.vectors.each(register, count);
        }
        Source::Constant(value) => {
            let dword = |n: usize| [(value >> (32 * (n % shape.sum.registers()))) as u32; LANES];
            constant = (0..count).map(dword).collect::<Vec<_>>();
            constant_known = vec![u64::MAX; count];
            (c, c_known) = (&constant[..], &constant_known[..]);
        }
        _ => return clobber(wave, function.d, count),
    }
    let sources = KnownSources { a: a_known, b: b_known, c: c_known };
    let known = known(shape, function.semantics.broadcast, &sources);
    // Skip the product if every output lane is unknown.
    if known.iter().all(|known| *known == 0) {
        return clobber(wave, function.d, count);
    }
    let mut semantics: Semantics = function.semantics;
    semantics.flushes_inputs |= function.follows_mode && wave.mode.flush32;
    let scales = scales.as_ref().map(|scales| [&scales[0].0, &scales[1].0]);
    let result = product(shape, &Sources { a, b, c, indices, scales }, &semantics);
    for ((register, values), known) in (function.d..).zip(&result).zip(known) {
        wave.vectors.write(register, u64::MAX, values, known);
    }
}

fn clobber(wave: &mut Wave, first: VectorNumber, count: usize) {
    (first..).take(count).for_each(|register| wave.vectors.write(register, u64::MAX, &[0; LANES], 0));
}
