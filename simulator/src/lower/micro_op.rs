//! An instruction as the simulator executes it.

use crate::cost::configuration::Configuration;
use crate::cost::pipelines::{memory_hold, passes};
use crate::cost::unit::{Reservation, Unit};
use crate::issue::returns::unit_time;
use crate::lower::allocated::Allocated;
use crate::lower::bank_use::BankUse;
use crate::lower::matrix::matrix_uses;
use crate::lower::operation::Operation;
use crate::lower::registers::{Written, destination, operands, scalar_reads, sources_of_part, wide};
use crate::lower::tables::{Tables, put};
use crate::state::operand::{Destination, Source};
use crate::state::scalar_registers::{EXEC, VCC};
use crate::state::wave::Trace;
use gcn_model::decode::Decoded;
use gcn_model::isa::Encoding;

/// An instruction, ready to issue.
#[derive(Debug, Clone, Copy, Default)]
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
    /// From the issue of an LDS instruction to its completion, without bank conflicts.
    pub lds_latency_cycles: u32,
    /// Index into `Tables::reads`; `u32::MAX` for words that are not an instruction.
    pub reads: u32,
    /// Index into `Tables::matrix`; `u32::MAX` for instructions that no matrix instruction in flight can hold up.
    pub matrix: u32,
    /// The part of `cycles` that is the alignment penalty.
    pub penalty: u32,
    /// How long it keeps its unit.
    pub hold: Reservation,
    /// It waits for vector memory in a queue, while its wave goes on.
    pub is_queued: bool,
    /// It reads a register that it writes.
    pub is_in_place: bool,
    /// It is a scalar ALU instruction, which the 16-cycle rule delays.
    pub scalar_alu: bool,
    /// It reads or writes a hardware register.
    pub is_of_hardware_register: bool,
    /// It waits until the stores of its wave have read their registers.
    pub is_after_stores: bool,
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

impl MicroOp {
    /// The micro-op of an instruction at `address`; its access or function, if it has one, is put into `tables`.
    pub(crate) fn of(
        decoded: &Decoded,
        address: u64,
        configuration: &Configuration,
        allocated: Allocated,
        tables: &mut Tables,
    ) -> Self {
        // Long: the fields of a micro-op, each once.
        let instruction = decoded.instruction;
        let cost = configuration.cost(decoded);
        let front_end = &configuration.front_end;
        let dword = front_end.dword_in_block((address / 4) as u32);
        let dwords = u32::from(decoded.dwords.0);
        let cycles = cost.cycles + if is_coherent(decoded) { cost.glc_cycles } else { 0 };
        let penalty = front_end.penalty(dword, dwords, cycles);
        let operands = operands(decoded);
        let immediate = decoded.simm16().map(|value| value as u16 as u32).or(decoded.literal()).unwrap_or(0);
        let (operation, access) =
            tables.operation(decoded, configuration, &operands, (allocated, cost.lds_service, immediate));
        let written = tables.written(&operands, (operation, access), instruction.encoding);
        let reads = tables.reads(&operands, instruction, (operation, access));
        let hold = match configuration.pipelines.as_ref().filter(|_| cost.unit == Unit::VectorMemory) {
            Some(pipelines) => {
                let registers = reads.tuples().map(|(_, count)| u32::from(count)).sum();
                memory_hold(pipelines, registers, configuration.issue.wave_size)
            }
            None => cost.hold,
        };
        let is_in_place = reads.scalars & written.scalars != 0
            || reads.scc && written.scc
            || written.vector_registers().any(|register| reads.has_vector(register));
        let reads = put(&mut tables.reads, reads);
        if let Some(pipelines) = configuration.pipelines.as_ref().filter(|pipelines| pipelines.register_banks > 0) {
            let passes = passes(pipelines, instruction, configuration.issue.wave_size);
            tables.bank_uses.push(BankUse::of(decoded, &operands, passes as u8));
        }
        let uses = configuration.matrix.as_ref().and_then(|unit| matrix_uses(&operands, instruction, unit));
        let matrix = uses.map_or(u32::MAX, |uses| put(&mut tables.matrix, uses));
        Self {
            operation,
            unit: cost.unit,
            cycles: cycles + penalty,
            taken_cycles: cost.taken_cycles,
            latency_cycles: cost.latency_cycles,
            lds_latency_cycles: cost.lds_latency_cycles,
            reads,
            matrix,
            penalty,
            hold,
            is_queued: cost.is_queued,
            is_in_place,
            scalar_alu: instruction.is_scalar_alu(),
            is_of_hardware_register: matches!(
                operation,
                Operation::GetHardwareRegister | Operation::SetHardwareRegister | Operation::CounterRegister { .. }
            ),
            is_after_stores: (configuration.pipelines.as_ref())
                .is_some_and(|of| of.after_stores.contains(instruction.canonical_name())),
            is_free: configuration.pipelines.as_ref().is_some_and(|of| of.free.contains(instruction.canonical_name())),
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
            untaken_penalty: match operation {
                Operation::ConditionalBranch(_) => front_end.untaken_penalty(dword),
                _ => 0,
            },
            destination: destination(&operands),
            sources: sources_of_part(&operands, decoded.generation, read_part(operation)),
            written,
            array: match cost.unit {
                Unit::VectorMemory => {
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
            ..Self::leave(address, 0)
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
            reads: u32::MAX,
            matrix: u32::MAX,
            target: u32::MAX,
            access: u32::MAX,
            turns: u16::MAX,
            line,
            address,
            ..Self::default()
        }
    }

    /// The same micro-op once more: what can be left out of an access is for each of them to say.
    pub(crate) fn again(mut self, tables: &mut Tables) -> Self {
        if self.operation == Operation::Access {
            let access = tables.accesses[self.access as usize];
            self.access = put(&mut tables.accesses, access);
        }
        self
    }

    /// The value that V_WRITELANE_B32 writes, and the lane. Its destination keeps the other lanes; if the file lists it as read, it comes first.
    pub(crate) fn value_and_lane(&self) -> (Source, Source) {
        match self.sources {
            [Source::Vector(_), value, lane] => (value, lane),
            [value, lane, _] => (value, lane),
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
