//! Which registers an instruction reads and writes.

use std::ops::Range;

use crate::cost::unit::Unit;
use crate::lower::operation::{Condition, Operation};
use crate::state::operand::{Destination, Source, source};
use crate::state::scalar_registers::{EXEC, M0, NOWHERE};
use crate::state::scoreboard::Reads;
use crate::state::vector_number::{VectorNumber, vector_number};
use gcn_model::decode::{Aperture, Decoded, DecodedOperand, InlineConstant, Location};
use gcn_model::isa::{Encoding, Generation, Instruction, InstructionClass};

/// All registers that an instruction writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Written {
    /// Scalar registers, one bit each.
    pub scalars: u128,
    /// First vector register.
    pub first_vector: VectorNumber,
    /// Number of vector registers.
    pub vectors: u8,
    /// A second, disjoint vector register (V_SWAP_B32).
    pub swapped: Option<VectorNumber>,
    pub scc: bool,
}

impl Written {
    pub(crate) fn vector_registers(self) -> impl Iterator<Item = VectorNumber> + Clone {
        (self.first_vector..).take(self.vectors.into()).chain(self.swapped)
    }
}

/// The operands of an instruction. A read of a register that is always 0 (NULL) is that constant, and a write to it goes
/// nowhere.
pub(crate) fn operands(decoded: &Decoded) -> Vec<DecodedOperand> {
    placed(decoded.operands(), decoded.generation)
}

/// Likewise for operands as they were decoded.
pub(crate) fn placed(mut operands: Vec<DecodedOperand>, generation: Generation) -> Vec<DecodedOperand> {
    for operand in &mut operands {
        let Location::Sgpr(code) = operand.location else { continue };
        operand.location = match generation.operand_codes.null == Some(code) {
            true if operand.operand.is_written() => Location::Sgpr(NOWHERE),
            true => Location::Constant(InlineConstant::Integer(0)),
            false => Location::Sgpr(scalar_place(code, generation)),
        };
    }
    operands
}

/// Where the scalar register of a code is kept: M0 has not the same code in all generations.
pub(crate) fn scalar_place(code: u8, generation: Generation) -> u8 {
    if code == generation.operand_codes.m0 { M0 } else { code }
}

/// All registers that an instruction writes.
pub(crate) fn written(operands: &[DecodedOperand], operation: Operation, encoding: Encoding) -> Written {
    let mut written = Written::default();
    for operand in operands.iter().filter(|operand| operand.operand.is_written()) {
        let count = operand.registers;
        match operand.location {
            Location::Sgpr(code) => written.scalars |= scalar_mask(code..code.saturating_add(count)),
            Location::Scc => written.scc = true,
            location => match vector_number(location) {
                Some(register) if written.vectors == 0 => {
                    written.first_vector = register;
                    written.vectors = count;
                }
                Some(register) => written.swapped = Some(register),
                None => {}
            },
        }
    }
    let execs = scalar_mask(EXEC..EXEC + 2);
    match operation {
        Operation::SaveExec(_)
        | Operation::WriteExec(_)
        | Operation::CompareToExec
        | Operation::SubvectorLoop { .. } => written.scalars |= execs,
        Operation::SetGprIndex | Operation::SetGprIndexMode => {
            written.scalars |= scalar_mask(M0..M0 + 1);
        }
        _ => {}
    }
    // Which scalar instructions leave SCC alone is of no use here: to clobber it too often is safe, to keep it is not.
    written.scc |= match operation {
        Operation::Clobber | Operation::SaveExec(_) | Operation::WriteExec(_) | Operation::Scalar64(_) => true,
        Operation::Scalar32 { sets_scc, .. } => sets_scc,
        Operation::ScalarAdd { .. }
        | Operation::ScalarAddConstant
        | Operation::ScalarCompare { .. }
        | Operation::ScalarCompareConstant { .. }
        | Operation::ScalarCompareFloat(_)
        | Operation::BarrierSignal { tells_first: true } => true,
        _ => false,
    } && matches!(encoding, Encoding::Sop1 | Encoding::Sop2 | Encoding::Sopk | Encoding::Sopc);
    written
}

/// All registers that an instruction reads, EXEC of a vector instruction and SCC of a scalar one included; the function of a scalar instruction
/// (`Operation::Scalar`) says itself whether it reads SCC.
pub(crate) fn reads(operands: &[DecodedOperand], instruction: &Instruction, operation: Operation) -> Reads {
    let mut reads = Reads::default();
    for operand in operands.iter().filter(|operand| operand.operand.is_read()) {
        match operand.location {
            Location::Sgpr(code) => reads.scalars |= scalar_mask(code..code.saturating_add(operand.registers)),
            Location::Scc => reads.scc = true,
            location => {
                if let Some(register) = vector_number(location) {
                    reads.add_vectors(register, operand.registers);
                }
            }
        }
    }
    let is_scalar = Unit::of(instruction) == Unit::Scalar;
    let mut vcc = instruction.is(InstructionClass::DivFmas);
    let mut exec = !is_scalar && Unit::of(instruction) != Unit::Internal;
    match operation {
        Operation::ConditionalBranch(condition) => {
            (vcc, exec) = (matches!(condition, Condition::Vccz(_)), matches!(condition, Condition::Execz(_)));
            reads.scc |= matches!(condition, Condition::Scc(_));
        }
        Operation::Branch => exec = false,
        _ => {}
    }
    reads.add_masks(vcc, exec);
    reads.scc |= matches!(operation, Operation::ScalarAdd { carry_in: true, .. });
    reads
}

/// How often the scalar register is read that is read most often.
pub(crate) fn scalar_reads(operands: &[DecodedOperand]) -> u8 {
    let first = |operand: &DecodedOperand| match operand.location {
        Location::Sgpr(code) if operand.operand.is_read() => Some(code),
        _ => None,
    };
    let codes: Vec<u8> = operands.iter().filter_map(first).collect();
    let count = |code: &u8| codes.iter().filter(|other| *other == code).count() as u8;
    codes.iter().map(count).max().unwrap_or(0)
}

/// The bits of scalar registers.
pub(crate) fn scalar_mask(codes: Range<u8>) -> u128 {
    codes.filter(|code| *code < 128).fold(0, |mask, code| mask | 1 << code)
}

/// Where the first result goes.
pub(crate) fn destination(operands: &[DecodedOperand]) -> Destination {
    let mut written = operands.iter().filter(|operand| operand.operand.is_written());
    let location = written.next().map(|operand| operand.location);
    match location {
        Some(Location::Sgpr(code)) => Destination::Scalar(code),
        _ => location.and_then(vector_number).map_or(Destination::None, Destination::Vector),
    }
}

/// Which of the sources have 64 bits, one bit each.
pub(crate) fn wide(operands: &[DecodedOperand]) -> u8 {
    let read = operands.iter().filter(|operand| operand.operand.is_read());
    read.zip(0..).fold(0, |wide, (operand, i)| wide | u8::from(operand.operand.bits > 32) << i)
}

/// Likewise for a scalar instruction that reads parts of 32 bits: constants are of half precision where it reads low halves (AMD "RDNA4 ISA", section
/// 6.2), and what the high half of one is no source says.
pub(crate) fn sources_of_part(operands: &[DecodedOperand], generation: Generation, part: u32) -> [Source; 3] {
    let mut sources = sources(operands, generation);
    let read = operands.iter().filter(|operand| operand.operand.is_read());
    for (source, operand) in sources.iter_mut().zip(read) {
        match (operand.location, part) {
            (Location::Constant(constant), 0xffff) => *source = Source::Constant(constant.bits16().into()),
            (Location::Constant(_), 0xffff_0000) => *source = Source::Unknown,
            _ => {}
        }
    }
    sources
}

/// The first three sources in the order of the text.
fn sources(operands: &[DecodedOperand], generation: Generation) -> [Source; 3] {
    let mut sources = [Source::None; 3];
    let is_read = |operand: &&DecodedOperand| operand.operand.is_read();
    // A destination that is only kept is not among the three sources.
    let has_room = operands.iter().filter(is_read).count() <= sources.len();
    let read = operands.iter().filter(is_read).filter(|operand| has_room || !operand.operand.is_written());
    for (slot, operand) in sources.iter_mut().zip(read) {
        *slot = match (operand.location, &generation.flat) {
            // The base is in the high dword; no source says the result of a read of 32 bits.
            (Location::Aperture(Aperture::SharedBase), Some(flat)) if operand.operand.bits > 32 => {
                Source::Constant(flat.shared_aperture)
            }
            (Location::Aperture(Aperture::PrivateBase), Some(flat)) if operand.operand.bits > 32 => {
                Source::Constant(flat.private_aperture)
            }
            (location, _) => source(location, operand.operand.bits),
        };
    }
    sources
}
