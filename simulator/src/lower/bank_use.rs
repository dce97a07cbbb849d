//! The banks of vector registers that an instruction reads.

use crate::state::vector_number::{VectorNumber, vector_number};
use gcn_model::decode::{Decoded, DecodedOperand};

/// Sources of an instruction, and those of two in one (VOPD).
const SOURCES: usize = 3;
const MOST_READS: usize = 2 * SOURCES;

/// Consecutive vector registers: the first one and their number.
pub(crate) type Registers = (VectorNumber, u8);

/// An operand in vector registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct BankRead {
    pub(crate) registers: Registers,
    /// It is not one of the first two sources: it is read later, and not from a cache.
    pub(crate) is_third: bool,
}

/// What a vector instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct BankUse {
    reads: [BankRead; MOST_READS],
    read: u8,
    /// Reads of each register, a cycle apart.
    pub(crate) passes: u8,
}

impl BankUse {
    /// That of an instruction with these operands and passes.
    pub(crate) fn of(decoded: &Decoded, operands: &[DecodedOperand], passes: u8) -> Self {
        let mut of_this = Self { passes, ..Self::default() };
        match decoded.halves() {
            None => of_this.add(operands),
            Some(halves) => halves.iter().for_each(|half| of_this.add(&half.operands)),
        }
        of_this
    }

    /// Adds the operands of an instruction, or of half of one.
    fn add(&mut self, operands: &[DecodedOperand]) {
        let registers = |operand: &DecodedOperand| Some((vector_number(operand.location)?, operand.registers));
        let (written, sources): (Vec<&DecodedOperand>, Vec<&DecodedOperand>) =
            operands.iter().partition(|operand| operand.operand.is_written());
        // A destination that is only kept is not read: an instruction has at most three sources.
        let has_room = sources.len() < SOURCES;
        let adds_to = |operand: &&DecodedOperand| has_room && operand.operand.is_read();
        let accumulators = written.into_iter().filter(adds_to).map(|operand| (SOURCES - 1, operand));
        let read = sources.into_iter().enumerate().chain(accumulators);
        for (place, operand) in read {
            let Some(registers) = registers(operand) else { continue };
            if let Some(free) = self.reads.get_mut(usize::from(self.read)) {
                *free = BankRead { registers, is_third: place >= SOURCES - 1 };
                self.read += 1;
            }
        }
    }

    /// Its operands in vector registers.
    pub(crate) fn reads(&self) -> &[BankRead] {
        &self.reads[..usize::from(self.read)]
    }
}
