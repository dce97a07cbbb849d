//! Whether a program does nothing with what clocks show but store it: then its course is the same at any time.
//!
//! From the start of the program on, each step is given the registers that may hold a reading. A step that reads one must copy it or store it as
//! it is, or compare it before SCC is written again. Whatever memory holds may be a reading, but for the kernel arguments; the LDS holds none.

use std::collections::BTreeMap;

use crate::lower::access::Access;
use crate::lower::micro_op::MicroOp;
use crate::lower::observed::hides_what_it_reads;
use crate::lower::operation::Operation;
use crate::lower::register_set::RegisterSet;
use crate::lower::tables::Tables;
use crate::state::operand::Source;
use crate::state::scoreboard::Reads;
use crate::state::vector_number::VectorNumber;

/// The scalar registers that have other numbers than SGPRs, and FLAT_SCRATCH: some (M0, EXEC) are read without being named, and none of them
/// may hold a reading.
const SPECIAL: u128 = u128::MAX << 102;

/// Whether the steps, which are all of a program, only store what clocks show. The kernel arguments are at the address in s[0:1].
pub(crate) fn only_stores_readings(steps: &[MicroOp], tables: &Tables) -> bool {
    let is_argument_pair_kept = steps.iter().all(|step| step.written.scalars & 3 == 0);
    if !is_argument_pair_kept || steps.iter().any(|step| hides_what_it_reads(step.operation)) {
        return false;
    }
    let mut at_targets: BTreeMap<u32, Held> = BTreeMap::new();
    loop {
        let (mut held, mut has_grown) = (Held::default(), false);
        for (index, step) in (0..).zip(steps) {
            if let Some(there) = at_targets.get(&index) {
                held.join(*there);
            }
            if !held.follow(step, tables) {
                return false;
            }
            if step.target != u32::MAX {
                has_grown |= at_targets.entry(step.target).or_default().join(held);
            }
            if matches!(step.operation, Operation::EndProgram | Operation::Branch) {
                held = Held::default();
            }
        }
        if !has_grown {
            return true;
        }
    }
}

/// The registers that may hold a reading, and whether SCC may hold what a comparison of one gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Held {
    registers: RegisterSet,
    scc: bool,
}

impl Held {
    /// Adds those of another path; whether there are more now.
    fn join(&mut self, other: Self) -> bool {
        let before = *self;
        self.registers.join(other.registers);
        self.scc |= other.scc;
        *self != before
    }

    /// Those after a step; false if it does more with a reading than to copy or store it.
    fn follow(&mut self, step: &MicroOp, tables: &Tables) -> bool {
        if matches!(step.operation, Operation::Unobserved | Operation::Nothing | Operation::Leave) {
            return true;
        }
        let reads = &tables.reads[step.reads as usize];
        let reads_none = !self.has_any(reads);
        match step.operation {
            Operation::MemoryTime | Operation::MemoryRealTime | Operation::CounterRegister { .. } => self.add(step),
            Operation::MessageWithAnswer => reads_none && self.add(step),
            // It reads the other lanes of its destination, and keeps them.
            Operation::WriteLane => {
                let (value, lane) = step.value_and_lane();
                !self.has_scalar(lane) && (!self.has_scalar(value) || self.add(step))
            }
            Operation::ReadFirstLane | Operation::ReadLane if self.copies_vector(reads) => self.add(step),
            Operation::ScalarCompare { .. } | Operation::ScalarCompareConstant { .. } => {
                self.scc = !reads_none;
                true
            }
            Operation::Access => self.follow_access(step, &tables.accesses[step.access as usize], reads),
            _ => reads_none && self.overwrite(step),
        }
    }

    /// What the step writes may hold a reading. Registers that are read without being named may not.
    fn add(&mut self, step: &MicroOp) -> bool {
        self.registers.scalars |= step.written.scalars;
        self.registers.add_vectors(step.written.vector_registers());
        self.registers.scalars & SPECIAL == 0
    }

    /// What the step writes holds no reading. Vector registers keep the lanes that EXEC disables.
    fn overwrite(&mut self, step: &MicroOp) -> bool {
        self.registers.scalars &= !step.written.scalars;
        self.scc &= !step.written.scc;
        true
    }

    /// Whether it is the read vector register alone that may hold a reading.
    fn copies_vector(&self, reads: &Reads) -> bool {
        !self.has_scalars(reads) && reads.tuples().any(|tuple| self.has_vector(tuple))
    }

    /// Memory may hold readings, and keeps them if it moves whole dwords.
    fn follow_access(&mut self, step: &MicroOp, access: &Access, reads: &Reads) -> bool {
        if self.has_scalars(reads) {
            return false;
        }
        match access {
            Access::Local(_) => !self.has_any(reads) && self.overwrite(step),
            Access::Scalar(access) if access.is_load_from_first_pair() => self.overwrite(step),
            Access::Scalar(access) => access.moves_dwords() && self.add(step),
            Access::Buffer(_) | Access::Flat(_) => {
                let Some(moved) = access.moved_dwords(&step.written) else { return false };
                let (data, addresses): (Vec<_>, Vec<_>) = reads.tuples().partition(|tuple| *tuple == moved);
                data.len() <= 1 && !addresses.iter().any(|tuple| self.has_vector(*tuple)) && self.add(step)
            }
        }
    }

    fn has_any(&self, reads: &Reads) -> bool {
        self.has_scalars(reads) || self.scc && reads.scc || reads.tuples().any(|tuple| self.has_vector(tuple))
    }

    fn has_scalars(&self, reads: &Reads) -> bool {
        self.registers.scalars & reads.scalars != 0
    }

    fn has_scalar(&self, source: Source) -> bool {
        matches!(source, Source::Scalar(code) if self.registers.scalars >> code & 1 == 1)
    }

    fn has_vector(&self, (first, count): (VectorNumber, u8)) -> bool {
        self.registers.has_any_vector((first..).take(count.into()))
    }
}
