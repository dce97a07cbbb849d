//! The banks of vector registers of a SIMD, and the vector instructions under way that read them.

use crate::lower::bank_use::{BankUse, Registers};
use crate::state::bank_caches::{BankCaches, MOST_BANKS};
use crate::state::vector_number::VectorNumber;
use gcn_model::gpu::Pipelines;

/// The most instructions under way that a GPU file may have.
const MOST_UNDER_WAY: usize = 32;
/// How far ahead a bank is reserved, cycles: farther than instructions under way reach.
const AHEAD: u32 = u64::BITS - 1;

/// When each bank is read, and when the instructions end that came last.
///
/// AMD's "RDNA3 ISA", VOPD: each of four banks has a cache. LLVM's `GCNRegBankReassign.cpp`: each is read once a cycle, ahead of the
/// execution if possible. How many instructions are under way is from thread traces (docs/silicon.md).
#[derive(Debug)]
pub(super) struct RegisterBanks {
    /// How many there are; 0: no instruction waits for one.
    count: u16,
    /// Whether each is read in the cycle of the bit, from that of the last instruction on.
    busy: [u64; MOST_BANKS],
    since: u64,
    third_cycles: u32,
    places: usize,
    cycles: u64,
    /// The last cycle of those that came last: a ring. They end in order.
    ends: [u64; MOST_UNDER_WAY],
    entered: usize,
}

impl RegisterBanks {
    /// Idle ones; a SIMD without pipelines has none.
    pub(super) fn new(pipelines: Option<&Pipelines>) -> Self {
        let of = |value: fn(&Pipelines) -> u32| pipelines.map_or(0, value);
        Self {
            count: of(|of| of.register_banks) as u16,
            busy: [0; MOST_BANKS],
            since: 0,
            third_cycles: of(|of| of.bank_third_cycles),
            places: of(|of| of.vectors_under_way) as usize,
            cycles: u64::from(of(|of| of.vector_under_way_cycles)),
            ends: [0; MOST_UNDER_WAY],
            entered: 0,
        }
    }

    /// First cycle at which there is a place for one more vector instruction.
    pub(super) fn ready(&self) -> u64 {
        match self.count {
            0 => 0,
            _ => self.entered.checked_sub(self.places).map_or(0, |ended| self.ends[ended % MOST_UNDER_WAY] + 1),
        }
    }

    /// A wave with these caches issues a vector instruction at `cycle` that writes these registers.
    pub(super) fn enter(
        &mut self,
        caches: &mut BankCaches,
        cycle: u64,
        of: &BankUse,
        written: impl IntoIterator<Item = VectorNumber>,
    ) {
        let passed = u32::try_from(cycle - self.since).unwrap_or(u32::MAX);
        self.busy.iter_mut().for_each(|busy| *busy = busy.checked_shr(passed).unwrap_or(0));
        self.since = cycle;
        let mut delay = 0;
        for read in of.reads() {
            for register in registers(read.registers).filter(|register| read.is_third || !caches.has(*register)) {
                let bank = usize::from(register % self.count);
                let cycles = if read.is_third { self.third_cycles } else { 0 };
                delay = delay.max(self.read(bank, cycles, of.passes.into()));
            }
        }
        written.into_iter().for_each(|register| caches.forget(register));
        let before = self.entered.checked_sub(1).map_or(0, |last| self.ends[last % MOST_UNDER_WAY] + 1);
        self.ends[self.entered % MOST_UNDER_WAY] = before.max(cycle + u64::from(delay) + self.cycles);
        self.entered += 1;
    }

    /// Reads a bank so many cycles later, and for each further pass one cycle after that: by how much the last read is late.
    fn read(&mut self, bank: usize, cycles: u32, passes: u32) -> u32 {
        let busy = &mut self.busy[bank];
        (cycles..cycles + passes).fold(0, |_, wanted| {
            let free = (wanted + (!*busy >> wanted).trailing_zeros()).min(AHEAD);
            *busy |= 1 << free;
            free.saturating_sub(wanted)
        })
    }
}

fn registers((first, count): Registers) -> impl Iterator<Item = VectorNumber> {
    first..first + VectorNumber::from(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::registers::operands;
    use gcn_model::decode::decode;
    use gcn_model::gpu::Gpu;

    /// The gaps between V_FMAC_F32 of these results and sources on an RX 7900 XTX, if nothing but their registers delays them.
    fn gaps(of: impl IntoIterator<Item = [u32; 3]>) -> Vec<u64> {
        let gpu = Gpu::named("rx7900xtx").unwrap();
        let pipelines = gpu.pipelines.as_ref().unwrap();
        let (mut banks, mut caches) = (RegisterBanks::new(Some(pipelines)), BankCaches::new(pipelines));
        let mut cycle = 100;
        let issue = |[result, src0, src1]: [u32; 3]| {
            let words = [0x5600_0000 | result << 17 | src1 << 9 | 0x100 | src0];
            let decoded = decode(gpu.processor(), &words, 0).unwrap();
            cycle = (cycle + 1).max(banks.ready());
            banks.enter(&mut caches, cycle, &BankUse::of(&decoded, &operands(&decoded), 1), [result as VectorNumber]);
            cycle
        };
        let issues: Vec<u64> = of.into_iter().map(issue).collect();
        issues.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    #[test]
    fn registers_of_different_banks_are_read_in_one_cycle() {
        assert_eq!(gaps((0..32).map(|n| [4 * n, 4 * n + 1, 4 * n + 2])), [1; 31]);
    }

    #[test]
    fn registers_of_one_bank_are_read_one_after_another() {
        let gaps = gaps((0..20).map(|n| [12 * n, 12 * n + 4, 12 * n + 8]));
        assert_eq!(gaps[..3], [1; 3], "several are under way");
        assert_eq!(gaps[15..], [3; 4]);
    }

    #[test]
    fn a_register_in_a_cache_is_not_read_again() {
        assert_eq!(gaps((0..32).map(|n| [4 * n + 1, 0, 4])), [1; 31]);
    }
}
