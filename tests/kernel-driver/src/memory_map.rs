//! What the GPU sees at which address: the page tables of the simulated card.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use gcn_simulator::Backing;

use crate::place::Place;

/// An access to an address at which the GPU has nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the GPU has nothing mapped at {address:#x}")]
pub(crate) struct Unmapped {
    pub(crate) address: u64,
}

/// Mapped ranges by their first address.
#[derive(Debug, Default)]
pub(crate) struct MemoryMap {
    ranges: RwLock<BTreeMap<u64, Place>>,
}

impl MemoryMap {
    /// Maps a place; what was there before is hidden.
    pub(crate) fn map(&self, address: u64, place: Place) {
        self.ranges.write().unwrap_or_else(PoisonError::into_inner).insert(address, place);
    }

    /// Unmaps what begins there.
    pub(crate) fn unmap(&self, address: u64) {
        self.ranges.write().unwrap_or_else(PoisonError::into_inner).remove(&address);
    }

    /// Whether nothing is mapped in a range.
    pub(crate) fn is_free(&self, address: u64, bytes: u64) -> bool {
        let ranges = self.ranges.read().unwrap_or_else(PoisonError::into_inner);
        let before = ranges.range(..address.saturating_add(bytes)).next_back();
        before.is_none_or(|(first, place)| first + place.bytes() <= address)
    }

    /// First address and place of the range that an address lies in.
    pub(crate) fn range(&self, address: u64) -> Option<(u64, Place)> {
        let ranges = self.ranges.read().unwrap_or_else(PoisonError::into_inner);
        let (first, place) = ranges.range(..=address).next_back()?;
        (address - first < place.bytes()).then_some((*first, *place))
    }

    /// The memory from an address to the end of its range.
    pub(crate) fn resolve(&self, address: u64) -> Result<Place, Unmapped> {
        let found = self.range(address).and_then(|(first, place)| place.at(address - first));
        found.ok_or(Unmapped { address })
    }

    /// The aligned dword at an address.
    pub(crate) fn load32(&self, address: u64) -> Result<u32, Unmapped> {
        self.resolve(address)?.load32().ok_or(Unmapped { address })
    }

    /// The aligned 8 bytes at an address.
    pub(crate) fn load64(&self, address: u64) -> Result<u64, Unmapped> {
        self.resolve(address)?.load64().ok_or(Unmapped { address })
    }

    /// Stores an aligned dword.
    pub(crate) fn store32(&self, address: u64, value: u32) -> Result<(), Unmapped> {
        self.resolve(address)?.store32(value).ok_or(Unmapped { address })
    }

    /// Stores 8 aligned bytes.
    pub(crate) fn store64(&self, address: u64, value: u64) -> Result<(), Unmapped> {
        self.resolve(address)?.store64(value).ok_or(Unmapped { address })
    }

    /// Adds to 8 aligned bytes.
    pub(crate) fn add64(&self, address: u64, value: i64) -> Result<(), Unmapped> {
        self.resolve(address)?.add64(value).ok_or(Unmapped { address })
    }

    /// Reads bytes, which may lie in several ranges.
    pub(crate) fn read(&self, address: u64, mut into: &mut [u8]) -> Result<(), Unmapped> {
        let mut address = address;
        while !into.is_empty() {
            let count = self.resolve(address)?.read(into);
            into = &mut into[count..];
            address = address.wrapping_add(count as u64);
        }
        Ok(())
    }

    /// Writes bytes, which may lie in several ranges.
    pub(crate) fn write(&self, address: u64, mut from: &[u8]) -> Result<(), Unmapped> {
        let mut address = address;
        while !from.is_empty() {
            let count = self.resolve(address)?.write(from);
            from = &from[count..];
            address = address.wrapping_add(count as u64);
        }
        Ok(())
    }
}

/// Bytes that are copied at a time.
const PIECE: usize = 64 << 10;

impl MemoryMap {
    /// Copies bytes, from the first on.
    pub(crate) fn copy(&self, from: u64, to: u64, bytes: u64) -> Result<(), Unmapped> {
        let mut piece = vec![0; PIECE.min(bytes as usize)];
        let mut done = 0;
        while done < bytes {
            let count = piece.len().min((bytes - done) as usize);
            self.read(from + done, &mut piece[..count])?;
            self.write(to + done, &piece[..count])?;
            done += count as u64;
        }
        Ok(())
    }

    /// Fills with a dword over and over; the last one may be cut.
    pub(crate) fn fill(&self, to: u64, value: u32, bytes: u64) -> Result<(), Unmapped> {
        let pattern = value.to_le_bytes().repeat(PIECE / 4);
        let mut done = 0;
        while done < bytes {
            let count = pattern.len().min((bytes - done) as usize);
            self.write(to + done, &pattern[..count])?;
            done += count as u64;
        }
        Ok(())
    }
}

impl Backing for MemoryMap {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), gcn_simulator::Unmapped> {
        Self::read(self, address, bytes).map_err(|Unmapped { address }| gcn_simulator::Unmapped(address))
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), gcn_simulator::Unmapped> {
        Self::write(self, address, bytes).map_err(|Unmapped { address }| gcn_simulator::Unmapped(address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn ranges_touch_and_end() {
        let mut store = Store::create().unwrap();
        let map = MemoryMap::default();
        let [a, b] = [0, 1].map(|_| store.allocate(4096).unwrap());
        map.map(0x10000, store.place(a, 4096));
        map.map(0x11000, store.place(b, 4096));
        map.write(0x10ffe, &[1, 2, 3, 4]).unwrap();
        assert_eq!(store.place(b, 4).load32(), Some(0x0403));
        let mut back = [0; 4];
        map.read(0x10ffe, &mut back).unwrap();
        assert_eq!(back, [1, 2, 3, 4]);
        assert_eq!(map.write(0x11fff, &[1, 2]), Err(Unmapped { address: 0x12000 }));
        assert_eq!(map.load32(0xffff), Err(Unmapped { address: 0xffff }));
        assert!(map.is_free(0xf000, 0x1000) && map.is_free(0x12000, 1) && !map.is_free(0, 0x10001));
        map.unmap(0x10000);
        assert!(map.is_free(0x10000, 0x1000) && !map.is_free(0x10000, 0x1001));
        assert_eq!(map.load32(0x10000), Err(Unmapped { address: 0x10000 }));
    }
}
