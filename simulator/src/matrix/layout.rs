//! Which lane and which item of it hold an element.
//!
//! Source: AMD "CDNA3 ISA" and "CDNA4 ISA", sections 7.1.3 and 7.1.4: A[i][k] of a block is item k mod K_L of lane i + M × (block + B × (k / K_L)), where
//! K_L are the elements of a lane; B likewise with j and N. D[i][j] is item (i mod H) + H × (i / (H × M_I) + G × (block / B_I)) of lane
//! j + N × (block mod B_I + B_I × ((i / H) mod M_I)), where H is 4, or 1 of double precision. Only V_MFMA_F64_4X4X4 has several blocks and several
//! rows in a register; for it this is the matrix instruction calculator's output.

use crate::matrix::shape::{Shape, Sum};
use crate::state::vector_registers::LANES;

/// The row of A or the column of B that a lane holds, its block and its group along k.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    pub line: usize,
    pub block: usize,
    pub group: usize,
}

impl Line {
    /// A lane's part of lines (rows or columns) and blocks.
    pub(crate) fn of_lane(lane: usize, lines: usize, blocks: usize) -> Self {
        Self { line: lane % lines, block: lane / lines % blocks, group: lane / (lines * blocks) }
    }
}

/// The distribution of elements along k to groups of lanes: this many at once, then the next group has as many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Deal {
    pub run: usize,
    pub groups: usize,
}

/// Elements of 8 bits that a lane holds at once.
const LONGEST_RUN: usize = 16;

impl Deal {
    /// Of A or B, elements of this many bits.
    ///
    /// More than 16 elements of 8 bits are dealt in two runs of 16 (CDNA 4).
    /// Source: AMD's simulator (`ROCm/rocm-systems`, `emulation/rocjitsu`, `mma/layout.h`); composable_kernel's tests of F8F6F4 lay 8-bit elements
    /// out the same. Of SMFMAC's B the manual's tables were read as half a lane's elements at once where they take eight registers.
    pub(crate) fn of(shape: &Shape, bits: usize, is_b: bool) -> Self {
        let (held, groups) = (shape.lane_depth(), shape.groups());
        let is_split = match shape.is_sparse {
            true => is_b && held * bits == 8 * 32,
            false => bits == 8 && held > LONGEST_RUN,
        };
        Self { run: if is_split { held / 2 } else { held }, groups }
    }

    /// The k of an item of a group's lanes.
    #[inline(always)]
    pub(crate) fn depth(self, group: usize, item: usize) -> usize {
        (item / self.run * self.groups + group) * self.run + item % self.run
    }
}

/// Where D[i][j] of a block is: item and lane.
#[inline(always)]
pub(crate) fn sum(shape: &Shape, block: usize, i: usize, j: usize) -> (usize, usize) {
    let height = if shape.sum == Sum::F64 { 1 } else { 4 };
    let blocks_at_once = LANES.div_ceil(shape.rows * shape.columns / height);
    let rows_at_once = LANES / blocks_at_once / shape.columns;
    let groups = shape.rows / (height * rows_at_once);
    let item = i % height + height * (i / (height * rows_at_once) + groups * (block / blocks_at_once));
    let lane = j + shape.columns * (block % blocks_at_once + blocks_at_once * (i / height % rows_at_once));
    (item, lane)
}
