//! An instruction in the pipelines of its SIMD: when it is executed, and when its results are there.

use crate::lower::step::{Step, Tables};
use crate::state::pipelines::WavePipelines;
use crate::state::scoreboard::{Reads, Scoreboard};
use crate::state::wave::Wave;

/// Notes on the scoreboard of a wave, if it has one, when the results of a step are there that it issues at `cycle`.
pub(super) fn note(wave: &mut Wave, step: &Step, cycle: u64, tables: &Tables) {
    let Some(board) = &mut wave.scoreboard else { return };
    let executed = match &mut wave.pipelines {
        Some(pipelines) => issue(pipelines, board, (step, tables), cycle),
        None => cycle,
    };
    let written = step.written;
    let vectors = (written.first_vector..).take(written.vectors.into()).chain(written.swapped);
    board.write(written.scalars, vectors, written.scc, executed + u64::from(step.latency_cycles + step.penalty));
    // In thread traces of RDNA 3 and 4 the next vector instruction reads a carry; for others masks are later.
    if let Some(pipelines) = wave.pipelines.as_ref().filter(|_| step.writes_mask()) {
        let own = cycle + step.hold.cycles() as u64;
        board.write_masks(written.scalars, own, own + pipelines.mask_latency());
    }
}

/// Puts a step that a wave issues at `cycle` into its pipelines: the cycle from which its latency counts.
///
/// A scalar instruction waits in the queue for what it reads, and for what else is to write its registers: thread traces of RDNA 3 and 4
/// show compares that have nothing but SCC in common two cycles apart.
fn issue(pipelines: &mut WavePipelines, board: &Scoreboard, (step, tables): (&Step, &Tables), cycle: u64) -> u64 {
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
