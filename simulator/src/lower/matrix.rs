//! An instruction's use of registers that matrix instructions in flight may have.

use crate::state::matrix_results::{MatrixUses, Tuple};
use crate::state::vector_number::vector_number;
use gcn_model::decode::DecodedOperand;
use gcn_model::gpu::MatrixUnit;
use gcn_model::isa::Instruction;

/// An instruction's use of them; `None` if it names no vector register.
pub(crate) fn matrix_uses(
    operands: &[DecodedOperand],
    instruction: &Instruction,
    unit: &MatrixUnit,
) -> Option<MatrixUses> {
    let is_matrix = instruction.is_matrix_operation();
    let mut uses =
        MatrixUses { is_matrix, is_apart: unit.no_overlap.contains(&instruction.name), ..MatrixUses::default() };
    // A destination that is also read is the accumulator (V_SMFMAC_*, whose src2 is an index); otherwise src2 is.
    let accumulates_into_result = operands.iter().any(|found| found.operand.is_read() && found.operand.is_written());
    let accumulator = if accumulates_into_result { "vdst" } else { "src2" };
    let mut names_any = false;
    for found in operands {
        let Some(tuple) = tuple(found) else { continue };
        names_any = true;
        if found.operand.is_written() {
            add(&mut uses.written, tuple);
        }
        if found.operand.is_read() && is_matrix && found.operand.name == accumulator {
            uses.accumulator = tuple;
        } else if found.operand.is_read() {
            add(&mut uses.read, tuple);
        }
    }
    names_any.then_some(uses)
}

fn tuple(found: &DecodedOperand) -> Option<Tuple> {
    Some(Tuple { first: vector_number(found.location)?, count: found.registers.into() })
}

/// One more; what finds no room does not exist: no instruction has as many operands.
fn add(tuples: &mut [Tuple], tuple: Tuple) {
    if let Some(free) = tuples.iter_mut().find(|tuple| tuple.count == 0) {
        *free = tuple;
    }
}
