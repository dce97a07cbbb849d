//! An instruction in the pipelines of its SIMD: when it is executed.

use crate::lower::step::{Step, Tables};
use crate::state::pipelines::WavePipelines;
use crate::state::scoreboard::{Reads, Scoreboard};

/// Puts the step that a wave issues at `cycle` into its pipelines: the cycle from which its latency counts.
///
/// A scalar instruction waits in the queue for what it reads, and for what else is to write its registers: thread traces of RDNA 3 and 4
/// show compares that have nothing but SCC in common two cycles apart.
pub(super) fn issue(
    pipelines: &mut WavePipelines,
    board: &Scoreboard,
    (step, tables): (&Step, &Tables),
    cycle: u64,
) -> u64 {
    if step.scalar_alu {
        let written = Reads { scalars: step.written.scalars, scc: step.written.scc, ..Reads::default() };
        let read = tables.reads.get(step.reads as usize).map_or(0, |reads| board.ready(reads));
        return pipelines.issue_scalar(cycle, read.max(board.ready(&written)));
    }
    if step.writes_mask() {
        pipelines.issue_mask(cycle, step.hold.cycles() as u64);
    }
    cycle
}
