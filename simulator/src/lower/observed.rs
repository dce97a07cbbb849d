//! Which values of a program anything can observe.
//!
//! Timed code repeats instructions whose results are not read. They take their time, and their results are left out.
//! From the end of the program backwards, each step is given the registers whose values matter after it: those that are read
//! by a step which itself matters, before something else is written there.

use crate::cost::configuration::Configuration;
use crate::cost::unit::Unit;
use crate::lower::access::Access;
use crate::lower::micro_op::MicroOp;
use crate::lower::operation::Operation;
use crate::lower::register_set::RegisterSet;
use crate::lower::registers::Written;
use crate::lower::tables::Tables;
use crate::state::scalar_registers::{EXEC, M0};
use crate::state::scoreboard::Reads;
use gcn_model::isa::DependencyTracking;

/// What memory instructions read without naming it: M0, and FLAT_SCRATCH, which is 102 or 104.
const FLAT_SCRATCH_AND_M0: u128 = 0xf << 102 | 1 << M0;

/// Adds the registers whose values matter to a step that itself matters.
fn add_read(observed: &mut RegisterSet, reads: &Reads, operation: Operation) {
    // These reach a lane whether it is active or not.
    let ignores_exec =
        matches!(operation, Operation::ReadLane | Operation::WriteLane | Operation::Matrix | Operation::WaveMatrix);
    observed.scalars |= reads.scalars & if ignores_exec { !(3 << EXEC) } else { u128::MAX };
    observed.scalars |= match operation {
        Operation::Access => FLAT_SCRATCH_AND_M0,
        Operation::SaveExec(_) | Operation::WriteExec(_) | Operation::SubvectorLoop { .. } => 3 << EXEC,
        _ => 0,
    };
    for (first, count) in reads.tuples() {
        observed.add_vectors((first..).take(count.into()));
    }
}

/// Whether the values of some of these registers matter. SCC is taken for observed: what loops are made of writes it.
fn is_observed(written: &Written, observed: &RegisterSet) -> bool {
    written.scc || written.scalars & observed.scalars != 0 || observed.has_any_vector(written.vector_registers())
}

/// Makes the steps whose results nothing observes [`Operation::Unobserved`], and lets loads leave their results away.
///
/// The steps are the whole program: none goes to an address that is not known before.
pub(crate) fn drop_unobserved(steps: &mut [MicroOp], tables: &mut Tables) {
    if steps.iter().any(|step| hides_what_it_reads(step.operation)) {
        return;
    }
    let before = observed_before(steps, tables);
    for index in 0..steps.len() {
        let after = observed_after(steps, &before, index);
        let step = &mut steps[index];
        if is_observed(&step.written, &after) {
            continue;
        }
        if only_computes(step.operation) {
            step.operation = Operation::Unobserved;
        } else if step.operation == Operation::Access {
            tables.accesses[step.access as usize].drop_result();
        }
    }
    if !tables.accesses.iter().any(Access::observes_lds) {
        tables.accesses.iter_mut().for_each(Access::drop_lds_store);
    }
}

/// Finds the steps that a SIMD may issue ahead of the others. The last of the steps is the one after the program.
pub(crate) fn find_private(steps: &mut [MicroOp], configuration: &Configuration) {
    // Where results are waited for, a step meets more than its unit.
    let has_matrix = steps.iter().any(|step| step.unit == Unit::Matrix);
    if configuration.issue.dependency_tracking == DependencyTracking::Scoreboard || has_matrix {
        return;
    }
    for index in 1..steps.len() {
        let following = &steps[index];
        let goes_on = !following.new_line && matches!(following.unit, Unit::Vector | Unit::Internal);
        let step = &mut steps[index - 1];
        step.private_cycles = step.cycles_of_its_own(configuration).filter(|_| goes_on);
    }
}

/// The observed registers before each step: a fixed point, since loops go back.
fn observed_before(steps: &[MicroOp], tables: &Tables) -> Vec<RegisterSet> {
    let mut before = vec![RegisterSet::default(); steps.len()];
    loop {
        let mut has_grown = false;
        for index in (0..steps.len()).rev() {
            let step = &steps[index];
            let mut observed = observed_after(steps, &before, index);
            let only_computes = only_computes(step.operation);
            let matters = !only_computes || is_observed(&step.written, &observed);
            if only_computes {
                // A vector register keeps the lanes that EXEC disables.
                observed.scalars &= !step.written.scalars;
            }
            if matters {
                add_read(&mut observed, &tables.reads[step.reads as usize], step.operation);
            }
            if observed != before[index] {
                (before[index], has_grown) = (observed, true);
            }
        }
        if !has_grown {
            return before;
        }
    }
}

fn observed_after(steps: &[MicroOp], before: &[RegisterSet], index: usize) -> RegisterSet {
    let step = &steps[index];
    let mut observed = RegisterSet::default();
    if !matches!(step.operation, Operation::EndProgram | Operation::Branch) {
        observed = before.get(index + 1).copied().unwrap_or_default();
    }
    if let Some(target) = before.get(step.target as usize) {
        observed.join(*target);
    }
    observed
}

/// Whether an instruction does nothing but write registers, whatever its sources hold.
fn only_computes(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Lanes
            | Operation::Clobber
            | Operation::MaskedQuadDifferences
            | Operation::MaskedBitCount { .. }
            | Operation::Matrix
            | Operation::WaveMatrix
            | Operation::Pair
            | Operation::Swap
            | Operation::SwapHalves { .. }
            | Operation::SwapHalfWaves
            | Operation::SwapRows { .. }
            | Operation::PermuteRows { .. }
            | Operation::ReadFirstLane
            | Operation::ReadLane
            | Operation::ScalarMove32
            | Operation::ScalarMove64
            | Operation::ScalarMoveConstant
            | Operation::Scalar32 { .. }
            | Operation::Scalar
            | Operation::ScalarFloat(_)
            | Operation::CompareToExec
    )
}

/// Whether registers are read that the instruction does not name, or control goes where only a register says.
pub(super) fn hides_what_it_reads(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::SetGprIndex
            | Operation::SetGprIndexMode
            | Operation::VectorMoveRelative { .. }
            | Operation::ScalarMoveRelative
            | Operation::ScalarMoveByTwo
            | Operation::VectorMoveByTwo { .. }
            | Operation::SetProgramCounter
            | Operation::SwapProgramCounter
            | Operation::Call
    )
}
