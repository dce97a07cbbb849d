//! The memory of the card: allocations with nothing between them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gcn_simulator::{Backing, Unmapped};

/// Page of the GPU's address space: the granule at which an address is there or not.
const PAGE: u64 = 4096;
/// Distance from the end of an allocation to the next one, so that an overrun meets nothing.
const GAP: u64 = 16 * PAGE;
/// First address; null belongs to no allocation.
const FIRST: u64 = 0x7f00_0000_0000;

/// What fresh memory holds: anything but the zeros that a program might take for granted.
const FRESH: u8 = 0xa5;

#[derive(Debug, Default)]
struct Ranges {
    ranges: BTreeMap<u64, Vec<u8>>,
    next: u64,
}

/// The memory of the card.
#[derive(Debug, Default)]
pub(crate) struct DeviceMemory {
    ranges: Mutex<Ranges>,
}

/// A range of it, which is freed with this value.
#[derive(Debug)]
pub(crate) struct Allocation {
    memory: Arc<DeviceMemory>,
    /// Its first address.
    pub(crate) address: u64,
}

impl Drop for Allocation {
    fn drop(&mut self) {
        self.memory.ranges().ranges.remove(&self.address);
    }
}

impl DeviceMemory {
    fn ranges(&self) -> MutexGuard<'_, Ranges> {
        self.ranges.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Allocates bytes at the start of a page; `None` where the host has no memory for them.
    pub(crate) fn allocate(self: &Arc<Self>, bytes: u64) -> Option<Allocation> {
        let mut content = Vec::new();
        content.try_reserve_exact(usize::try_from(bytes).ok()?).ok()?;
        content.resize(bytes as usize, FRESH);
        let mut ranges = self.ranges();
        let address = ranges.next.max(FIRST);
        ranges.next = (address + bytes).next_multiple_of(PAGE) + GAP;
        ranges.ranges.insert(address, content);
        Some(Allocation { memory: Arc::clone(self), address })
    }

    /// The bytes at an address; `None` where not all of them are in one allocation.
    pub(crate) fn load(&self, address: u64, bytes: u64) -> Option<Vec<u8>> {
        let ranges = self.ranges();
        let (first, content) = ranges.ranges.range(..=address).next_back()?;
        let start = usize::try_from(address - first).ok()?;
        content.get(start..start.checked_add(usize::try_from(bytes).ok()?)?).map(<[u8]>::to_vec)
    }

    /// Puts bytes to an address; `None` where not all of them are in one allocation.
    pub(crate) fn store(&self, address: u64, bytes: &[u8]) -> Option<()> {
        let mut ranges = self.ranges();
        let (first, content) = ranges.ranges.range_mut(..=address).next_back()?;
        let start = usize::try_from(address - first).ok()?;
        content.get_mut(start..start.checked_add(bytes.len())?)?.copy_from_slice(bytes);
        Some(())
    }
}

impl Backing for DeviceMemory {
    /// Reads within pages: after the end of an allocation its last page continues, as on a card.
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        let ranges = self.ranges();
        let unmapped = Unmapped(address);
        let (first, content) = ranges.ranges.range(..=address).next_back().ok_or(unmapped)?;
        let start = address - first;
        let end = (content.len() as u64).next_multiple_of(PAGE);
        if start + bytes.len() as u64 > end {
            return Err(unmapped);
        }
        let inside = content.get(start as usize..).unwrap_or_default();
        let count = inside.len().min(bytes.len());
        bytes[..count].copy_from_slice(&inside[..count]);
        bytes[count..].fill(FRESH);
        Ok(())
    }

    /// Writes within allocations: a byte after the end is an overrun, which a card would not see.
    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        self.store(address, bytes).ok_or(Unmapped(address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_apart_and_end() {
        let memory = Arc::new(DeviceMemory::default());
        let [a, b] = [10, 5000].map(|bytes| memory.allocate(bytes).unwrap());
        assert!(a.address.is_multiple_of(PAGE) && b.address >= a.address + PAGE + GAP);
        assert_eq!(memory.load(a.address, 10).unwrap(), [FRESH; 10]);
        assert_eq!(memory.load(a.address, 11), None);
        assert_eq!(memory.write(a.address + 8, &[1, 2]), Ok(()));
        assert_eq!(memory.write(a.address + 8, &[1, 2, 3]), Err(Unmapped(a.address + 8)));
        let mut page = [0; PAGE as usize];
        assert_eq!(memory.read(a.address, &mut page), Ok(()));
        assert_eq!(page[7..11], [FRESH, 1, 2, FRESH]);
        assert!(memory.read(a.address + PAGE, &mut page).is_err());
        let address = a.address;
        drop(a);
        assert!(memory.read(address, &mut page).is_err());
    }
}
