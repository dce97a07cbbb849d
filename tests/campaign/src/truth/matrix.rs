//! Matrix instructions of CDNA, alone and beside others of the same wave.

use gcn_model::isa::Instruction;

use super::{Range, Truth, is_vector};

/// What reads results in VGPRs.
const READER: &str = "V_MOV_B32";

/// The reader of a matrix instruction's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// One that accumulates into the same registers.
    Accumulator,
    /// One that has it as A.
    Operand,
    /// A vector instruction.
    Other,
}

impl Truth {
    /// Cycles from a matrix instruction to the next vector instruction of its wave.
    pub(super) fn gap(&self, instruction: &Instruction) -> Option<u32> {
        let unit = self.gpu.matrix.as_ref().filter(|_| instruction.is_matrix_operation())?;
        Some(if unit.long_gap.contains(&instruction.name) { unit.long_gap_cycles } else { unit.gap_cycles })
    }

    /// Cycles from a matrix instruction to one that reads its result.
    pub fn matrix_latency(&self, name: &str, reader: Reader) -> Option<Range> {
        let ((instruction, timing), unit) = self.find(name).zip(self.gpu.matrix.as_ref())?;
        let more = match reader {
            Reader::Accumulator => unit.accumulator_cycles,
            Reader::Operand => unit.operand_cycles,
            Reader::Other => unit.reader_cycles,
        };
        // The harness reads with V_MOV_B32, which may wait until the unit is free; CDNA 1 has results in registers of another file.
        let is_late = reader == Reader::Other && unit.no_overlap.contains(READER) && self.gpu.gfx_target != "gfx908";
        let delay = if is_late { more.max(unit.no_overlap_delay_cycles) } else { more };
        let least = f64::from(self.gap(instruction)?);
        Some(Range::exactly(f64::from(timing.cycles + delay).max(least)))
    }

    /// Cycles of a block of a matrix instruction and others behind it, on one wave; of LDS instructions nothing is said.
    pub fn overlap(&self, name: &str, neighbour: &str, amount: u32) -> Option<Range> {
        let ((matrix, matrix_timing), (other, other_timing)) = self.find(name).zip(self.find(neighbour))?;
        let unit = self.gpu.matrix.as_ref()?;
        let alone = f64::from(matrix_timing.cycles);
        let (of_other, hold) = (self.own_cycles(other, &other_timing), self.hold(other, &other_timing));
        let each = of_other.max(hold);
        // The matrix instruction is issued while the scalar unit is held by the last of the others.
        let of_scalar = each * f64::from(amount.saturating_sub(1))
            + hold.max(of_other + f64::from(self.gpu.generation.waves.issue_interval_cycles));
        let (own, beside) = (self.own_cycles(matrix, &matrix_timing), each * f64::from(amount));
        Some(Range::exactly(match () {
            () if other_timing.lds.is_some() => return None,
            () if !is_vector(other) => own.max(of_scalar),
            () if unit.no_overlap.contains(neighbour) => {
                own.max(alone + f64::from(unit.no_overlap_delay_cycles)) + beside
            }
            () if unit.alone.contains(name) => own + beside,
            () => own.max(f64::from(self.gap(matrix)?) + beside),
        }))
    }
}
