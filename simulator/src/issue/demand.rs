//! The needs of a wave's next instruction.

use crate::cost::unit::Unit;
use crate::lower::micro_op::MicroOp;
use crate::lower::tables::Tables;
use crate::state::wave::Wave;

/// When and by which unit a wave's next instruction wants to be issued.
pub(super) fn demand(wave: &Wave, next: Option<&MicroOp>, tables: &Tables) -> (u64, Unit) {
    let Some(step) = next else { return (wave.ready, Unit::Internal) };
    let mut ready = if step.scalar_alu { wave.ready.max(wave.scalar_ready) } else { wave.ready };
    if let Some(board) = &wave.scoreboard
        && let Some(reads) = tables.reads.get(step.reads as usize)
    {
        ready = wave.pipelines.as_ref().map_or(ready, |pipelines| ready.max(pipelines.next_ready()));
        ready = match &wave.pipelines {
            Some(pipelines) if step.is_of_hardware_register => ready.max(pipelines.state_ready()),
            // They wait for their registers in the queue.
            Some(pipelines) if step.scalar_alu => ready.max(pipelines.scalar_ready()),
            Some(_) if step.is_of_matrix_queue() => ready,
            Some(pipelines) if step.reads_addresses() => {
                ready.max(board.addresses_ready(reads, pipelines.address_delay)).max(pipelines.memory_ready())
            }
            Some(pipelines) if step.is_vector() => {
                let registers = match ready < pipelines.queued_until {
                    true => board.scalars_ready_for_vectors(reads),
                    false => board.ready_for_vectors(reads),
                };
                let masks = match step.writes_mask() {
                    true => pipelines.mask_ready().max(pipelines.results_ready()),
                    false => 0,
                };
                ready.max(registers).max(masks).max(board.overwritable(step.written.vector_registers()))
            }
            Some(pipelines) if step.is_after_stores => {
                ready.max(pipelines.internal_ready()).max(pipelines.stores_read())
            }
            Some(pipelines) if step.unit == Unit::Internal && !step.is_free => ready.max(pipelines.internal_ready()),
            _ => ready.max(board.ready(reads)),
        };
    }
    if let Some(board) = &wave.matrix_results
        && let Some(uses) = tables.matrix.get(step.matrix as usize)
    {
        ready = board.ready(uses, ready);
    }
    (ready, step.unit)
}
