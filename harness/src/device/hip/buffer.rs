//! Memory that a kernel gets.
#![expect(unsafe_code, reason = "HIP is only reachable through its C interface")]

use std::ffi::c_void;
use std::ptr::null_mut;

use hip_sys::hiprt::{hipHostMallocMapped, hipMemcpyKind};

use super::library::{Api, HipError};

/// The contract of devices.
const ALIGNMENT: usize = 4096;

/// Where a buffer lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BufferMemory {
    /// In the host's memory, which the card writes to.
    MappedHost,
    /// In the card's memory, copied back and forth.
    Card,
}

/// A buffer of zeros, freed with its value.
pub(super) struct Buffer<'a> {
    api: &'a Api,
    place: BufferMemory,
    host: *mut c_void,
    card: *mut c_void,
    bytes: usize,
}

impl<'a> Buffer<'a> {
    /// A buffer of zeros; at least a dword.
    ///
    /// # Errors
    /// The memory is refused, or cannot be mapped or filled.
    pub(super) fn zeros(api: &'a Api, place: BufferMemory, bytes: usize) -> Result<Self, HipError> {
        let bytes = bytes.max(4);
        let mut buffer = Self { api, place, host: null_mut(), card: null_mut(), bytes };
        let own = |text: &str| HipError { status: 0, text: text.into() };
        match place {
            BufferMemory::MappedHost => {
                // SAFETY: both pointers are valid; what HIP gives is freed in `drop` and nowhere else.
                let status = unsafe { (api.host_malloc)(&raw mut buffer.host, bytes, hipHostMallocMapped) };
                api.check("hipHostMalloc", status)?;
                if buffer.host.is_null() {
                    return Err(own("hipHostMalloc gave no memory"));
                }
                // SAFETY: `host` is what HIP has just given.
                let status = unsafe { (api.host_pointer)(&raw mut buffer.card, buffer.host, 0) };
                api.check("hipHostGetDevicePointer", status)?;
                // SAFETY: HIP has given that many bytes, and no kernel knows of them yet.
                unsafe { buffer.host.cast::<u8>().write_bytes(0, bytes) };
            }
            BufferMemory::Card => {
                // SAFETY: the pointer is valid; what HIP gives is freed in `drop` and nowhere else.
                let status = unsafe { (api.malloc)(&raw mut buffer.card, bytes) };
                api.check("hipMalloc", status)?;
                let zeros = vec![0u8; bytes];
                let kind = hipMemcpyKind::hipMemcpyHostToDevice as u32;
                // SAFETY: both sides have that many bytes; the call returns when it is done.
                let status = unsafe { (api.copy)(buffer.card, zeros.as_ptr().cast(), bytes, kind) };
                api.check("hipMemcpy", status)?;
            }
        }
        if !buffer.card.addr().is_multiple_of(ALIGNMENT) {
            return Err(own("HIP's memory does not start at a multiple of 4 KiB"));
        }
        Ok(buffer)
    }

    /// Address for the kernel.
    pub(super) fn address(&self) -> u64 {
        self.card.addr() as u64
    }

    /// The content after a kernel has ended.
    pub(super) fn dwords(&self) -> Result<Vec<u32>, HipError> {
        let mut dwords = vec![0u32; self.bytes / 4];
        match self.place {
            BufferMemory::MappedHost => {
                for (index, dword) in dwords.iter_mut().enumerate() {
                    // SAFETY: inside of the buffer, aligned; volatile, since the card wrote it.
                    *dword = unsafe { self.host.cast::<u32>().add(index).read_volatile() };
                }
            }
            BufferMemory::Card => {
                let kind = hipMemcpyKind::hipMemcpyDeviceToHost as u32;
                // SAFETY: both sides have at least that many bytes; the call returns when it is done.
                let status = unsafe { (self.api.copy)(dwords.as_mut_ptr().cast(), self.card, dwords.len() * 4, kind) };
                self.api.check("hipMemcpy", status)?;
            }
        }
        Ok(dwords)
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        // SAFETY: HIP's own pointers, freed once; the status tells of faults that the launch has told already.
        unsafe {
            match self.place {
                BufferMemory::MappedHost if !self.host.is_null() => (self.api.host_free)(self.host),
                BufferMemory::Card if !self.card.is_null() => (self.api.free)(self.card),
                _ => 0,
            };
        }
    }
}
