//! Which lane and which item of it hold an element of WMMA's matrices of 16 × K and 16 × 16.
//!
//! Source: AMD matrix instruction calculator 1.3.2, gfx11 and gfx12; for waves of 64 lanes of gfx12 also Mesa `radv_nir_lower_cooperative_matrix.c`, which
//! has the same rows. Lanes make groups of 16. Of A and B a lane holds a row or a column, that of its number modulo 16: on gfx11 all k of it in every
//! group, on gfx12 four k at a time, dealt to the groups in turn. Of D it holds a column: on gfx11 the rows are dealt to the groups one by one, on gfx12
//! each group has rows in a run, and those of the upper half of a wave of 64 lanes lie four after those of the lower.

use gcn_model::isa::WaveMatrixLayout;

/// Rows of A, columns of B, both of D, and lanes of a group.
pub(crate) const SIDE: usize = 16;
/// Elements along k that a group has in a run.
const RUN: usize = 4;

/// The layout of matrices in a wave of this many groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WaveLayout {
    pub kind: WaveMatrixLayout,
    pub groups: usize,
}

impl WaveLayout {
    /// Elements of A or B that a lane holds.
    pub(crate) fn held(self, depth: usize) -> usize {
        if self.kind == WaveMatrixLayout::Replicated { depth } else { depth / self.groups }
    }

    /// The k of an item of a lane of A or B.
    pub(crate) fn depth(self, lane: usize, item: usize) -> usize {
        match self.kind {
            WaveMatrixLayout::Replicated => item,
            WaveMatrixLayout::Dealt => (item / RUN * self.groups + lane / SIDE) * RUN + item % RUN,
        }
    }

    /// Elements of D that a lane holds.
    pub(crate) fn sums(self) -> usize {
        SIDE / self.groups
    }

    /// The row of an item of a lane of D.
    pub(crate) fn row(self, lane: usize, item: usize) -> usize {
        let group = lane / SIDE;
        match self.kind {
            WaveMatrixLayout::Replicated => item * self.groups + group,
            WaveMatrixLayout::Dealt => item + 8 * (group % 2) + 4 * (group / 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each element has one place, or on gfx11 one in each group.
    #[test]
    fn all_elements_have_their_place() {
        for (kind, groups) in
            [WaveMatrixLayout::Replicated, WaveMatrixLayout::Dealt].into_iter().flat_map(|kind| [(kind, 2), (kind, 4)])
        {
            let layout = WaveLayout { kind, groups };
            let lanes = SIDE * groups;
            let mut rows = [0; SIDE];
            (0..lanes).step_by(SIDE).for_each(|lane| {
                (0..layout.sums()).for_each(|item| rows[layout.row(lane, item)] += 1);
            });
            assert_eq!(rows, [1; SIDE], "{layout:?}");
            for depth in [16, 32] {
                let mut depths = vec![0; depth];
                (0..lanes).step_by(SIDE).for_each(|lane| {
                    (0..layout.held(depth)).for_each(|item| depths[layout.depth(lane, item)] += 1);
                });
                let copies = if kind == WaveMatrixLayout::Replicated { groups } else { 1 };
                assert_eq!(depths, vec![copies; depth], "{layout:?}");
            }
        }
    }

    /// The output of the calculator and Mesa.
    #[test]
    fn rows_are_where_the_sources_have_them() {
        let of = |kind, groups| {
            let layout = WaveLayout { kind, groups };
            [(0, 0), (0, 1), (16, 0), (16, 3), (32 % (16 * groups), 1)].map(|(lane, item)| layout.row(lane, item))
        };
        assert_eq!(of(WaveMatrixLayout::Replicated, 2), [0, 2, 1, 7, 2]);
        assert_eq!(of(WaveMatrixLayout::Replicated, 4), [0, 4, 1, 13, 6]);
        assert_eq!(of(WaveMatrixLayout::Dealt, 2), [0, 1, 8, 11, 1]);
        assert_eq!(of(WaveMatrixLayout::Dealt, 4), [0, 1, 8, 11, 5]);
        let halves = WaveLayout { kind: WaveMatrixLayout::Dealt, groups: 2 };
        assert_eq!([(0, 3), (0, 4), (16, 0), (16, 7)].map(|(lane, item)| halves.depth(lane, item)), [3, 8, 4, 15]);
    }
}
