//! LDS reads and writes of dwords by lanes that are all active and inside the limits: wherever they reach, no lane is looked at by itself.

use crate::lds::access::{LdsAccess, LdsOutcome};
use crate::lds::action::Action;
use crate::lds::counted::WantedLanes;
use crate::lds::memory::LdsMemory;
use crate::memory::element::{Element, Transfer};
use crate::memory::row_words::gather;
use crate::memory::word::Word;
use crate::state::loaded::{Loaded, MOST_DWORDS};
use crate::state::vector_number::VectorNumber;
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;

impl LdsAccess {
    /// Executes it on all lanes. `None`, and nothing is done, if it is no read or write of dwords, if a part alone of a dword is known,
    /// or an address is not known, not aligned, or not all below `limit`.
    pub(super) fn execute_inside(
        &self,
        wave: &mut Wave,
        local: &mut LdsMemory,
        instruction: u32,
        limit: u64,
    ) -> Option<LdsOutcome> {
        let (transfer, values) = match self.action {
            Action::Single(transfer) => (transfer, 1),
            Action::Double(transfer) => (transfer, 2),
            _ => return None,
        };
        let dwords = match transfer {
            Transfer::Load(Element::Dwords(dwords), _) if self.registers.result.is_some() => dwords,
            Transfer::Store(Element::Dwords(dwords), _) if !self.is_unobserved => dwords,
            _ => return None,
        };
        let data = [self.registers.data, self.registers.second];
        let (addresses, known) = wave.vectors.read(self.address);
        let stores_parts = self.registers.result.is_none() && holds_parts(wave, &data[..values], dwords);
        if known != u64::MAX || stores_parts {
            return None;
        }
        // The result may take the place of the addresses.
        let addresses = *addresses;
        let offsets = &self.offsets[..values];
        let furthest = offsets.iter().copied().max().unwrap_or(0);
        let bits = addresses.iter().fold(0, |bits, address| bits | address);
        let fits = |highest: u32| u64::from(highest) + furthest + self.value_bytes() <= limit;
        let is_aligned = (u64::from(bits) | offsets[0] | furthest) & u64::from(self.alignment.max(4) - 1) == 0;
        // No address is higher than all of their bits together, and those are found sooner than the highest.
        if !is_aligned || !fits(bits) && !addresses.iter().max().is_some_and(|highest| fits(*highest)) {
            return None;
        }
        let key = WantedLanes::inside(&addresses, offsets, (u32::from(self.dwords), self.service));
        let tuples = || self.offsets.map(|offset| addresses.map(|address| u64::from(address) + offset));
        let cycles = local.inside_conflict_cycles(key, tuples);
        let mut loaded = Loaded::default();
        let all = (0..values).flat_map(|value| (0..usize::from(dwords)).map(move |dword| (value, dword)));
        let mut results = [[0; LANES]; MOST_DWORDS];
        for (((value, dword), known), result) in all.zip(&mut loaded.lanes).zip(&mut results) {
            let words = local.words_from(offsets[value] / 4 + dword as u64)?;
            let place = |lane: usize| (addresses[lane] / 4) as usize;
            match transfer {
                Transfer::Load(..) => *known = gather(result, |lane| words[place(lane)])?,
                _ => {
                    let (values, is_known) = wave.vectors.read(data[value] + dword as VectorNumber);
                    for (lane, stored) in values.iter().enumerate() {
                        let stored = (is_known >> lane & 1 == 1).then_some(*stored);
                        words[place(lane)] = Word::written(stored, instruction);
                    }
                }
            }
        }
        if let Some(first) = self.registers.result {
            let filled = values as VectorNumber * VectorNumber::from(dwords);
            (first..).zip(&results[..filled.into()]).for_each(|(register, of)| *wave.vectors.lanes_mut(register) = *of);
        }
        Some(LdsOutcome { cycles, loaded })
    }
}

/// Whether a part alone of what is written is known.
fn holds_parts(wave: &Wave, data: &[VectorNumber], dwords: u8) -> bool {
    let mut registers = data.iter().flat_map(|first| (*first..).take(dwords.into()));
    registers.any(|register| wave.vectors.is_partly_known(register))
}
