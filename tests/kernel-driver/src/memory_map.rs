//! The GPU's address space: the page tables of the simulated card.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use gcn_simulator::Backing;

use crate::place::Place;
use crate::unknown::UnknownDwords;

/// An access that is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoAccess {
    /// The GPU has nothing there.
    #[error("the GPU has nothing mapped at {address:#x}")]
    Unmapped { address: u64 },
    /// Its content is not known.
    #[error(
        "what is at {address:#x} is unknown: the instruction at {writer:#x} stored what the simulator does not know"
    )]
    Unknown { address: u64, writer: u32 },
}

impl NoAccess {
    /// The address that it is about.
    pub(crate) fn address(self) -> u64 {
        let (Self::Unmapped { address } | Self::Unknown { address, .. }) = self;
        address
    }
}

/// Mapped ranges by their first address.
#[derive(Debug, Default)]
pub(crate) struct MemoryMap {
    ranges: RwLock<BTreeMap<u64, Place>>,
    unknown: UnknownDwords,
}

impl MemoryMap {
    /// Maps a place; the earlier mapping is hidden.
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
    pub(crate) fn resolve(&self, address: u64) -> Result<Place, NoAccess> {
        let found = self.range(address).and_then(|(first, place)| place.at(address - first));
        found.ok_or(NoAccess::Unmapped { address })
    }

    /// The same, if its first bytes are known.
    fn known(&self, address: u64, bytes: u64) -> Result<Place, NoAccess> {
        let place = self.resolve(address)?;
        match self.unknown.among(place, bytes).first() {
            Some((offset, writer)) => Err(NoAccess::Unknown { address: address + offset, writer: *writer }),
            None => Ok(place),
        }
    }

    /// The content of a place is gone.
    pub(crate) fn clear(&self, place: Place) {
        self.unknown.forget(place, place.bytes());
    }

    /// The aligned dword at an address.
    pub(crate) fn load32(&self, address: u64) -> Result<u32, NoAccess> {
        self.known(address, 4)?.load32().ok_or(NoAccess::Unmapped { address })
    }

    /// The aligned 8 bytes at an address.
    pub(crate) fn load64(&self, address: u64) -> Result<u64, NoAccess> {
        self.known(address, 8)?.load64().ok_or(NoAccess::Unmapped { address })
    }

    /// Stores an aligned dword.
    pub(crate) fn store32(&self, address: u64, value: u32) -> Result<(), NoAccess> {
        let place = self.resolve(address)?;
        place.store32(value).ok_or(NoAccess::Unmapped { address })?;
        self.unknown.forget(place, 4);
        Ok(())
    }

    /// Stores 8 aligned bytes.
    pub(crate) fn store64(&self, address: u64, value: u64) -> Result<(), NoAccess> {
        let place = self.resolve(address)?;
        place.store64(value).ok_or(NoAccess::Unmapped { address })?;
        self.unknown.forget(place, 8);
        Ok(())
    }

    /// Adds to 8 aligned bytes.
    pub(crate) fn add64(&self, address: u64, value: i64) -> Result<(), NoAccess> {
        self.known(address, 8)?.add64(value).ok_or(NoAccess::Unmapped { address })
    }

    /// Reads bytes, which may lie in several ranges.
    pub(crate) fn read(&self, address: u64, into: &mut [u8]) -> Result<(), NoAccess> {
        self.read_by(|address, bytes| self.known(address, bytes), address, into)
    }

    fn read_by(
        &self,
        place: impl Fn(u64, u64) -> Result<Place, NoAccess>,
        mut address: u64,
        mut into: &mut [u8],
    ) -> Result<(), NoAccess> {
        while !into.is_empty() {
            let count = place(address, into.len() as u64)?.read(into);
            into = &mut into[count..];
            address = address.wrapping_add(count as u64);
        }
        Ok(())
    }

    /// Writes bytes, which may lie in several ranges.
    pub(crate) fn write(&self, address: u64, mut from: &[u8]) -> Result<(), NoAccess> {
        let mut address = address;
        while !from.is_empty() {
            let place = self.resolve(address)?;
            let count = place.write(from);
            self.unknown.forget(place, count as u64);
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
    pub(crate) fn copy(&self, from: u64, to: u64, bytes: u64) -> Result<(), NoAccess> {
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
    pub(crate) fn fill(&self, to: u64, value: u32, bytes: u64) -> Result<(), NoAccess> {
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
        let done = self.read_by(|address, _| self.resolve(address), address, bytes);
        done.map_err(|error| gcn_simulator::Unmapped(error.address()))
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), gcn_simulator::Unmapped> {
        Self::write(self, address, bytes).map_err(|error| gcn_simulator::Unmapped(error.address()))
    }

    fn keep_unknown(&self, address: u64, writer: u32) -> bool {
        self.resolve(address).is_ok_and(|place| self.unknown.keep(place, writer))
    }

    fn unknown(&self, address: u64, bytes: u64) -> Vec<(u64, u32)> {
        let mut found = Vec::new();
        let mut at = address;
        while at < address + bytes
            && let Ok(place) = self.resolve(at)
        {
            let count = place.bytes().min(address + bytes - at);
            found.extend(self.unknown.among(place, count).iter().map(|(offset, writer)| (at + offset, *writer)));
            at += count;
        }
        found
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
        assert_eq!(map.write(0x11fff, &[1, 2]), Err(NoAccess::Unmapped { address: 0x12000 }));
        assert_eq!(map.load32(0xffff), Err(NoAccess::Unmapped { address: 0xffff }));
        assert!(map.is_free(0xf000, 0x1000) && map.is_free(0x12000, 1) && !map.is_free(0, 0x10001));
        map.unmap(0x10000);
        assert!(map.is_free(0x10000, 0x1000) && !map.is_free(0x10000, 0x1001));
        assert_eq!(map.load32(0x10000), Err(NoAccess::Unmapped { address: 0x10000 }));
    }
    #[test]
    fn unknown_bytes_are_kept_from_the_host_until_overwritten() {
        let mut store = Store::create().unwrap();
        let map = MemoryMap::default();
        let [seen, hidden] = [0, 1].map(|_| store.allocate(4096).unwrap());
        map.map(0x10000, store.place(seen, 4096));
        map.map(0x11000, store.place(hidden, 4096).hidden());
        assert!(
            !map.keep_unknown(0x10ffc, 0x40) && map.keep_unknown(0x11004, 0x44) && !map.keep_unknown(0x12000, 0x48)
        );
        assert_eq!(map.unknown(0x10000, 0x3000), [(0x11004, 0x44)]);
        let unknown = Err(NoAccess::Unknown { address: 0x11004, writer: 0x44 });
        assert_eq!((map.copy(0x10ff0, 0x10000, 0x10), map.copy(0x10ff0, 0x10000, 0x15)), (Ok(()), unknown));
        assert_eq!((map.load32(0x11000), map.load64(0x11000).is_err(), map.add64(0x11000, 1)), (Ok(0), true, unknown));
        // The simulator gets the bytes, and is told which of them mean nothing.
        assert_eq!(Backing::read(&map, 0x11000, &mut [0; 8]), Ok(()));
        map.store32(0x11004, 7).unwrap();
        assert_eq!((map.unknown(0x11000, 4096), map.load32(0x11004)), (vec![], Ok(7)));
        assert!(map.keep_unknown(0x11008, 0x44));
        map.clear(store.place(hidden, 4096).hidden());
        assert_eq!(map.load32(0x11008), Ok(0));
    }
}
