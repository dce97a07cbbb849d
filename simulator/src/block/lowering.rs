//! From the steps of a launch to those of a block.

use super::path::Path;
use crate::error::Problem;
use crate::lower::access::Access;
use crate::lower::micro_op::MicroOp;
use crate::lower::operation::{BlockStep, Flight, Operation};
use crate::lower::tables::Tables;

/// Makes the steps of a program, whose last one leaves it, those of a block.
///
/// # Errors
/// The step that no block can have, and why.
pub(super) fn make_block(steps: &mut [MicroOp], tables: &Tables) -> Result<Path, (u64, Problem)> {
    let leave = steps.len() - 1;
    // Of several jumps to the start the last one closes the block.
    let edge = steps[..leave].iter().rposition(|step| is_jump(step) && step.target == 0);
    let refuse = |step: &MicroOp, why: &str| Err((step.address, Problem::Unmodelled(why.to_owned())));
    let path = match Path::through(&steps[..leave], edge) {
        Ok(path) => path,
        Err(stuck) => {
            let step = &steps[stuck];
            return refuse(
                step,
                match step.operation {
                    Operation::EndProgram => " in the middle of a block",
                    Operation::Branch if step.target == u32::MAX => ": it leaves the block",
                    _ => ": it closes a loop inside the block",
                },
            );
        }
    };
    for (index, step) in steps[..leave].iter_mut().enumerate().filter(|(index, _)| path.has(*index)) {
        step.operation = match step.operation {
            Operation::Refuse(why) => return refuse(step, why),
            Operation::EndProgram => Operation::Block(BlockStep::Again),
            Operation::Branch if Some(index) == edge => Operation::Block(BlockStep::Edge(None)),
            Operation::ConditionalBranch(condition) if Some(index) == edge => {
                Operation::Block(BlockStep::Edge(Some(condition)))
            }
            Operation::ConditionalBranch(condition) if path.takes(index) => {
                Operation::Block(BlockStep::Taken(condition))
            }
            Operation::ConditionalBranch(condition) => Operation::Block(BlockStep::Untaken(condition)),
            Operation::SetProgramCounter | Operation::SwapProgramCounter | Operation::Call => {
                return refuse(step, ": where it goes to is not known in a block");
            }
            other => timed(other, step, tables),
        };
    }
    let leave = &mut steps[leave];
    (leave.operation, leave.target) = (Operation::Block(BlockStep::Again), 0);
    Ok(path)
}

/// The remainder of an operation that is repeated for its time alone.
pub(super) fn timed(operation: Operation, step: &MicroOp, tables: &Tables) -> Operation {
    match operation {
        Operation::MemoryTime | Operation::MemoryRealTime => Operation::Block(BlockStep::Flight(Flight::Clock)),
        Operation::WaveInGroup => Operation::Block(BlockStep::Flight(Flight::Scalar)),
        Operation::Access => Operation::Block(BlockStep::Flight(flight(&tables.accesses[step.access as usize]))),
        Operation::Branch
        | Operation::Nop
        | Operation::Sleep
        | Operation::WaitCount
        | Operation::WaitUnits
        | Operation::SetPriority
        | Operation::Barrier
        | Operation::Nothing => operation,
        _ => Operation::Unobserved,
    }
}

fn is_jump(step: &MicroOp) -> bool {
    matches!(step.operation, Operation::Branch | Operation::ConditionalBranch(_))
}

fn flight(access: &Access) -> Flight {
    match access {
        Access::Buffer(_) => Flight::Vector,
        Access::Flat(access) if access.is_flat() => Flight::Flat,
        Access::Flat(_) => Flight::Vector,
        Access::Local(_) => Flight::Local,
        Access::Scalar(_) => Flight::Scalar,
    }
}
