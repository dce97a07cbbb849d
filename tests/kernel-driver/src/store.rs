//! The memory of the card and of its driver: one sparse file, which the process maps piece by piece through the device files.
#![expect(unsafe_code, reason = "the file is made and mapped with the C library")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::MetadataExt;

use crate::place::{PAGE, Place};

/// Bytes of the file. It is sparse: only written pages take memory.
const BYTES: u64 = 64 << 30;
/// Offset after the file's end for memory that no process may see: it can be mapped there, as the thunk does to reserve addresses, and
/// an access ends the process (SIGBUS).
pub(crate) const UNSEEN: u64 = BYTES;
/// Where the doorbells are.
pub(crate) const DOORBELLS: u64 = 0;
/// Bytes of a process's doorbells (Linux, `kfd_doorbell.c`: 1,024 queues of 8 bytes).
pub(crate) const DOORBELL_BYTES: u64 = 8192;
/// Where allocations begin; a multiple of the thunk's alignment of large ones.
const FIRST: u64 = 2 << 20;

/// The file and its free ranges.
#[derive(Debug)]
pub(crate) struct Store {
    file: File,
    /// Where the driver itself has all of it mapped.
    base: usize,
    /// Free ranges: length by offset; neighbours are joined.
    free: BTreeMap<u64, u64>,
}

impl Store {
    /// An empty file, with every doorbell as if it had never been rung.
    ///
    /// # Errors
    /// The system gives no memory.
    pub(crate) fn create() -> io::Result<Self> {
        // SAFETY: the name is a C string; the descriptor is checked.
        let descriptor = unsafe { libc::memfd_create(c"gcn-kernel-driver".as_ptr(), libc::MFD_CLOEXEC) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is new and has no other owner.
        let file = unsafe { File::from_raw_fd(descriptor) };
        file.set_len(BYTES)?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let sharing = libc::MAP_SHARED | libc::MAP_NORESERVE;
        // SAFETY: a new mapping at a place of the kernel's choice; it stays until the process ends.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), BYTES as usize, access, sharing, file.as_raw_fd(), 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let store = Self { file, base: base.expose_provenance(), free: [(FIRST, BYTES - FIRST)].into() };
        store.place(DOORBELLS, DOORBELL_BYTES).write(&[0xff; DOORBELL_BYTES as usize]);
        Ok(store)
    }

    /// What tells this file from every other one: device and inode.
    pub(crate) fn identity(&self) -> io::Result<(u64, u64)> {
        let metadata = self.file.metadata()?;
        Ok((metadata.dev(), metadata.ino()))
    }

    /// The file, to be opened again as a device.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Takes a range of zeros; `None` if nothing that large is free.
    pub(crate) fn allocate(&mut self, bytes: u64) -> Option<u64> {
        let bytes = bytes.checked_next_multiple_of(PAGE)?;
        let (offset, length) = self.free.iter().map(|(o, l)| (*o, *l)).find(|(_, length)| *length >= bytes)?;
        self.free.remove(&offset);
        if length > bytes {
            self.free.insert(offset + bytes, length - bytes);
        }
        Some(offset)
    }

    /// Gives a range back; its content is gone.
    pub(crate) fn release(&mut self, offset: u64, bytes: u64) {
        let (mut offset, mut bytes) = (offset, bytes.next_multiple_of(PAGE));
        let hole = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: a plain system call on our own file. If it fails the next owner finds the old content, as on a card.
        let _ = unsafe { libc::fallocate(self.file.as_raw_fd(), hole, offset as i64, bytes as i64) };
        if let Some((before, length)) = self.free.range(..offset).next_back().map(|(o, l)| (*o, *l))
            && before + length == offset
        {
            self.free.remove(&before);
            (offset, bytes) = (before, length + bytes);
        }
        if let Some(length) = self.free.remove(&(offset + bytes)) {
            bytes += length;
        }
        self.free.insert(offset, bytes);
    }

    /// A range of the file as memory.
    pub(crate) fn place(&self, offset: u64, bytes: u64) -> Place {
        let bytes = bytes.min(BYTES.saturating_sub(offset));
        // SAFETY: the whole file is mapped for as long as the process lives, and the range is inside.
        unsafe { Place::new(self.base + offset as usize, bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn released_memory_is_joined_and_empty() {
        let mut store = Store::create().unwrap();
        let all = store.free.clone();
        let [a, b, c] = [5000, 4096, 1].map(|bytes| store.allocate(bytes).unwrap());
        assert_eq!((b - a, c - b), (8192, 4096));
        store.place(b, 4).store32(7);
        store.release(a, 5000);
        store.release(c, 1);
        store.release(b, 4096);
        assert_eq!(store.free, all);
        assert_eq!(store.place(b, 4).load32(), Some(0));
        assert_eq!(store.allocate(BYTES), None);
    }
}
