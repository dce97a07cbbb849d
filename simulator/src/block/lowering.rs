//! From the steps of a launch to those of a block.

use crate::error::Problem;
use crate::lower::access::Access;
use crate::lower::operation::{BlockStep, Flight, Operation};
use crate::lower::step::{Step, Tables};

/// Makes the steps of a program, whose last one leaves it, those of a block.
///
/// # Errors
/// The step that no block can have, and why.
pub(super) fn make_block(steps: &mut [Step], tables: &Tables) -> Result<(), (u64, Problem)> {
    let Some(leave) = steps.len().checked_sub(1) else { return Ok(()) };
    // Of several jumps to the start the last one closes the block.
    let edge = steps[..leave].iter().rposition(|step| is_jump(step) && step.target == 0);
    for (index, step) in steps[..leave].iter_mut().enumerate() {
        let refuse = |why: &str| Err((step.address, Problem::Unmodelled(why.to_owned())));
        step.operation = match step.operation {
            Operation::Refuse(why) => return refuse(why),
            Operation::EndProgram if index + 1 == leave => Operation::Block(BlockStep::Again),
            Operation::EndProgram => return refuse(" in the middle of a block"),
            Operation::Branch if Some(index) == edge => Operation::Block(BlockStep::Edge(None)),
            Operation::Branch if step.target == u32::MAX => return refuse(": it leaves the block"),
            Operation::Branch if step.target as usize <= index => return refuse(": it closes a loop inside the block"),
            Operation::ConditionalBranch(condition) if Some(index) == edge => {
                Operation::Block(BlockStep::Edge(Some(condition)))
            }
            Operation::ConditionalBranch(condition) => Operation::Block(BlockStep::Untaken(condition)),
            Operation::SetProgramCounter | Operation::SwapProgramCounter | Operation::Call => {
                return refuse(": where it goes to is not known in a block");
            }
            Operation::MemoryTime | Operation::MemoryRealTime => Operation::Block(BlockStep::Flight(Flight::Clock)),
            Operation::Access => Operation::Block(BlockStep::Flight(flight(&tables.accesses[step.access as usize]))),
            kept @ (Operation::Branch
            | Operation::Nop
            | Operation::Sleep
            | Operation::WaitCount
            | Operation::Barrier
            | Operation::Nothing) => kept,
            _ => Operation::Unobserved,
        };
    }
    let leave = &mut steps[leave];
    (leave.operation, leave.target) = (Operation::Block(BlockStep::Again), 0);
    Ok(())
}

fn is_jump(step: &Step) -> bool {
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
