//! The matrix unit next to the vector ALU of each SIMD: instructions that overlap with it, and the delay of its results.

use std::collections::BTreeSet;

use serde::Deserialize;

/// The overlap with a matrix instruction, and the delay of its result.
///
/// It occupies the matrix unit of its SIMD for the cycles of the instruction.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatrixUnit {
    /// Shader cycles from the issue of a matrix instruction to that of the next vector instruction on its SIMD.
    pub gap_cycles: u32,
    /// The same after those of [`long_gap`](Self::long_gap).
    pub long_gap_cycles: u32,
    /// Matrix instructions, by name, with the long gap.
    pub long_gap: BTreeSet<String>,
    /// Matrix instructions, by name, that no vector instruction overlaps.
    pub alone: BTreeSet<String>,
    /// Vector instructions, by name, that wait until the matrix unit is free.
    pub no_overlap: BTreeSet<String>,
    /// The further wait of these after a matrix instruction of their own wave, shader cycles.
    pub no_overlap_delay_cycles: u32,
    /// From the end of a matrix instruction to one that accumulates into the same registers, shader cycles.
    pub accumulator_cycles: u32,
    /// From its end to one that reads the result as A or B, or accumulates into a part of it, shader cycles.
    pub operand_cycles: u32,
    /// From its end to any other instruction that reads or overwrites the result, shader cycles.
    pub reader_cycles: u32,
}

impl MatrixUnit {
    /// Shader cycles from the issue of a matrix instruction to that of the next vector instruction, if not the matrix unit forbids it.
    pub fn gap_behind(&self, instruction: &str) -> u32 {
        if self.long_gap.contains(instruction) { self.long_gap_cycles } else { self.gap_cycles }
    }
}
