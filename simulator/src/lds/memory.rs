//! The LDS of a work-group: its content, and the conflicts in its banks.
//!
//! Source: the CLRX table ("The LDS memory is partitioned in 32 banks"), ROCm Compute Profiler documentation
//! (facts §3.2): each bank gives one dword in a cycle; lanes that want the same dword share it.

use crate::error::Problem;
use crate::lds::counted::{CountedLanes, Wanted, WantedLanes};
use crate::lds::service::LdsService;
use crate::memory::reach::{Words, active};
use crate::memory::word::Word;
use crate::state::row::Row;
use crate::state::vector_registers::LANES;
use gcn_model::gpu::LdsPasses;

/// The most banks that a GPU file may say.
const MOST_BANKS: usize = 64;

/// A work-group's part of the LDS.
#[derive(Debug, Default)]
pub(crate) struct LdsMemory {
    words: Vec<Word>,
    /// The last pass over the array that wanted each dword.
    wanted: Vec<u32>,
    pass: u32,
    /// The rows whose conflicts were counted last, and the cycles.
    counted: Option<(WantedRows, u32)>,
    counted_lanes: CountedLanes,
}

/// The dwords that all lanes want from the array, at addresses that make one row or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WantedRows {
    /// Addresses.
    pub rows: (Row, Option<Row>),
    pub dwords: u32,
    pub service: LdsService,
}

impl LdsMemory {
    /// `bytes` of unknown content: the LDS is never cleared.
    pub(crate) fn new(bytes: u32) -> Self {
        let dwords = bytes as usize / 4;
        Self { words: vec![Word::unknown(0); dwords], wanted: vec![0; dwords], pass: 0, ..Self::default() }
    }

    /// Size.
    pub(crate) fn bytes(&self) -> u64 {
        self.words.len() as u64 * 4
    }

    /// [`LdsMemory::conflict_cycles`] of rows that are inside of it. Kernels want the same over and over again: that is counted
    /// once.
    pub(crate) fn row_conflict_cycles(&mut self, wanted: WantedRows) -> u32 {
        // By how many dwords the rows are moved together changes which banks they want, but not how often.
        let (first, second) = wanted.rows;
        let moved = |row: Row| Row { first: row.first.wrapping_sub(first.first & !3), ..row };
        let key = WantedRows { rows: (moved(first), second.map(moved)), ..wanted };
        match self.counted {
            Some((counted, cycles)) if counted == key => cycles,
            _ => {
                let tuples = [first.lanes(), second.unwrap_or(first).lanes()];
                let count = if second.is_some() { 2 } else { 1 };
                let lanes = [u64::MAX; 2];
                let by_lane = Wanted { tuples: &tuples[..count], lanes: &lanes[..count], dwords: wanted.dwords };
                let cycles = self.conflict_cycles(&by_lane, wanted.service);
                self.counted = Some((key, cycles));
                cycles
            }
        }
    }

    /// [`LdsMemory::conflict_cycles`] of lanes that all want their second tuple, if there are two, as far from the first.
    pub(crate) fn lane_conflict_cycles(&mut self, wanted: &Wanted<'_>, service: LdsService) -> u32 {
        let key = WantedLanes::of(wanted, service);
        if let Some(cycles) = self.counted_lanes.find(&key) {
            return cycles;
        }
        let cycles = self.conflict_cycles(wanted, service);
        self.counted_lanes.keep(key, cycles);
        cycles
    }

    /// Likewise for lanes that are all inside of it; their addresses are made only where this was not counted yet.
    pub(super) fn inside_conflict_cycles(
        &mut self,
        key: WantedLanes,
        tuples: impl FnOnce() -> [[u64; LANES]; 2],
    ) -> u32 {
        if let Some(cycles) = self.counted_lanes.find(&key) {
            return cycles;
        }
        let cycles = self.conflict_cycles(&key.wanted(&tuples()), key.service());
        self.counted_lanes.keep(key, cycles);
        cycles
    }

    /// Its dwords from the one of this number on.
    pub(super) fn words_from(&mut self, dword: u64) -> Option<&mut [Word]> {
        self.words.get_mut(usize::try_from(dword).ok()?..)
    }

    /// Cycles that bank conflicts add. A pass takes as many cycles as the most distinct dwords that it wants from one bank; what an access
    /// without conflicts takes is in the instruction's time already.
    pub(crate) fn conflict_cycles(&mut self, wanted: &Wanted<'_>, service: LdsService) -> u32 {
        let banks = (service.banks as usize).clamp(1, MOST_BANKS);
        let Some(passes) = service.passes else {
            let neighbours = (0..LANES).step_by(banks).map(|first| u64::MAX >> (LANES - banks) << first);
            let conflicts = neighbours.map(|lanes| self.pass(wanted, lanes, banks).saturating_sub(service.pass_cycles));
            return conflicts.sum();
        };
        let free = (service.pass_cycles * LdsPasses::LANES / banks as u32).max(passes.count());
        let halves = [0, LdsPasses::LANES].into_iter().map(|half| {
            let cycles: u32 = passes.lanes().map(|lanes| self.pass(wanted, u64::from(lanes) << half, banks)).sum();
            cycles.saturating_sub(free)
        });
        halves.sum()
    }

    /// Cycles of a pass that serves these lanes.
    fn pass(&mut self, wanted: &Wanted<'_>, served: u64, banks: usize) -> u32 {
        self.pass = self.pass.wrapping_add(1);
        let mut of_bank = [0_u32; MOST_BANKS];
        let mut most = 0;
        for (addresses, lanes) in wanted.tuples.iter().zip(wanted.lanes) {
            for lane in active(lanes & served) {
                let dword = (addresses[lane] / 4) as usize;
                for dword in dword..dword + wanted.dwords as usize {
                    if let Some(pass) = self.wanted.get_mut(dword)
                        && *pass != self.pass
                    {
                        *pass = self.pass;
                        let count = &mut of_bank[dword % banks];
                        *count += 1;
                        most = most.max(*count);
                    }
                }
            }
        }
        most
    }
}

impl Words for LdsMemory {
    fn word(&mut self, address: u64) -> Result<&mut Word, Problem> {
        let size = self.bytes();
        // Not `ok_or`: to make a problem for each dword, and drop it, costs more than to reach the dword.
        let Some(word) = self.words.get_mut((address / 4) as usize) else {
            return Err(Problem::OutsideLds { address, size });
        };
        Ok(word)
    }

    fn neighbours(&mut self, _address: u64) -> Option<(u64, &mut [Word])> {
        Some((0, &mut self.words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflicts(banks: u32, dwords: u32, address: impl Fn(u64) -> u64) -> u32 {
        served(LdsService { banks, pass_cycles: dwords, passes: None }, address)
    }

    fn served(service: LdsService, address: impl Fn(u64) -> u64) -> u32 {
        let tuples = [std::array::from_fn(|lane| address(lane as u64))];
        let wanted = Wanted { tuples: &tuples, lanes: &[u64::MAX], dwords: service.pass_cycles };
        LdsMemory::new(1 << 16).conflict_cycles(&wanted, service)
    }

    /// findings/reports.md, D4: the true phases of MI300X and MI350X.
    #[test]
    fn lanes_of_a_pass_conflict_wherever_they_lie_in_the_wave() {
        let mi300x = LdsService { banks: 32, pass_cycles: 4, passes: "01231032".parse().ok() };
        // The column of 16 bytes that all lanes of a pass read.
        let pass = |lane: u64| [0, 1, 2, 3, 1, 0, 3, 2][lane as usize % 32 / 4];
        for (what, expected, cycles) in [
            ("one after the other", 0, served(mi300x, |lane| 16 * lane)),
            ("one column for a pass", 56, served(mi300x, |lane| 128 * lane + 16 * pass(lane))),
            ("one column for eight neighbours", 24, served(mi300x, |lane| 128 * lane + 16 * (lane % 32 / 8))),
            ("one column for all", 56, served(mi300x, |lane| 128 * lane)),
        ] {
            assert_eq!(cycles, expected, "{what}");
        }
        let mi350x = LdsService { banks: 64, pass_cycles: 4, passes: "01101001".parse().ok() };
        let pass = |lane: u64| [0, 1, 1, 0, 1, 0, 0, 1][lane as usize % 32 / 4];
        assert_eq!(served(mi350x, |lane| 16 * lane), 0);
        assert_eq!(served(mi350x, |lane| 256 * lane + 16 * pass(lane)), 60);
        let stores = LdsService { banks: 64, pass_cycles: 2, passes: "00001111".parse().ok() };
        assert_eq!(served(stores, |lane| 8 * lane), 0, "four passes of 16 lanes are in the time without conflicts");
        assert_eq!(served(stores, |lane| 256 * lane), 60);
    }

    #[test]
    fn conflicts_follow_the_stride() {
        // A stride of n dwords, a power of two, brings n lanes of a pass to the same bank.
        for (stride, ways) in [(1, 1), (2, 2), (4, 4), (8, 8), (16, 16), (32, 32), (33, 1), (3, 1), (6, 2)] {
            assert_eq!(conflicts(32, 1, |lane| lane * 4 * stride), 2 * (ways - 1), "stride {stride}");
        }
        assert_eq!(conflicts(16, 1, |lane| lane * 64), 4 * 15, "16 banks: four passes of 16 lanes");
        assert_eq!(conflicts(16, 1, |lane| lane * 4), 0);
    }

    #[test]
    fn lanes_share_a_dword_and_wide_ones_follow_each_other() {
        assert_eq!(conflicts(32, 1, |_| 128), 0);
        assert_eq!(conflicts(32, 1, |lane| lane % 2 * 128), 2, "two dwords of bank 0 in each pass");
        for dwords in 1..=4 {
            assert_eq!(conflicts(32, dwords, |lane| lane * 4 * u64::from(dwords)), 0, "{dwords}");
        }
        assert_eq!(
            conflicts(32, 2, |lane| lane * 16),
            2 * 2,
            "every second pair of banks: four dwords in a bank, not two"
        );
    }
}
