//! Vector functions whose VGPR numbers an index is added to.
//!
//! Source: AMD "Vega ISA", sections 4.6 and 5.

use crate::error::Problem;
use crate::lower::micro_op::MicroOp;
use crate::lower::shared::Shared;
use crate::state::gpr_index::GprIndex;
use crate::state::operand::Source;
use crate::state::vector_number::VectorNumber;
use crate::state::wave::Wave;
use crate::vector::execute as vector_execute;
use crate::vector::function::VectorFunction;

impl GprIndex {
    /// Executes a vector function with the VGPRs that the index means.
    ///
    /// # Errors
    /// A VGPR that is not allocated.
    pub(crate) fn execute(
        self,
        wave: &mut Wave,
        step: &MicroOp,
        function: &VectorFunction,
        shared: &Shared<'_>,
    ) -> Result<(), Problem> {
        let mut indexed = *function;
        for (operand, source) in indexed.sources.iter_mut().enumerate() {
            if let Source::Vector(register) = &mut source.place
                && self.operands >> operand & 1 == 1
            {
                *register = moved(*register, self.index.into(), u32::from(source.is_wide), shared)?;
            }
        }
        if let Some(register) = &mut indexed.result
            && self.operands >> 3 & 1 == 1
        {
            *register = moved(*register, self.index.into(), u32::from(indexed.is_wide), shared)?;
        }
        vector_execute::execute(wave, step, &indexed);
        Ok(())
    }
}

/// The VGPR `index` after a register, which is followed by `further` ones.
///
/// # Errors
/// It is not allocated.
pub(crate) fn moved(
    register: VectorNumber,
    index: u32,
    further: u32,
    shared: &Shared<'_>,
) -> Result<VectorNumber, Problem> {
    let vgprs = shared.program.vgprs();
    let moved = u32::from(register).saturating_add(index);
    if moved.saturating_add(further) < vgprs {
        Ok(moved as VectorNumber)
    } else {
        Err(Problem::RegisterOutOfRange { register: format!("v{moved}"), allocated: format!("{vgprs} VGPRs") })
    }
}
