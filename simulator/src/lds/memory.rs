//! The LDS of a work-group: its content, and the conflicts in its banks.
//!
//! Source: the CLRX table ("The LDS memory is partitioned in 32 banks"), ROCm Compute Profiler documentation
//! (facts §3.2): each bank gives one dword in a cycle; lanes that want the same dword share it.

use crate::error::Problem;
use crate::lds::counted::{CountedLanes, Wanted, WantedLanes};
use crate::memory::reach::Words;
use crate::memory::word::Word;
use crate::state::registers::LANES;
use crate::state::row::Row;

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
    /// Banks of the array.
    pub banks: u32,
    /// Cycles of a pass without conflicts.
    pub pass_cycles: u32,
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
                let cycles = self.conflict_cycles(&by_lane, wanted.banks, wanted.pass_cycles);
                self.counted = Some((key, cycles));
                cycles
            }
        }
    }

    /// [`LdsMemory::conflict_cycles`] of lanes that all want their second tuple, if there are two, as far from the first.
    pub(crate) fn lane_conflict_cycles(&mut self, wanted: &Wanted<'_>, banks: u32, pass_cycles: u32) -> u32 {
        let key = WantedLanes::of(wanted, banks, pass_cycles);
        if let Some(cycles) = self.counted_lanes.find(&key) {
            return cycles;
        }
        let cycles = self.conflict_cycles(wanted, banks, pass_cycles);
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
        let (banks, pass_cycles) = key.array();
        let cycles = self.conflict_cycles(&key.wanted(&tuples()), banks, pass_cycles);
        self.counted_lanes.keep(key, cycles);
        cycles
    }

    /// Its dwords from the one of this number on.
    pub(super) fn words_from(&mut self, dword: u64) -> Option<&mut [Word]> {
        self.words.get_mut(usize::try_from(dword).ok()?..)
    }

    /// Cycles that bank conflicts add. A pass serves as many lanes as there are banks and takes as many cycles as the most
    /// distinct dwords that it wants from one bank; `pass_cycles` of them are in the instruction's time already.
    pub(crate) fn conflict_cycles(&mut self, wanted: &Wanted<'_>, banks: u32, pass_cycles: u32) -> u32 {
        let banks = (banks as usize).clamp(1, MOST_BANKS);
        let mut conflicts = 0;
        for first in (0..LANES).step_by(banks) {
            self.pass = self.pass.wrapping_add(1);
            let mut of_bank = [0_u32; MOST_BANKS];
            let mut most = 0;
            for (addresses, lanes) in wanted.tuples.iter().zip(wanted.lanes) {
                let last = (first + banks).min(LANES);
                for (lane, address) in addresses.iter().enumerate().take(last).skip(first) {
                    if lanes >> lane & 1 == 0 {
                        continue;
                    }
                    let dword = (*address / 4) as usize;
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
            conflicts += most.saturating_sub(pass_cycles);
        }
        conflicts
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
        let tuples = [std::array::from_fn(|lane| address(lane as u64))];
        let wanted = Wanted { tuples: &tuples, lanes: &[u64::MAX], dwords };
        LdsMemory::new(1 << 16).conflict_cycles(&wanted, banks, dwords)
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
