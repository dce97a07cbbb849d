//! The effect of an instruction, as far as it has a model: its operation, and its function, access or counts.

use crate::cost::configuration::Configuration;
use crate::lds::service::LdsService;
use crate::lower::access::Access;
use crate::lower::allocated::Allocated;
use crate::lower::bank_use::BankUse;
use crate::lower::operation::Operation;
use crate::lower::registers::{Written, reads, scalar_mask, written};
use crate::matrix::function::MatrixFunction;
use crate::matrix::wave_function::WaveFunction;
use crate::scalar::function::ScalarFunction;
use crate::state::matrix_results::MatrixUses;
use crate::state::scalar_registers::EXEC;
use crate::state::scoreboard::Reads;
use crate::vector::function::{VectorFunction, is_vector};
use gcn_model::decode::{Decoded, DecodedOperand, Vop3Fields};
use gcn_model::isa::{Encoding, Instruction, InstructionClass, Processor, WaitCounts};

/// The parts of micro-ops that few of them have, each with a place in its table.
#[derive(Default)]
pub(crate) struct Tables {
    /// Of the memory and LDS instructions.
    pub accesses: Vec<Access>,
    /// Of the vector instructions.
    pub functions: Vec<VectorFunction>,
    /// What instructions read.
    pub reads: Vec<Reads>,
    /// Which banks of vector registers they use, likewise, where registers are in banks.
    pub bank_uses: Vec<BankUse>,
    /// Of the matrix instructions.
    pub matrices: Vec<MatrixFunction>,
    /// Of WMMA.
    pub wave_matrices: Vec<WaveFunction>,
    /// Their use of registers that matrix instructions in flight may have.
    pub matrix: Vec<MatrixUses>,
    /// Of the scalar instructions.
    pub scalar_functions: Vec<ScalarFunction>,
    /// Of the instructions that wait for counters.
    pub waits: Vec<WaitCounts>,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("accesses", &self.accesses).finish_non_exhaustive()
    }
}

/// Puts a value at the end of a table; its place.
pub(super) fn put<T>(table: &mut Vec<T>, value: T) -> u32 {
    table.push(value);
    table.len() as u32 - 1
}

impl Tables {
    /// An instruction's operation, and the place of its access, function or counts in its table.
    pub(super) fn operation(
        &mut self,
        decoded: &Decoded,
        configuration: &Configuration,
        operands: &[DecodedOperand],
        (allocated, lds_service, immediate): (Allocated, LdsService, u32),
    ) -> (Operation, u32) {
        let (operation, mut place) = self.function(decoded, configuration, operands);
        let mut operation = with_modifiers(decoded, operation);
        if operands.iter().any(|operand| allocated.lacks(operand)) {
            operation = Operation::OutOfRange;
        }
        if operation == Operation::Access {
            match Access::of(decoded, lds_service) {
                Ok(found) => {
                    place = self.accesses.len() as u32;
                    self.accesses.extend(found);
                }
                Err(why) => operation = Operation::Refuse(why),
            }
        }
        operation = of_hardware(decoded, configuration, operation, immediate);
        if let Some(counts) = decoded.wait_counts() {
            operation = Operation::WaitCount;
            place = put(&mut self.waits, counts);
        }
        (operation, place)
    }

    /// An instruction's operation, with its modelled function and the place of that.
    fn function(
        &mut self,
        decoded: &Decoded,
        configuration: &Configuration,
        operands: &[DecodedOperand],
    ) -> (Operation, u32) {
        let instruction = decoded.instruction;
        let mut operation = Operation::of(instruction);
        let without = |operation| (operation, u32::MAX);
        if instruction.is(InstructionClass::MatrixScale) {
            return without(load_scales(decoded));
        }
        if let (true, Operation::Clobber | Operation::CompareToExec) = (is_vector(instruction.encoding), operation)
            && let Some(function) = VectorFunction::of(decoded, configuration.approximates)
        {
            return (Operation::Lanes, put(&mut self.functions, function));
        }
        if operation == Operation::Pair {
            let Some([first, second]) = VectorFunction::of_pair(decoded, configuration.approximates) else {
                return without(Operation::Clobber);
            };
            let place = put(&mut self.functions, first);
            self.functions.push(second);
            return (operation, place);
        }
        if let Operation::SwapHalves { high } = &mut operation {
            high.iter_mut().zip(operands).for_each(|(high, operand)| *high = operand.is_high);
        }
        if let (Operation::ScalarFloat(float), true) = (&mut operation, configuration.approximates) {
            *float = float.approximated();
        }
        if operation != Operation::Clobber {
            return without(operation);
        }
        if let Some(function) = MatrixFunction::of(decoded) {
            return (Operation::Matrix, put(&mut self.matrices, function));
        }
        if let Some(function) = WaveFunction::of(decoded, configuration.issue.wave_size as usize) {
            return (Operation::WaveMatrix, put(&mut self.wave_matrices, function));
        }
        match ScalarFunction::of(instruction.canonical_name()) {
            Some(function) => (Operation::Scalar, put(&mut self.scalar_functions, function)),
            None => without(operation),
        }
    }

    /// The registers that an instruction reads.
    pub(super) fn reads(
        &self,
        operands: &[DecodedOperand],
        instruction: &Instruction,
        (operation, place): (Operation, u32),
    ) -> Reads {
        let mut reads = reads(operands, instruction, operation);
        if operation == Operation::Scalar {
            reads.scc |= self.scalar_functions[place as usize].reads_scc;
        }
        reads
    }

    /// The registers that an instruction writes.
    pub(super) fn written(
        &self,
        operands: &[DecodedOperand],
        (operation, place): (Operation, u32),
        encoding: Encoding,
    ) -> Written {
        let mut written = written(operands, operation, encoding);
        if operation == Operation::Lanes && self.functions[place as usize].writes_exec {
            written.scalars |= scalar_mask(EXEC..EXEC + 2);
        }
        if operation == Operation::Scalar {
            written.scc = self.scalar_functions[place as usize].writes_scc;
        }
        written
    }
}

/// An operation with its modifiers: it is unknown, rather than wrong, where SDWA, DPP or VOP3 change what sources and result mean.
fn with_modifiers(decoded: &Decoded, operation: Operation) -> Operation {
    use Operation::{Clobber, CompareToExec, Lanes, LoadScales, Nothing, WaveMatrix};
    // OP_SEL decides the read of lanes that EXEC disables.
    if let (Operation::PermuteRows { is_other, by_lane, .. }, Some(fields)) = (operation, decoded.vop3())
        && let [fetches_inactive, reads_zero, false, false] = fields.op_sel
        && !changes_values(Vop3Fields { op_sel: [false; 4], ..fields })
    {
        return Operation::PermuteRows { is_other, by_lane, fetches_inactive, reads_zero };
    }
    let is_changed = decoded.modifier.is_some() || decoded.vop3().is_some_and(changes_values);
    match operation {
        Clobber | Nothing | CompareToExec | Lanes | LoadScales { .. } | WaveMatrix => operation,
        _ if is_changed => Clobber,
        _ => operation,
    }
}

/// An operation on hardware registers, messages and state bits, as its immediate operand says.
fn of_hardware(decoded: &Decoded, configuration: &Configuration, operation: Operation, immediate: u32) -> Operation {
    if decoded.instruction.name == "S_SENDMSG" && decoded.generation.waves.deallocation_message == Some(immediate) {
        return Operation::DeallocateVectors;
    }
    match operation {
        Operation::GetHardwareRegister => match counter_register(configuration.processor, immediate) {
            Some((below, bits)) => Operation::CounterRegister { below, bits },
            None => operation,
        },
        Operation::SetHardwareRegister if !is_harmless_setreg(immediate) => {
            Operation::Refuse(": it sets a mode that changes what vector instructions do")
        }
        Operation::StateBit if immediate == 0 => Operation::Nothing,
        Operation::StateBit => Operation::Refuse(": it halts or ends the wave"),
        _ => operation,
    }
}

/// V_MFMA_LD_SCALE_B32: OP_SEL and OP_SEL_HI are the low and the high bit of the byte's number.
///
/// Source: LLVM 22.1 `VOP3PInstructions.td`, VOP3PX2e.
fn load_scales(decoded: &Decoded) -> Operation {
    let fields = decoded.vop3().unwrap_or_default();
    let byte = |n: usize| u8::from(fields.op_sel[n]) + 2 * u8::from(fields.op_sel_hi[n]);
    Operation::LoadScales { bytes: [byte(0), byte(1)] }
}

/// Whether a VOP3 form does more than its sources and its function say.
fn changes_values(fields: Vop3Fields) -> bool {
    fields != Vop3Fields { op_sel_hi: fields.op_sel_hi, ..Vop3Fields::default() }
}

/// Which dword of the cycle counter the register is that an immediate names, if it is one, and how many bits the counter has there.
fn counter_register(processor: Processor, hwreg: u32) -> Option<(u32, u32)> {
    let counters = &processor.generation.counters;
    let is_it = |register: &u32| *register == hwreg & 0x3f;
    let beside = counters.cycle_register.as_ref().filter(|beside| is_it(&beside.register));
    if let Some(beside) = beside.filter(|beside| processor.has_feature(&beside.feature)) {
        return Some((0, beside.bits));
    }
    let below = counters.cycles.registers.iter().position(is_it)?;
    Some((below as u32, counters.cycles.read.bits()))
}

/// S_SETREG is harmless to the model unless it reaches MODE's bits 27 and up: GPR indexing, VSKIP, CSP.
fn is_harmless_setreg(hwreg: u32) -> bool {
    const MODE: u32 = 1;
    let (id, offset, size) = (hwreg & 0x3f, hwreg >> 6 & 0x1f, (hwreg >> 11 & 0x1f) + 1);
    id != MODE || offset + size <= 27
}
