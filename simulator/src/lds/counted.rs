//! The bank conflicts that were counted last: kernels want the same over and over again.

use crate::lds::service::LdsService;
use crate::state::vector_registers::LANES;

/// Accesses that are remembered: those of a loop over some arrays.
const KEPT: usize = 8;

/// The dwords that each lane wants from the array: tuples of `dwords`, at the addresses of all lanes.
pub(crate) struct Wanted<'a> {
    /// Addresses, one row for each tuple.
    pub tuples: &'a [[u64; LANES]],
    /// Lanes that are active and inside the limits, for each tuple.
    pub lanes: &'a [u64],
    /// Dwords of a tuple.
    pub dwords: u32,
}

/// The dwords that lanes want from the array, wherever they lie together: which banks they want changes with that, but not how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WantedLanes {
    /// Bytes from the first tuple of a lane to its second, if there are two.
    between: Option<u64>,
    /// Lanes that are active and inside the limits, for each tuple.
    lanes: [u64; 2],
    /// Dwords of a tuple.
    dwords: u32,
    service: LdsService,
    /// Bytes from the dword of the first lane to each lane's address, modulo 2³²: the LDS is smaller.
    distances: [u32; LANES],
}

/// Conflicts that have been counted.
#[derive(Debug, Default)]
pub(super) struct CountedLanes {
    kept: Vec<(WantedLanes, u32)>,
    /// The one that makes room for the next.
    oldest: usize,
}

impl WantedLanes {
    /// Of lanes whose second tuples are all as far from the first.
    pub(super) fn of(wanted: &Wanted<'_>, service: LdsService) -> Self {
        let first = &wanted.tuples[0];
        let second = wanted.tuples.get(1);
        let base = first[0] as u32 & !3;
        Self {
            between: second.map(|second| second[0].wrapping_sub(first[0])),
            lanes: [wanted.lanes[0], second.map_or(0, |_| wanted.lanes[1])],
            dwords: wanted.dwords,
            service,
            distances: first.map(|address| (address as u32).wrapping_sub(base)),
        }
    }
}

impl WantedLanes {
    /// Of lanes that are all active and inside the limits, and want one tuple or two at these offsets from their addresses. All of them are
    /// multiples of four.
    pub(super) fn inside(addresses: &[u32; LANES], offsets: &[u64], (dwords, service): (u32, LdsService)) -> Self {
        let second = offsets.get(1);
        Self {
            between: second.map(|second| second.wrapping_sub(offsets[0])),
            lanes: [u64::MAX, second.map_or(0, |_| u64::MAX)],
            dwords,
            service,
            distances: addresses.map(|address| address.wrapping_sub(addresses[0])),
        }
    }

    /// The dwords that it stands for, at these addresses of all tuples that an instruction can have.
    pub(super) fn wanted<'a>(&'a self, tuples: &'a [[u64; LANES]; 2]) -> Wanted<'a> {
        let count = if self.between.is_some() { 2 } else { 1 };
        Wanted { tuples: &tuples[..count], lanes: &self.lanes[..count], dwords: self.dwords }
    }

    /// How the array serves them.
    pub(super) fn service(&self) -> LdsService {
        self.service
    }
}

impl CountedLanes {
    /// The cycles of lanes that were counted.
    pub(super) fn find(&self, wanted: &WantedLanes) -> Option<u32> {
        self.kept.iter().find(|(kept, _)| kept == wanted).map(|(_, cycles)| *cycles)
    }

    /// Remembers the cycles of lanes.
    pub(super) fn keep(&mut self, wanted: WantedLanes, cycles: u32) {
        if self.kept.len() < KEPT {
            self.kept.push((wanted, cycles));
        } else {
            self.kept[self.oldest] = (wanted, cycles);
            self.oldest = (self.oldest + 1) % KEPT;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lds::memory::LdsMemory;

    #[test]
    fn cached_counts_equal_new_counts() {
        let mut memory = LdsMemory::new(1 << 14);
        let service = LdsService { banks: 32, pass_cycles: 1, passes: None };
        for turn in 0..3 {
            for pattern in 0..12 {
                let addresses = |at: u64| std::array::from_fn(|lane| at + 4 * (lane as u64 * pattern % 37));
                let tuples = [addresses(64 * turn), addresses(64 * turn + 4 * pattern)];
                for (count, lanes) in [(1, u64::MAX), (2, u64::MAX), (2, 0xff00_ff00_ff00_ff0f)] {
                    let lanes = [lanes; 2];
                    let wanted = Wanted { tuples: &tuples[..count], lanes: &lanes[..count], dwords: 1 };
                    let counted = LdsMemory::new(1 << 14).conflict_cycles(&wanted, service);
                    assert_eq!(memory.lane_conflict_cycles(&wanted, service), counted, "{pattern} {count}");
                }
            }
        }
    }
}
