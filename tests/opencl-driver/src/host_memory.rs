//! Memory of the program that a command reads or writes.
#![expect(unsafe_code, reason = "commands copy from and to memory that the program names by a pointer")]

/// A range of the program's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HostMemory {
    address: usize,
    bytes: usize,
}

impl HostMemory {
    /// # Safety
    /// `bytes` bytes from the pointer on stay readable and, for [`Self::write`], writable until the command is done.
    pub(crate) unsafe fn new<T>(pointer: *const T, bytes: usize) -> Self {
        Self { address: pointer.expose_provenance(), bytes }
    }

    /// Its first address.
    pub(crate) fn address(&self) -> usize {
        self.address
    }

    pub(crate) fn part(&self, offset: usize, bytes: usize) -> Option<Self> {
        let is_inside = offset.checked_add(bytes).is_some_and(|end| end <= self.bytes);
        is_inside.then_some(Self { address: self.address + offset, bytes })
    }

    /// Its content.
    pub(crate) fn read(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.bytes];
        let from = std::ptr::with_exposed_provenance::<u8>(self.address);
        // SAFETY: by the contract of `new`, and the vector has as many bytes and is elsewhere.
        unsafe { std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), self.bytes) };
        bytes
    }

    /// Puts bytes to its start; those that it has no room for are left out.
    pub(crate) fn write(&self, bytes: &[u8]) {
        let count = bytes.len().min(self.bytes);
        let into = std::ptr::with_exposed_provenance_mut::<u8>(self.address);
        // SAFETY: by the contract of `new`; the driver's own bytes are elsewhere.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), into, count) };
    }
}
