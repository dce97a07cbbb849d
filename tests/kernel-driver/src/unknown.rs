//! Unknown values in memory of the card that no process sees.
//!
//! A kernel may store values that the simulator does not know where no process looks at them, as on a card. Where a process could look, it may not.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{PoisonError, RwLock};

use crate::place::Place;

/// Bytes that are known or unknown as a whole.
const DWORD: usize = 4;

/// The unknown dwords, by where they are in the process.
#[derive(Debug, Default)]
pub(crate) struct UnknownDwords {
    /// With the low half of the address of the instruction that stored each.
    writers: RwLock<BTreeMap<usize, u32>>,
}

impl UnknownDwords {
    /// Keeps in mind that the dword at the begin of a place is unknown; `false` where a process could see it.
    pub(crate) fn keep(&self, place: Place, writer: u32) -> bool {
        if place.is_hidden() {
            self.writers.write().unwrap_or_else(PoisonError::into_inner).insert(place.host_address(), writer);
        }
        place.is_hidden()
    }

    /// Unknown dwords among the first bytes of a place: the offset, and the instruction that stored them.
    pub(crate) fn among(&self, place: Place, bytes: u64) -> Vec<(u64, u32)> {
        let range = range(place, bytes);
        let writers = self.writers.read().unwrap_or_else(PoisonError::into_inner);
        writers.range(range).map(|(at, writer)| (at.saturating_sub(place.host_address()) as u64, *writer)).collect()
    }

    /// The first bytes of a place have been written: dwords that lie in them as a whole are known.
    pub(crate) fn forget(&self, place: Place, bytes: u64) {
        if !place.is_hidden() {
            return;
        }
        let begin = place.host_address();
        let whole = begin.next_multiple_of(DWORD)..(begin + bytes as usize) / DWORD * DWORD;
        self.writers.write().unwrap_or_else(PoisonError::into_inner).retain(|at, _| !whole.contains(at));
    }
}

/// Where dwords begin of which the first bytes of a place have a part.
fn range(place: Place, bytes: u64) -> Range<usize> {
    let begin = place.host_address();
    begin / DWORD * DWORD..begin + bytes.min(place.bytes()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn only_invisible_bytes_may_be_unknown() {
        let mut store = Store::create().unwrap();
        let offset = store.allocate(4096).unwrap();
        let (seen, hidden) = (store.place(offset, 4096), store.place(offset, 4096).hidden());
        let unknown = UnknownDwords::default();
        assert!(!unknown.keep(seen, 1));
        assert!(unknown.among(seen, 4096).is_empty());
        assert!(unknown.keep(hidden.at(8).unwrap(), 1) && unknown.keep(hidden.at(12).unwrap(), 2));
        assert_eq!(unknown.among(hidden, 4096), [(8, 1), (12, 2)]);
        assert_eq!(unknown.among(hidden.at(10).unwrap(), 2), [(0, 1)]);
        assert!(unknown.among(hidden, 8).is_empty() && unknown.among(hidden.at(16).unwrap(), 8).is_empty());
        unknown.forget(hidden.at(8).unwrap(), 7);
        assert_eq!(unknown.among(hidden, 4096), [(12, 2)]);
        unknown.forget(hidden.at(14).unwrap(), 2);
        assert_eq!(unknown.among(hidden, 4096), [(12, 2)]);
        unknown.forget(hidden, 4096);
        assert!(unknown.among(hidden, 4096).is_empty());
    }
}
