//! A movable instruction of a region, and its registers and memory.

use gcn_model::decode::{Decoded, Location};
use gcn_model::isa::{Encoding, InstructionClass, OperandKind};
use gcn_simulator::Counters;

use crate::line::Line;

/// A register, or another thing that instructions hand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Register {
    Vector(u16),
    Accumulation(u16),
    Scalar(u16),
    /// SCC.
    Condition,
}

const M0: u16 = 124;
const EXEC: [u16; 2] = [126, 127];

/// An instruction, with its reads and writes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// Its address in the region that is predicted.
    pub(super) address: u64,
    pub(super) decoded: Decoded,
    pub(super) words: Vec<u32>,
    /// What counts it until it returns.
    pub(super) counters: Counters,
    pub(super) reads: Vec<Register>,
    pub(super) writes: Vec<Register>,
    /// Cycles in which it holds its wave.
    pub(super) issue: f64,
    /// Cycles from its issue to that of what reads its result, as far as the prediction shows that this waits.
    pub(super) latency: f64,
}

impl Piece {
    pub(super) fn of(line: &Line, words: Vec<u32>, counters: Counters) -> Self {
        let decoded = line.decoded;
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for operand in decoded.operands() {
            let registers = registers(operand.location, operand.registers);
            if operand.operand.is_read() {
                reads.extend(&registers);
            }
            if operand.operand.is_written() {
                writes.extend(registers);
            }
        }
        if decoded.instruction.is_scalar_alu()
            || decoded.instruction.operands.iter().any(|it| it.kind == OperandKind::Label)
        {
            reads.push(Register::Condition);
            writes.push(Register::Condition);
        }
        if decoded.form == Encoding::Ds {
            reads.push(Register::Scalar(M0));
        }
        Self { address: line.address, decoded, words, counters, reads, writes, issue: line.issue.0, latency: 0.0 }
    }

    pub(super) fn name(&self) -> &'static str {
        &self.decoded.instruction.name
    }

    pub(super) fn is_memory(&self) -> bool {
        self.counters.vector_memory || self.counters.scalar_and_local_memory
    }

    pub(super) fn is_wait(&self) -> bool {
        self.decoded.generation.waits.contains_key(self.name())
    }

    /// Cycles in which it holds the matrix unit.
    pub(super) fn matrix_cycles(&self) -> f64 {
        self.decoded.passes().map_or(0.0, |passes| passes.cycles().0)
    }

    /// A hint for the next instruction, which an assembler sets anew where the order is another one.
    pub(super) fn is_hint(&self) -> bool {
        self.name() == "S_DELAY_ALU"
    }

    /// Whether nothing passes it: barriers, jumps, waits, and what changes which lanes are on.
    pub(super) fn is_fence(&self) -> bool {
        let instruction = self.decoded.instruction;
        let changes_lanes = self.writes.iter().any(|it| matches!(it, Register::Scalar(code) if EXEC.contains(code)))
            || instruction.is(InstructionClass::WritesExec);
        changes_lanes || self.decoded.form == Encoding::Sopp || self.is_wait() || instruction.is_of_hardware_register()
    }

    /// Whether it and a later one have to keep their order.
    pub(super) fn is_before(&self, later: &Self) -> bool {
        let meet = |one: &[Register], other: &[Register]| one.iter().any(|it| other.contains(it));
        meet(&self.writes, &later.reads)
            || meet(&self.writes, &later.writes)
            || meet(&self.reads, &later.writes)
            || self.is_memory() && later.is_memory()
    }

    /// Whether it reads what another one writes.
    pub(super) fn uses(&self, earlier: &Self) -> bool {
        earlier.writes.iter().any(|it| self.reads.contains(it))
    }

    /// Whether it reads or writes one of some registers.
    pub(super) fn touches(&self, registers: &[Register]) -> bool {
        self.reads.iter().chain(&self.writes).any(|it| registers.contains(it))
    }
}

fn registers(location: Location, count: u8) -> Vec<Register> {
    let all = |first: u8, of: fn(u16) -> Register| {
        (u16::from(first)..u16::from(first) + u16::from(count.max(1))).map(of).collect()
    };
    match location {
        Location::Vgpr(first) => all(first, Register::Vector),
        Location::Agpr(first) => all(first, Register::Accumulation),
        Location::Sgpr(first) => all(first, Register::Scalar),
        Location::Scc => vec![Register::Condition],
        _ => Vec::new(),
    }
}
