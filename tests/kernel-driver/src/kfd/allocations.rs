//! The allocations of a process.

use std::collections::BTreeMap;

use crate::memory_map::MemoryMap;
use crate::place::Place;

/// Memory that a process has allocated.
#[derive(Debug)]
pub(super) struct Allocation {
    /// Where the GPU sees it.
    pub(super) address: u64,
    /// Where it is.
    pub(super) place: Place,
    /// Whether it is mapped twice in a row.
    pub(super) is_double: bool,
    /// Offset in the store, if it was taken from there.
    pub(super) offset: Option<u64>,
    /// Bytes of the card's memory.
    pub(super) vram: u64,
}

/// The allocations of a process by handle.
#[derive(Debug, Default)]
pub(crate) struct Allocations {
    /// Those that are not freed.
    pub(super) allocations: BTreeMap<u64, Allocation>,
    /// The last handle.
    pub(super) last: u64,
    /// Bytes of the card's memory, of all.
    pub(super) vram: u64,
}

impl Allocations {
    /// Taken bytes of the card's memory.
    pub(crate) fn used(&self) -> u64 {
        self.vram
    }
}

impl Allocation {
    fn addresses(&self) -> impl Iterator<Item = u64> {
        let copies = if self.is_double { 2 } else { 1 };
        (0..copies).map(|copy| self.address + copy * self.place.bytes())
    }

    /// Maps it to the GPU.
    pub(super) fn map(&self, memory: &MemoryMap) {
        self.addresses().for_each(|address| memory.map(address, self.place));
    }

    /// Takes it from the GPU.
    pub(super) fn unmap(&self, memory: &MemoryMap) {
        self.addresses().for_each(|address| memory.unmap(address));
    }
}
