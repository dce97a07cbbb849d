//! The registers that are allocated to a wave.

use gcn_model::code_object::{ProgramRegisters, VectorFile};
use gcn_model::decode::{DecodedOperand, Location};
use gcn_model::isa::Processor;

/// The allocation by the program registers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allocated {
    pub vgprs: u32,
    pub agprs: u32,
    pub sgprs: u32,
}

/// Scalar codes from here on are FLAT_SCRATCH, XNACK_MASK, VCC, M0, EXEC and the like in some generation.
const FIRST_SPECIAL: u8 = 102;

impl Allocated {
    /// More registers than any instruction can name.
    pub(crate) const ALL: Self = Self { vgprs: 512, agprs: 512, sgprs: 512 };

    /// A program's request.
    pub(crate) fn of(registers: ProgramRegisters, processor: Processor) -> Self {
        let granules = processor.descriptor();
        let VectorFile { vgprs, agprs } = registers.vector_file(&granules);
        Self { vgprs, agprs, sgprs: registers.sgprs(&granules) }
    }

    /// Whether an operand is in registers that are not allocated; VCC, M0, EXEC and the like always are.
    pub(crate) fn lacks(self, operand: &DecodedOperand) -> bool {
        let end = |first: u8| u32::from(first) + u32::from(operand.registers);
        match operand.location {
            Location::Vgpr(first) => end(first) > self.vgprs,
            Location::Agpr(first) => end(first) > self.agprs,
            Location::Sgpr(first) if first < FIRST_SPECIAL => end(first) > self.sgprs,
            _ => false,
        }
    }
}
