//! When the registers of a wave hold the results that are under way: the scoreboard of an issue model that lets a wave go on.

use crate::state::scalar_registers::{EXEC, VCC};
use crate::state::vector_number::{FIRST_AGPR, VectorNumber};

/// The most vector operands that an instruction reads: three of each of two in one (VOPD).
const MOST_VECTORS: usize = 6;

/// Registers that an instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Reads {
    /// Scalar registers, one bit each.
    pub scalars: u128,
    /// First vector register and number of each vector operand.
    pub vectors: [(VectorNumber, u8); MOST_VECTORS],
    pub scc: bool,
}

impl Reads {
    /// One more vector operand; a seventh would not fit, and none exists.
    pub(crate) fn add_vectors(&mut self, first: VectorNumber, count: u8) {
        if let Some(free) = self.vectors.iter_mut().find(|(_, count)| *count == 0) {
            *free = (first, count);
        }
    }

    /// Those that there are: they come first.
    pub(crate) fn tuples(&self) -> impl Iterator<Item = (VectorNumber, u8)> {
        self.vectors.into_iter().take_while(|(_, count)| *count > 0)
    }

    /// Whether one of the vector registers is this one.
    pub(crate) fn has_vector(&self, register: VectorNumber) -> bool {
        self.tuples().any(|(first, count)| (first..first + VectorNumber::from(count)).contains(&register))
    }

    /// Registers that an instruction reads without naming them: VCC and EXEC, as pairs.
    pub(crate) fn add_masks(&mut self, vcc: bool, exec: bool) {
        self.scalars |= if vcc { 3 << VCC } else { 0 } | if exec { 3 << EXEC } else { 0 };
    }
}

/// The cycles of a tuple of registers, as far as they are allocated.
fn part(vectors: &[u64], (first, count): (VectorNumber, u8)) -> &[u64] {
    let rest = vectors.get(usize::from(first)..).unwrap_or_default();
    &rest[..rest.len().min(count.into())]
}

/// First cycle at which each register can be read.
#[derive(Debug, Clone)]
pub(crate) struct Scoreboard {
    scalars: [u64; 128],
    /// Likewise for vector instructions, which have masks of vector instructions earlier.
    masks: [u64; 128],
    /// Likewise for all but scalar ALU and vector instructions, which have results of the scalar ALU later.
    others: [u64; 128],
    /// When the scalar ALU's result is in the register itself; before, it is forwarded to waiting instructions.
    kept: [u64; 128],
    vectors: Vec<u64>,
    /// When memory instructions have read the vector registers that they name.
    read: Vec<u64>,
    scc: u64,
    scc_for_others: u64,
}

impl Scoreboard {
    /// All of them at once.
    pub(crate) fn new(vgprs: u32, agprs: u32) -> Self {
        let end = if agprs > 0 { u32::from(FIRST_AGPR) + agprs } else { vgprs };
        let [scalars, masks, others, kept] = [[0; 128]; 4];
        Self {
            scalars,
            masks,
            others,
            kept,
            vectors: vec![0; end as usize],
            read: vec![0; end as usize],
            scc: 0,
            scc_for_others: 0,
        }
    }

    /// First cycle at which all of them can be read.
    pub(crate) fn ready(&self, reads: &Reads) -> u64 {
        self.ready_in(reads, &self.others, self.scc_for_others)
    }

    /// First cycle at which a scalar ALU instruction can read all of them.
    pub(crate) fn ready_for_scalars(&self, reads: &Reads) -> u64 {
        self.ready_in(reads, &self.scalars, self.scc)
    }

    /// First cycle at which a vector instruction can read all of them.
    pub(crate) fn ready_for_vectors(&self, reads: &Reads) -> u64 {
        self.ready_in(reads, &self.masks, self.scc_for_others)
    }

    fn ready_in(&self, reads: &Reads, of_scalars: &[u64; 128], scc: u64) -> u64 {
        let mut ready = if reads.scc { scc } else { 0 };
        let mut scalars = reads.scalars;
        while scalars != 0 {
            ready = ready.max(of_scalars[scalars.trailing_zeros() as usize]);
            scalars &= scalars - 1;
        }
        reads
            .tuples()
            .fold(ready, |ready, tuple| part(&self.vectors, tuple).iter().fold(ready, |all, one| all.max(*one)))
    }

    /// First cycle at which all of the scalar registers can be read by a vector instruction.
    pub(crate) fn scalars_ready_for_vectors(&self, reads: &Reads) -> u64 {
        self.ready_in(
            &Reads { scalars: reads.scalars, scc: reads.scc, ..Reads::default() },
            &self.masks,
            self.scc_for_others,
        )
    }

    /// A memory instruction reads its vector registers until `at`.
    pub(crate) fn read_until(&mut self, reads: &Reads, at: u64) {
        for (first, count) in reads.tuples() {
            self.read.iter_mut().skip(first.into()).take(count.into()).for_each(|read| *read = at.max(*read));
        }
    }

    /// First cycle at which these vector registers can be overwritten.
    pub(crate) fn overwritable(&self, vectors: impl IntoIterator<Item = VectorNumber>) -> u64 {
        let read = vectors.into_iter().filter_map(|register| self.read.get(usize::from(register)));
        read.copied().max().unwrap_or(0)
    }

    /// First cycle at which all of these vector registers have their pending values.
    pub(crate) fn vectors_ready(&self, vectors: impl IntoIterator<Item = VectorNumber>) -> u64 {
        let ready = vectors.into_iter().filter_map(|register| self.vectors.get(usize::from(register)));
        ready.copied().max().unwrap_or(0)
    }

    /// First cycle at which all of them can be read as addresses: written vector registers are ready this much later.
    pub(crate) fn addresses_ready(&self, reads: &Reads, delay: u64) -> u64 {
        let vectors = reads.tuples().flat_map(|tuple| part(&self.vectors, tuple)).filter(|&&vector| vector > 0);
        vectors.fold(self.ready(reads), |ready, &vector| ready.max(vector + delay))
    }

    /// Masks of a vector instruction are forwarded to vector instructions from one cycle on, those in VCC and EXEC; others than vector
    /// instructions have them all from another cycle on.
    pub(crate) fn write_masks(&mut self, mut scalars: u128, forwarded: u64, for_others: u64) {
        while scalars != 0 {
            let register = scalars.trailing_zeros() as usize;
            if register >= usize::from(VCC) {
                self.masks[register] = forwarded;
            }
            (self.scalars[register], self.others[register]) = (for_others, for_others);
            scalars &= scalars - 1;
        }
    }

    /// First cycle at which a scalar ALU instruction that is issued at `cycle` can read its registers: those of which the result was there
    /// before it was issued it can read once they are written.
    pub(crate) fn kept(&self, reads: &Reads, cycle: u64) -> u64 {
        let (mut scalars, mut kept) = (reads.scalars, 0);
        while scalars != 0 {
            let register = scalars.trailing_zeros() as usize;
            if self.scalars[register] <= cycle {
                kept = kept.max(self.kept[register]);
            }
            scalars &= scalars - 1;
        }
        kept
    }

    /// Results of a scalar ALU instruction are there from cycle `at` on for others than such, and in the register from `kept` on.
    pub(crate) fn delay(&mut self, mut scalars: u128, scc: bool, at: u64, kept: u64) {
        while scalars != 0 {
            let register = scalars.trailing_zeros() as usize;
            (self.masks[register], self.others[register], self.kept[register]) = (at, at, kept);
            scalars &= scalars - 1;
        }
        if scc {
            self.scc_for_others = at;
        }
    }

    /// A result is there from cycle `at` on.
    pub(crate) fn write(
        &mut self,
        mut scalars: u128,
        vectors: impl IntoIterator<Item = VectorNumber>,
        scc: bool,
        at: u64,
    ) {
        while scalars != 0 {
            self.scalars[scalars.trailing_zeros() as usize] = at;
            self.masks[scalars.trailing_zeros() as usize] = at;
            self.others[scalars.trailing_zeros() as usize] = at;
            scalars &= scalars - 1;
        }
        for register in vectors {
            if let Some(ready) = self.vectors.get_mut(usize::from(register)) {
                *ready = at;
            }
        }
        if scc {
            (self.scc, self.scc_for_others) = (at, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_read_registers_are_waited_for() {
        let mut board = Scoreboard::new(8, 0);
        board.write(1 << 3, [2, 3], false, 105);
        board.write(0, [], true, 102);
        let mut reads = Reads::default();
        assert_eq!(board.ready(&reads), 0);
        reads.add_vectors(4, 2);
        assert_eq!(board.ready(&reads), 0);
        reads.scc = true;
        assert_eq!(board.ready(&reads), 102);
        reads.add_vectors(3, 1);
        assert_eq!(board.ready(&reads), 105);
        assert_eq!(board.ready(&Reads { scalars: 1 << 3, ..Reads::default() }), 105);
        board.write(0, [3], false, 110);
        assert_eq!(board.ready(&reads), 110);
    }

    #[test]
    fn vcc_is_forwarded_and_other_masks_are_not() {
        let mut board = Scoreboard::new(8, 0);
        let masks = 1 << VCC | 1 << 3;
        board.write(masks, [], false, 105);
        board.write_masks(masks, 101, 116);
        let reads = |register: u8| Reads { scalars: 1 << register, ..Reads::default() };
        assert_eq!([VCC, 3].map(|register| board.ready_for_vectors(&reads(register))), [101, 105]);
        assert_eq!([VCC, 3].map(|register| board.ready(&reads(register))), [116; 2]);
    }
}
