//! The cost of an instruction where SIMDs have matrix units.

use gcn_model::gpu::Gpu;
use gcn_model::isa::Instruction;

use crate::cost::unit::{Reservation, Unit};

/// The matrix unit's part in the cost of an instruction that wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MatrixCost {
    /// Time of the vector ALU.
    pub(super) vector: Reservation,
    /// Time of the matrix unit; none for a vector instruction that only waits for it.
    pub(super) matrix: Reservation,
    /// Cycles that it holds its wave.
    pub(super) cycles: u32,
}

impl MatrixCost {
    /// The cost of an instruction with these cycles, and these of its unit; `None` for those that do not want the matrix unit.
    pub(super) fn of(gpu: &Gpu, instruction: &Instruction, cycles: u32, hold: Reservation) -> Option<Self> {
        let unit = gpu.matrix.as_ref()?;
        let name = instruction.name.as_str();
        if instruction.is_matrix_operation() {
            // A wave continues with other units as soon as it has issued; its next vector instruction waits for the port.
            let gap = Reservation::of_cycles(f64::from(unit.gap_behind(name)));
            let vector = if unit.alone.contains(name) { gap.max(hold) } else { gap };
            return Some(Self { vector, matrix: hold, cycles: gpu.generation.waves.issue_interval_cycles });
        }
        let is_apart = Unit::of(instruction) == Unit::Vector && unit.no_overlap.contains(name);
        is_apart.then_some(Self { vector: hold, matrix: Reservation::NONE, cycles })
    }
}
