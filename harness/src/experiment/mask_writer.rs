//! Vector instructions that write scalar registers.

use gcn_model::isa::{DependencyTracking, Encoding, Generation, Instruction, InstructionClass, Operand, OperandKind};

/// Whether copies back to back wait for results of each other that none of them reads: of vector instructions that write scalar
/// registers only some can be under way (facts-cdna-rdna §3.2: every seventh compare in a row waits, on silicon of gfx1100).
pub(super) fn waits_for_itself(instruction: &Instruction, generation: Generation) -> bool {
    use Encoding::{Vop1, Vop2, Vop3, Vop3p, Vopc};
    let is_vector = matches!(instruction.encoding, Vop1 | Vop2 | Vop3 | Vop3p | Vopc);
    let is_scalar =
        |operand: &Operand| matches!(operand.kind, OperandKind::Sgpr | OperandKind::Vcc | OperandKind::Mask);
    let writes_scalars = instruction.is(InstructionClass::WritesExec)
        || instruction.operands.iter().any(|operand| operand.is_written() && is_scalar(operand));
    generation.waves.dependency_tracking == DependencyTracking::Scoreboard && is_vector && writes_scalars
}
