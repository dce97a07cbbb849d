//! Memory that the host process and the simulated GPU share: raw places, and the accesses to them.
#![expect(unsafe_code, reason = "a card reads and writes the memory of its process; this module is where that happens")]

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};

/// Granule of memory: of allocations, of the GPU's addresses, and of the address in a fault.
pub(crate) const PAGE: u64 = 4096;

/// A range of bytes in the process that the GPU may read and write.
///
/// The program on the host runs at the same time, so every access is atomic up to 8 aligned bytes, as on a card.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    address: usize,
    bytes: u64,
    /// Whether only the GPU sees it.
    is_hidden: bool,
}

impl Place {
    /// # Safety
    /// `bytes` bytes from `address` on are readable and writable until the place is used for the last time.
    pub(crate) unsafe fn new(address: usize, bytes: u64) -> Self {
        Self { address, bytes, is_hidden: false }
    }

    /// The same, of memory that the process has no way to: only the GPU sees it.
    pub(crate) fn hidden(self) -> Self {
        Self { is_hidden: true, ..self }
    }

    /// Whether only the GPU sees it.
    pub(crate) fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// Where it is.
    pub(crate) fn host_address(&self) -> usize {
        self.address
    }

    /// Bytes from here to the end of the range.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The rest of the range from `offset` on, if there is one.
    pub(crate) fn at(&self, offset: u64) -> Option<Self> {
        let bytes = self.bytes.checked_sub(offset).filter(|bytes| *bytes > 0)?;
        Some(Self { address: self.address + offset as usize, bytes, ..*self })
    }

    /// A range inside, if there is one.
    pub(crate) fn part(&self, offset: u64, bytes: u64) -> Option<Self> {
        let rest = self.at(offset).filter(|rest| rest.bytes >= bytes && bytes > 0)?;
        Some(Self { bytes, ..rest })
    }

    fn pointer<T>(&self) -> Option<*mut T> {
        let size = size_of::<T>();
        let is_inside = self.bytes >= size as u64 && self.address.is_multiple_of(size);
        is_inside.then(|| std::ptr::with_exposed_provenance_mut(self.address))
    }

    /// The aligned dword here; `None` if it is not aligned or not inside.
    pub(crate) fn load32(&self) -> Option<u32> {
        // SAFETY: `pointer` checked size and alignment; the range is valid by the contract of `new`.
        self.pointer().map(|pointer| unsafe { AtomicU32::from_ptr(pointer) }.load(Ordering::Acquire))
    }

    /// The aligned 8 bytes here; `None` if they are not aligned or not inside.
    pub(crate) fn load64(&self) -> Option<u64> {
        // SAFETY: as in `load32`.
        self.pointer().map(|pointer| unsafe { AtomicU64::from_ptr(pointer) }.load(Ordering::Acquire))
    }

    /// Stores an aligned dword; `None` if it is not aligned or not inside.
    pub(crate) fn store32(&self, value: u32) -> Option<()> {
        // SAFETY: as in `load32`.
        self.pointer().map(|pointer| unsafe { AtomicU32::from_ptr(pointer) }.store(value, Ordering::Release))
    }

    /// Stores 8 aligned bytes; `None` if they are not aligned or not inside.
    pub(crate) fn store64(&self, value: u64) -> Option<()> {
        // SAFETY: as in `load32`.
        self.pointer().map(|pointer| unsafe { AtomicU64::from_ptr(pointer) }.store(value, Ordering::Release))
    }

    /// Adds to the 8 aligned bytes here; `None` if they are not aligned or not inside.
    pub(crate) fn add64(&self, value: i64) -> Option<()> {
        self.pointer().map(|pointer| {
            // SAFETY: as in `load32`.
            unsafe { AtomicI64::from_ptr(pointer) }.fetch_add(value, Ordering::AcqRel);
        })
    }

    /// Reads as many bytes as `into` and the range have; gives back how many.
    pub(crate) fn read(&self, into: &mut [u8]) -> usize {
        let count = into.len().min(usize::try_from(self.bytes).unwrap_or(usize::MAX));
        let from = std::ptr::with_exposed_provenance::<u8>(self.address);
        // SAFETY: `count` bytes are in the range and in the slice; `copy` allows that the host passed its own overlapping
        // memory.
        unsafe { std::ptr::copy(from, into.as_mut_ptr(), count) };
        count
    }

    /// Writes as many bytes as `from` and the range have; gives back how many.
    pub(crate) fn write(&self, from: &[u8]) -> usize {
        let count = from.len().min(usize::try_from(self.bytes).unwrap_or(usize::MAX));
        let into = std::ptr::with_exposed_provenance_mut::<u8>(self.address);
        // SAFETY: as in `read`.
        unsafe { std::ptr::copy(from.as_ptr(), into, count) };
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_stay_inside_and_aligned() {
        let mut memory = [0_u64; 2];
        // SAFETY: the array lives to the end of the test.
        let place = unsafe { Place::new(memory.as_mut_ptr().expose_provenance(), 16) };
        assert_eq!(place.at(8).unwrap().store64(7), Some(()));
        assert_eq!(place.at(12).unwrap().store64(7), None);
        assert_eq!(place.at(13).unwrap().load32(), None);
        assert!(place.at(16).is_none());
        assert_eq!(place.at(8).unwrap().add64(-9), Some(()));
        assert_eq!(place.at(8).unwrap().load64(), Some(u64::MAX - 1));
        let mut bytes = [0; 12];
        assert_eq!(place.at(8).unwrap().read(&mut bytes), 8);
        assert_eq!(place.at(14).unwrap().write(&[1, 2, 3]), 2);
    }
}
