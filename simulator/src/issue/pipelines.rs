//! An instruction in the pipelines of its SIMD: when it is executed, and when its results are there.

use crate::cost::unit::Unit;
use crate::issue::simd::Simd;
use crate::lower::micro_op::MicroOp;
use crate::lower::registers::Written;
use crate::lower::tables::Tables;
use crate::state::pipelines::{IssuedKind, ScalarTimes, WavePipelines};
use crate::state::scalar_registers::{EXEC, VCC};
use crate::state::scoreboard::{Reads, Scoreboard};
use crate::state::wave::Wave;

/// Notes on the scoreboard of a wave, if it has one, when the results of a step are there that it issues at `cycle`, and that begins in vector
/// memory, if it is for that, at another one.
pub(super) fn note(wave: &mut Wave, simd: &mut Simd, step: &MicroOp, (cycle, begins): (u64, u64), tables: &Tables) {
    let Some(board) = &mut wave.scoreboard else { return };
    let written = step.written;
    // Nobody waits for what memory and LDS bring but S_WAITCNT.
    let of_pipelines = if step.reads_addresses() { 0 } else { written.vectors };
    let vectors = Written { vectors: of_pipelines, ..written }.vector_registers();
    let mut executed = cycle;
    if let Some(pipelines) = &mut wave.pipelines {
        if step.scalar_alu {
            executed = issue_scalar(pipelines, board, (step, tables), cycle);
        } else if step.is_vector() {
            let reads = tables.reads.get(step.reads as usize).map_or(0, |reads| board.ready_for_vectors(reads));
            let overwritten = board.vectors_ready(vectors.clone());
            let accumulates = step.is_of_matrix_queue() && reads_what_it_writes(step, tables);
            let done;
            (executed, done) = simd.follow_matrices(cycle, step, (reads, overwritten), accumulates);
            if step.is_of_matrix_queue() || executed > cycle {
                pipelines.queue(done, simd.matrices_ready());
            } else if let Some(of) = tables.bank_uses.get(step.reads as usize) {
                simd.read_operands(&mut pipelines.bank_caches, cycle, of, vectors.clone());
            }
        } else if step.unit == Unit::VectorMemory
            && let Some(reads) = tables.reads.get(step.reads as usize)
        {
            executed = begins + step.hold.cycles() as u64;
            board.read_until(reads, pipelines.sources_read(executed));
        }
        if step.unit != Unit::Internal {
            let at = if step.scalar_alu { cycle } else { executed };
            pipelines.issue(kind(step, tables), cycle, at);
        }
    }
    board.write(written.scalars, vectors, written.scc, executed + u64::from(step.latency_cycles + step.penalty));
    let Some(pipelines) = &mut wave.pipelines else { return };
    if step.scalar_alu {
        let at = executed + u64::from(step.latency_cycles);
        board.delay(written.scalars, written.scc, at + pipelines.scalar_delay, at + pipelines.scalar_write);
    } else if step.writes_mask() {
        // In thread traces of RDNA 3 and 4 the next vector instruction reads a carry or a mask in VCC, and waits for one in another
        // SGPR as long as for a vector result; for others all of them are later.
        let own = step.hold.cycles() as u64;
        pipelines.issue_mask(executed, own);
        let for_others = executed + own + pipelines.mask_result();
        board.write_masks(written.scalars, executed + own, for_others);
    }
}

/// The kind of a step for later ones.
fn kind(step: &MicroOp, tables: &Tables) -> IssuedKind {
    match step.unit {
        Unit::VectorMemory => IssuedKind::VectorMemory { is_store: step.written.vectors == 0 },
        _ if step.is_vector() => {
            let reads = tables.reads.get(step.reads as usize).map_or(0, |reads| reads.scalars);
            let writes_scalars = step.written.scalars != 0;
            IssuedKind::Vector { reads_scalars: reads & !(3 << VCC | 3 << EXEC) != 0, writes_scalars }
        }
        _ => IssuedKind::Other,
    }
}

/// Whether a step accumulates into the registers that it reads.
fn reads_what_it_writes(step: &MicroOp, tables: &Tables) -> bool {
    let written = (step.written.first_vector, step.written.vectors);
    tables.reads.get(step.reads as usize).is_some_and(|reads| reads.vectors.contains(&written))
}

/// Puts a scalar step that a wave issues at `cycle` into its queue: the cycle of its execution.
///
/// It waits there for its sources, and completes after earlier writers of its registers: thread traces of RDNA 4 show integer
/// compares three cycles after those of floating point, which share nothing but SCC and have a latency of two cycles more.
fn issue_scalar(
    pipelines: &mut WavePipelines,
    board: &Scoreboard,
    (step, tables): (&MicroOp, &Tables),
    cycle: u64,
) -> u64 {
    let written = Reads { scalars: step.written.scalars, scc: step.written.scc, ..Reads::default() };
    let reads = tables.reads.get(step.reads as usize);
    let read = reads.map_or(0, |reads| board.ready_for_scalars(reads));
    let latency = u64::from(step.latency_cycles);
    let times = ScalarTimes {
        reads: u64::from(step.scalar_reads.max(1)),
        cycles: (step.array.cycles() as u64).max(1),
        latency,
        has_sources: step.scalar_reads > 0,
        from: cycle.max(reads.map_or(0, |reads| board.kept(reads, cycle))),
    };
    let overwritten = (board.ready_for_scalars(&written) + 1).saturating_sub(latency);
    let executed = pipelines.issue_scalar(times, read.max(overwritten));
    if step.is_of_hardware_register && step.written.scalars == 0 {
        pipelines.write_state(executed);
    }
    executed
}
