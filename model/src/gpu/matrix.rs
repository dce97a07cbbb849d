//! The matrix unit beside the vector ALU of each SIMD: what overlaps with it, and how late its results are.

use std::collections::BTreeSet;

use serde::Deserialize;

/// What goes on beside a matrix instruction, and when its result can be read.
///
/// Its own time is the cycles of the instruction: so long it holds the matrix unit of its SIMD.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatrixUnit {
    /// Shader cycles from the issue of a matrix instruction to that of the next vector instruction on its SIMD.
    pub gap_cycles: u32,
    /// The same behind those of [`long_gap`](Self::long_gap).
    pub long_gap_cycles: u32,
    /// Matrix instructions, by name, with the long gap.
    pub long_gap: BTreeSet<String>,
    /// Matrix instructions, by name, beside which no vector instruction issues.
    pub alone: BTreeSet<String>,
    /// Vector instructions, by name, that wait until the matrix unit is free.
    pub no_overlap: BTreeSet<String>,
    /// How much longer these wait behind a matrix instruction of their own wave, shader cycles.
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
