//! When a wave may use the registers of the matrix instructions that it has under way.
//!
//! The simulator waits wherever an instruction would meet a result too early, or overwrite the accumulators that are still read. The
//! hardware does not wait for is for the hazards of the generation to refuse (facts-cdna-rdna §5.1); code that obeys them never waits here
//! for longer than the hardware would.

use crate::state::vector_number::{VECTOR_REGISTERS, VectorNumber};
use gcn_model::gpu;

/// A tuple of vector registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tuple {
    pub first: VectorNumber,
    pub count: u16,
}

/// An instruction's use of registers, as far as matrix instructions in flight need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MatrixUses {
    /// It is a matrix instruction.
    pub is_matrix: bool,
    /// It is a vector instruction that does not overlap with the matrix unit.
    pub is_apart: bool,
    /// The accumulators that a matrix instruction reads.
    pub accumulator: Tuple,
    /// Whatever else it reads.
    pub read: [Tuple; 4],
    /// Its destination.
    pub written: [Tuple; 2],
}

/// A register that a matrix instruction writes.
#[derive(Debug, Clone, Copy, Default)]
struct Pending {
    /// When the matrix unit is done with it.
    done: u64,
    /// All that the instruction writes.
    result: Tuple,
    /// Until when accumulators are read that it holds.
    read_until: u64,
}

/// The registers of the matrix instructions of a wave.
#[derive(Debug, Clone)]
pub(crate) struct MatrixResults {
    registers: Box<[Pending]>,
    /// From here on nothing waits.
    settled: u64,
    /// When the last matrix instruction of the wave is done.
    done: u64,
    accumulator_cycles: u64,
    operand_cycles: u64,
    reader_cycles: u64,
    apart_cycles: u64,
}

impl Tuple {
    fn registers(self) -> std::ops::Range<usize> {
        usize::from(self.first).min(VECTOR_REGISTERS)
            ..(usize::from(self.first) + usize::from(self.count)).min(VECTOR_REGISTERS)
    }
}

impl MatrixResults {
    /// Nothing is under way.
    pub(crate) fn new(unit: &gpu::MatrixUnit) -> Self {
        Self {
            registers: vec![Pending::default(); VECTOR_REGISTERS].into(),
            settled: 0,
            done: 0,
            accumulator_cycles: unit.accumulator_cycles.into(),
            operand_cycles: unit.operand_cycles.into(),
            reader_cycles: unit.reader_cycles.into(),
            apart_cycles: unit.no_overlap_delay_cycles.into(),
        }
    }

    /// The first cycle from `ready` on at which an instruction may issue.
    pub(crate) fn ready(&self, uses: &MatrixUses, ready: u64) -> u64 {
        if ready >= self.settled {
            return ready;
        }
        let of = |tuple: Tuple| self.registers[tuple.registers()].iter().filter(|pending| pending.done > 0);
        let of_other = if uses.is_matrix { self.operand_cycles } else { self.reader_cycles };
        let mut at = ready;
        for pending in of(uses.accumulator) {
            let is_same = pending.result == uses.accumulator;
            at = at.max(pending.done + if is_same { self.accumulator_cycles } else { self.operand_cycles });
        }
        for pending in uses.read.iter().flat_map(|tuple| of(*tuple)) {
            at = at.max(pending.done + of_other);
        }
        for tuple in uses.written {
            let is_accumulated = uses.is_matrix && tuple == uses.accumulator;
            for pending in of(tuple).filter(|_| !is_accumulated) {
                at = at.max(pending.done + of_other);
            }
            if !uses.is_matrix {
                at = self.registers[tuple.registers()].iter().fold(at, |at, pending| at.max(pending.read_until));
            }
        }
        if uses.is_apart { at.max(self.done + self.apart_cycles) } else { at }
    }

    /// An instruction issues at `cycle`; a matrix instruction is done at `done`.
    pub(crate) fn issue(&mut self, uses: &MatrixUses, cycle: u64, done: u64) {
        if !uses.is_matrix {
            if cycle < self.settled {
                uses.written.iter().for_each(|tuple| self.registers[tuple.registers()].fill(Pending::default()));
            }
            return;
        }
        for pending in &mut self.registers[uses.accumulator.registers()] {
            pending.read_until = done;
        }
        for tuple in uses.written {
            let result = Pending { done, result: tuple, read_until: done };
            self.registers[tuple.registers()].fill(result);
        }
        let longest = self.accumulator_cycles.max(self.operand_cycles).max(self.reader_cycles).max(self.apart_cycles);
        self.done = self.done.max(done);
        self.settled = self.settled.max(done + longest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::vector_number::FIRST_AGPR;

    fn board() -> MatrixResults {
        MatrixResults::new(&gpu::MatrixUnit {
            gap_cycles: 4,
            long_gap_cycles: 4,
            long_gap: Default::default(),
            alone: Default::default(),
            no_overlap: Default::default(),
            no_overlap_delay_cycles: 9,
            accumulator_cycles: 2,
            operand_cycles: 8,
            reader_cycles: 12,
        })
    }

    fn tuple(first: VectorNumber, count: u16) -> Tuple {
        Tuple { first, count }
    }

    fn multiply(d: Tuple, a: Tuple, c: Tuple) -> MatrixUses {
        MatrixUses {
            is_matrix: true,
            accumulator: c,
            read: [a, Tuple::default(), Tuple::default(), Tuple::default()],
            written: [d, Tuple::default()],
            ..MatrixUses::default()
        }
    }

    fn vector(written: Tuple, read: Tuple) -> MatrixUses {
        MatrixUses {
            read: [read, Tuple::default(), Tuple::default(), Tuple::default()],
            written: [written, Tuple::default()],
            ..MatrixUses::default()
        }
    }

    #[test]
    fn each_reader_waits_for_as_long_as_its_kind_does() {
        let mut board = board();
        let d = tuple(8, 4);
        board.issue(&multiply(d, tuple(0, 2), tuple(32, 4)), 100, 116);
        let ready = |uses: &MatrixUses| board.ready(uses, 104);
        assert_eq!(ready(&multiply(d, tuple(0, 2), d)), 118, "the same accumulators");
        assert_eq!(ready(&multiply(tuple(40, 2), tuple(0, 2), tuple(8, 2))), 124, "a part of them");
        assert_eq!(ready(&multiply(tuple(40, 4), tuple(10, 2), tuple(40, 4))), 124, "as A");
        assert_eq!(ready(&multiply(d, tuple(0, 2), tuple(40, 4))), 124, "written again");
        assert_eq!(ready(&vector(tuple(1, 1), tuple(11, 1))), 128);
        assert_eq!(ready(&vector(tuple(9, 1), tuple(1, 1))), 128);
        assert_eq!(ready(&vector(tuple(1, 1), tuple(12, 1))), 104, "a neighbour");
        assert_eq!(ready(&vector(tuple(33, 1), tuple(1, 1))), 116, "accumulators that are still read");
        assert_eq!(ready(&vector(tuple(0, 1), tuple(33, 1))), 104, "A has been read");
        assert_eq!(ready(&MatrixUses { is_apart: true, ..vector(tuple(1, 1), tuple(1, 1)) }), 125);
    }

    #[test]
    fn accumulation_registers_are_others_than_vgprs() {
        let mut board = board();
        board.issue(&multiply(tuple(FIRST_AGPR, 4), tuple(0, 2), tuple(FIRST_AGPR, 4)), 100, 132);
        assert_eq!(board.ready(&vector(tuple(0, 4), tuple(0, 4)), 104), 104);
        assert_eq!(board.ready(&vector(tuple(0, 1), tuple(FIRST_AGPR + 3, 1)), 104), 144);
    }

    #[test]
    fn later_vector_writes_end_the_wait() {
        let mut board = board();
        let d = tuple(8, 4);
        board.issue(&multiply(d, tuple(0, 2), d), 100, 116);
        board.issue(&multiply(tuple(40, 4), tuple(0, 2), tuple(40, 4)), 116, 180);
        board.issue(&vector(tuple(8, 1), tuple(1, 1)), 128, 132);
        assert_eq!(board.ready(&vector(tuple(2, 1), tuple(8, 1)), 120), 120);
        assert_eq!(board.ready(&vector(tuple(2, 1), tuple(9, 1)), 120), 128);
    }
}
