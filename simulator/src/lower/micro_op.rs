//! An instruction as the machine executes it.

use crate::cost::configuration::Configuration;
use crate::cost::unit::{Reservation, Unit};
use crate::issue::returns::unit_time;
use crate::lower::access::Access;
use crate::lower::allocated::Allocated;
use crate::lower::matrix::matrix_uses;
use crate::lower::operation::Operation;
use crate::lower::registers::{
    Written, destination, operands, reads, scalar_mask, scalar_reads, sources_of_part, wide, written,
};
use crate::matrix::function::MatrixFunction;
use crate::matrix::wave_function::WaveFunction;
use crate::scalar::function::ScalarFunction;
use crate::state::matrix_results::MatrixUses;
use crate::state::operand::{Destination, Source};
use crate::state::registers::{EXEC, VCC};
use crate::state::scoreboard::Reads;
use crate::state::wave::Trace;
use crate::vector::function::{VectorFunction, is_vector};
use gcn_model::decode::{Decoded, Vop3Fields};
use gcn_model::isa::{Encoding, InstructionClass, Processor, WaitCounts};

/// An instruction, ready to issue.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MicroOp {
    /// Its action.
    pub operation: Operation,
    /// Which unit executes it.
    pub unit: Unit,
    /// Cycles that it holds its wave, alignment penalty included.
    pub cycles: u32,
    /// Cycles that it holds its wave as a jump that is taken.
    pub taken_cycles: u32,
    /// From its issue to that of an instruction that reads its result, where there is a scoreboard.
    pub latency_cycles: u32,
    /// Index into [`Tables::reads`]; `u32::MAX` for words that are not an instruction.
    pub reads: u32,
    /// Index into [`Tables::matrix`]; `u32::MAX` for instructions that no matrix instruction in flight can hold up.
    pub matrix: u32,
    /// The part of `cycles` that is the alignment penalty.
    pub penalty: u32,
    /// How long it keeps its unit.
    pub hold: Reservation,
    /// It is a scalar ALU instruction, which the 16-cycle rule delays.
    pub scalar_alu: bool,
    /// It reads or writes a hardware register.
    pub is_of_hardware_register: bool,
    /// It goes with the next instruction and takes no cycle.
    pub is_free: bool,
    /// How often a scalar instruction reads the register that it reads most often.
    pub scalar_reads: u8,
    /// It delays the next scalar ALU instruction.
    pub delays_scalar: bool,
    /// It starts at the dword of a block where a long instruction before it hides its penalty.
    pub hidden_dword: bool,
    /// The facts about this one that the rules for the next instruction need.
    pub trace: Trace,
    /// Cycles that it holds its wave, if it meets nothing but its own wave and the vector unit of its SIMD, and the next one
    /// lies in the same cache line and wants no shared unit.
    pub private_cycles: Option<u32>,
    /// It lies in another cache line than the instruction before it.
    pub new_line: bool,
    /// Number of the cache line of its last dword.
    pub line: u64,
    /// The step that a jump goes to; `u32::MAX` if there is no instruction at the target.
    pub target: u32,
    /// Cycles that a taken jump costs on top, for the place of its target.
    pub jump_penalty: u32,
    /// Cycles that a jump not taken costs on top, for its own place.
    pub untaken_penalty: u32,
    /// Result.
    pub destination: Destination,
    /// Sources in the order of the text.
    pub sources: [Source; 3],
    /// All registers written.
    pub written: Written,
    /// How long an LDS instruction keeps the array, without conflicts, a matrix instruction its unit, and a load the way back to its compute
    /// unit.
    pub array: Reservation,
    /// Index into the one of [`Tables`] that the operation uses.
    pub access: u32,
    /// Index into [`Configuration::turns`]; `u16::MAX` if the cycles are always the same.
    pub turns: u16,
    pub immediate: u32,
    /// Which sources have 64 bits, one bit each.
    pub wide: u8,
    /// A scalar instruction whose second source is the immediate.
    pub is_constant: bool,
    /// Address in the code object, or in memory where the code is there.
    pub address: u64,
}

/// What steps have besides what all of them have.
#[derive(Default)]
pub(crate) struct Tables {
    /// Of the memory and LDS instructions.
    pub accesses: Vec<Access>,
    /// Of the vector instructions.
    pub functions: Vec<VectorFunction>,
    /// What instructions read.
    pub reads: Vec<Reads>,
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

impl Tables {
    /// The same step once more: what can be left out of an access is for each of them to say.
    pub(crate) fn again(&mut self, mut step: MicroOp) -> MicroOp {
        if step.operation == Operation::Access {
            self.accesses.push(self.accesses[step.access as usize]);
            step.access = self.accesses.len() as u32 - 1;
        }
        step
    }
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("accesses", &self.accesses).finish_non_exhaustive()
    }
}

impl MicroOp {
    /// The step of an instruction at `address`; its access or function, if it has one, is put into `tables`.
    pub(crate) fn of(
        decoded: &Decoded,
        address: u64,
        configuration: &Configuration,
        allocated: Allocated,
        tables: &mut Tables,
    ) -> Self {
        let instruction = decoded.instruction;
        let cost = configuration.cost(decoded);
        let front_end = &configuration.front_end;
        let dword = front_end.dword_in_block((address / 4) as u32);
        let dwords = u32::from(decoded.dwords.0);
        let cycles = cost.cycles + if is_coherent(decoded) { cost.glc_cycles } else { 0 };
        let penalty = front_end.penalty(dword, dwords, cycles);
        let operands = operands(decoded);
        let mut operation = Operation::of(instruction);
        let mut access = u32::MAX;
        if let (true, Operation::Clobber | Operation::CompareToExec) = (is_vector(instruction.encoding), operation)
            && let Some(function) = VectorFunction::of(decoded, configuration.approximates)
        {
            operation = Operation::Lanes;
            access = tables.functions.len() as u32;
            tables.functions.push(function);
        }
        if operation == Operation::Pair {
            match VectorFunction::of_pair(decoded, configuration.approximates) {
                Some(functions) => {
                    access = tables.functions.len() as u32;
                    tables.functions.extend(functions);
                }
                None => operation = Operation::Clobber,
            }
        }
        if let Operation::SwapHalves { high } = &mut operation {
            high.iter_mut().zip(&operands).for_each(|(high, operand)| *high = operand.is_high);
        }
        if operation == Operation::Clobber
            && let Some(function) = MatrixFunction::of(decoded)
        {
            operation = Operation::Matrix;
            access = tables.matrices.len() as u32;
            tables.matrices.push(function);
        }
        if operation == Operation::Clobber
            && let Some(function) = WaveFunction::of(decoded, configuration.issue.wave_size as usize)
        {
            operation = Operation::WaveMatrix;
            access = tables.wave_matrices.len() as u32;
            tables.wave_matrices.push(function);
        }
        if instruction.is(InstructionClass::MatrixScale) {
            operation = load_scales(decoded);
        }
        if operation == Operation::Clobber
            && let Some(function) = ScalarFunction::of(instruction.meaning())
        {
            operation = Operation::Scalar;
            access = tables.scalar_functions.len() as u32;
            tables.scalar_functions.push(function);
        }
        // OP_SEL decides the read of lanes that EXEC disables.
        if let (Operation::PermuteRows { is_other, by_lane, .. }, Some(fields)) = (operation, decoded.vop3())
            && let [fetches_inactive, reads_zero, false, false] = fields.op_sel
            && !changes_values(Vop3Fields { op_sel: [false; 4], ..fields })
        {
            operation = Operation::PermuteRows { is_other, by_lane, fetches_inactive, reads_zero };
        } else if (decoded.modifier.is_some() || decoded.vop3().is_some_and(changes_values))
            && !matches!(
                operation,
                Operation::Clobber
                    | Operation::Nothing
                    | Operation::CompareToExec
                    | Operation::Lanes
                    | Operation::LoadScales { .. }
                    | Operation::WaveMatrix
            )
        {
            // SDWA, DPP and the modifiers of VOP3 change what sources and result mean: unknown rather than wrong.
            operation = Operation::Clobber;
        }
        if operands.iter().any(|operand| allocated.lacks(operand)) {
            operation = Operation::OutOfRange;
        }
        if operation == Operation::Access {
            match Access::of(decoded, cost.pass_cycles) {
                Ok(found) => {
                    access = tables.accesses.len() as u32;
                    tables.accesses.extend(found);
                }
                Err(why) => operation = Operation::Refuse(why),
            }
        }
        let mut written = written(&operands, operation, instruction.encoding);
        if operation == Operation::Lanes && tables.functions[access as usize].writes_exec {
            written.scalars |= scalar_mask(EXEC..EXEC + 2);
        }
        if operation == Operation::Scalar {
            written.scc = tables.scalar_functions[access as usize].writes_scc;
        }
        let immediate = decoded.simm16().map(|value| value as u16 as u32).or(decoded.literal()).unwrap_or(0);
        if operation == Operation::GetHardwareRegister
            && let Some((below, bits)) = counter_register(configuration.processor, immediate)
        {
            operation = Operation::CounterRegister { below, bits };
        }
        if instruction.name == "S_SENDMSG" && decoded.generation.waves.deallocation_message == Some(immediate) {
            operation = Operation::DeallocateVectors;
        }
        if operation == Operation::SetHardwareRegister && !is_harmless_setreg(immediate) {
            operation = Operation::Refuse(": it sets a mode that changes what vector instructions do");
        }
        if let Some(fields) = decoded.generation.waits.get(&instruction.name) {
            operation = Operation::WaitCount;
            access = tables.waits.len() as u32;
            tables.waits.push(fields.counts(immediate));
        }
        if operation == Operation::StateBit {
            operation = match immediate {
                0 => Operation::Nothing,
                _ => Operation::Refuse(": it halts or ends the wave"),
            };
        }
        tables.reads.push(reads(&operands, instruction, operation));
        let reads = tables.reads.len() as u32 - 1;
        let mut matrix = u32::MAX;
        if let Some(unit) = &configuration.matrix
            && let Some(uses) = matrix_uses(&operands, instruction, unit)
        {
            matrix = tables.matrix.len() as u32;
            tables.matrix.push(uses);
        }
        let scalar_alu = instruction.is_scalar_alu();
        Self {
            operation,
            unit: cost.unit,
            cycles: cycles + penalty,
            taken_cycles: cost.taken_cycles,
            latency_cycles: cost.latency_cycles,
            reads,
            matrix,
            penalty,
            hold: cost.hold,
            scalar_alu,
            is_of_hardware_register: matches!(
                operation,
                Operation::GetHardwareRegister | Operation::SetHardwareRegister | Operation::CounterRegister { .. }
            ),
            is_free: configuration.pipelines.as_ref().is_some_and(|of| of.free.contains(instruction.meaning())),
            scalar_reads: scalar_reads(&operands),
            delays_scalar: cost.delays_scalar,
            hidden_dword: front_end.is_hidden_dword(dword),
            trace: Trace {
                scc: written.scc,
                vcc: written.scalars >> VCC & 3 != 0,
                exec: written.scalars >> EXEC & 3 != 0,
                hides_next: front_end.hides_next(dwords, cycles),
                was_free: false,
            },
            private_cycles: None,
            new_line: false,
            line: 0,
            target: u32::MAX,
            jump_penalty: 0,
            untaken_penalty: match operation {
                Operation::ConditionalBranch(_) => front_end.untaken_penalty(dword),
                _ => 0,
            },
            destination: destination(&operands),
            sources: sources_of_part(&operands, decoded.generation, read_part(operation)),
            written,
            array: match cost.unit {
                Unit::VectorMemory if configuration.pipelines.is_some() => {
                    let bytes = 4 * u32::from(written.vectors) * configuration.issue.wave_size;
                    unit_time(bytes, configuration.return_bytes[1])
                }
                _ => cost.array,
            },
            access,
            turns: cost.turns,
            immediate,
            wide: wide(&operands),
            is_constant: instruction.encoding == Encoding::Sopk,
            address,
        }
    }

    /// Whether its vector registers go to memory or LDS.
    pub(crate) fn reads_addresses(&self) -> bool {
        matches!(self.unit, Unit::VectorMemory | Unit::LocalDataShare | Unit::Export)
    }

    /// Whether it is a vector instruction that writes scalar registers.
    pub(crate) fn writes_mask(&self) -> bool {
        self.is_vector() && self.written.scalars != 0
    }

    /// Whether the vector ALU or the transcendental unit executes it, or the matrix unit where SIMDs have pipelines.
    pub(crate) fn is_vector(&self) -> bool {
        matches!(self.unit, Unit::Vector | Unit::Transcendental | Unit::MatrixQueue)
    }

    /// Whether it is a matrix instruction where SIMDs have pipelines: its registers are waited for in the queue.
    pub(crate) fn is_of_matrix_queue(&self) -> bool {
        self.unit == Unit::MatrixQueue
    }

    /// The step after the last instruction of a chunk of code, at `address`: it takes no time.
    pub(crate) fn leave(address: u64, line: u64) -> Self {
        Self {
            operation: Operation::Leave,
            unit: Unit::Internal,
            cycles: 0,
            taken_cycles: 0,
            latency_cycles: 0,
            reads: u32::MAX,
            matrix: u32::MAX,
            penalty: 0,
            hold: Reservation::of_cycles(0.0),
            scalar_alu: false,
            is_of_hardware_register: false,
            is_free: false,
            scalar_reads: 0,
            delays_scalar: false,
            hidden_dword: false,
            trace: Trace::default(),
            private_cycles: None,
            new_line: false,
            line,
            target: u32::MAX,
            jump_penalty: 0,
            untaken_penalty: 0,
            destination: Destination::None,
            sources: [Source::None; 3],
            written: Written::default(),
            array: Reservation::of_cycles(0.0),
            access: u32::MAX,
            turns: u16::MAX,
            immediate: 0,
            wide: 0,
            is_constant: false,
            address,
        }
    }

    /// How long it holds its wave if it takes the time of its wave and of the vector unit, and does nothing else.
    pub(crate) fn cycles_of_its_own(&self, configuration: &Configuration) -> Option<u32> {
        match (self.operation, self.unit) {
            _ if self.turns != u16::MAX => None,
            (Operation::Unobserved | Operation::Nothing, Unit::Vector) => Some(self.cycles),
            (Operation::Nop, Unit::Internal) => Some(self.cycles + self.further_wait_states(configuration)),
            _ => None,
        }
    }

    /// Cycles of the wait states that S_NOP's immediate adds to its own: "s_nop N gives N+1" wait states of four cycles; GCN 1.0/1.1
    /// honour three bits (facts §3.1).
    pub(crate) fn further_wait_states(&self, configuration: &Configuration) -> u32 {
        configuration.issue.interval * (self.immediate % configuration.generation.waves.wait_states_of_nop)
    }

    /// Where it jumps to, if it is a jump by an immediate.
    pub(crate) fn jump_address(&self) -> u64 {
        self.address.wrapping_add(4).wrapping_add_signed(i64::from(self.immediate as u16 as i16) * 4)
    }
}

/// The bits of its sources that a scalar floating-point instruction reads; all of every other one's.
fn read_part(operation: Operation) -> u32 {
    match operation {
        Operation::ScalarFloat(float) => float.read_bits(),
        Operation::ScalarCompareFloat(comparison) => comparison.read_bits(),
        _ => u32::MAX,
    }
}

/// Whether the GLC modifier is there.
fn is_coherent(decoded: &Decoded) -> bool {
    decoded.buffer().map(|fields| fields.glc).or(decoded.flat().map(|fields| fields.glc)).unwrap_or(false)
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
