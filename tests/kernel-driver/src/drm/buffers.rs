//! Buffer objects: memory by handle, and where the GPU sees it.

use std::collections::{BTreeMap, BTreeSet};

use bytemuck::Zeroable;
use gcn_simulated_card::VRAM_BYTES;

use crate::device::Device;
use crate::drm::request::{GemCreate, Metadata};
use crate::ioctl::{Errno, INVALID, NO_MEMORY};
use crate::place::{PAGE, Place};

/// `AMDGPU_GEM_DOMAIN_GTT`.
pub(crate) const GTT: u64 = 0x2;
/// `AMDGPU_GEM_DOMAIN_VRAM`.
pub(crate) const VRAM: u64 = 0x4;
/// `AMDGPU_GEM_CREATE_NO_CPU_ACCESS`: the host never maps it.
const NO_HOST_ACCESS: u64 = 1 << 1;

/// A buffer object.
#[derive(Debug)]
pub(crate) struct Buffer {
    /// Its creation parameters.
    pub(crate) created: GemCreate,
    /// Its memory.
    pub(crate) place: Place,
    /// Offset in the store, if it was taken from there and not from the process.
    pub(crate) offset: Option<u64>,
    /// What Mesa noted of it.
    pub(crate) metadata: Metadata,
    /// Where the GPU sees parts of it.
    addresses: BTreeSet<u64>,
}

/// The buffer objects of a process.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    buffers: BTreeMap<u32, Buffer>,
    last: u32,
    vram: u64,
    gtt: u64,
}

impl Buffers {
    /// Makes a buffer of zeros.
    pub(crate) fn create(&mut self, device: &Device, mut created: GemCreate) -> Result<u32, Errno> {
        let is_memory = created.domains & (VRAM | GTT) != 0 && created.domains & !(VRAM | GTT) == 0;
        if created.bytes == 0 || !is_memory {
            return Err(INVALID);
        }
        if device.faults.allocation(created.bytes).is_some() {
            return Err(NO_MEMORY);
        }
        created.bytes = created.bytes.checked_next_multiple_of(PAGE).ok_or(INVALID)?;
        if created.domains & VRAM != 0 && self.vram.saturating_add(created.bytes) > VRAM_BYTES {
            return Err(NO_MEMORY);
        }
        let mut store = device.store();
        let offset = store.allocate(created.bytes).ok_or(NO_MEMORY)?;
        let place = store.place(offset, created.bytes);
        let place = if created.flags & NO_HOST_ACCESS != 0 { place.hidden() } else { place };
        *self.used(created.domains) += created.bytes;
        Ok(self.add(created, place, Some(offset)))
    }

    /// Makes a buffer of memory that the process has.
    pub(crate) fn adopt(&mut self, place: Place) -> u32 {
        let created = GemCreate { bytes: place.bytes(), alignment: PAGE, domains: GTT, flags: 0 };
        self.add(created, place, None)
    }

    fn add(&mut self, created: GemCreate, place: Place, offset: Option<u64>) -> u32 {
        let buffer = Buffer { created, place, offset, metadata: Metadata::zeroed(), addresses: BTreeSet::new() };
        self.last += 1;
        self.buffers.insert(self.last, buffer);
        self.last
    }

    fn used(&mut self, domains: u64) -> &mut u64 {
        if domains & VRAM != 0 { &mut self.vram } else { &mut self.gtt }
    }

    /// Bytes that are taken of the card's memory and of the host's.
    pub(crate) fn used_bytes(&self) -> [u64; 2] {
        [self.vram, self.gtt]
    }

    /// The buffer of a handle.
    pub(crate) fn get(&self, handle: u32) -> Result<&Buffer, Errno> {
        self.buffers.get(&handle).ok_or(INVALID)
    }

    /// The buffer of a handle, to be changed.
    pub(crate) fn get_mut(&mut self, handle: u32) -> Result<&mut Buffer, Errno> {
        self.buffers.get_mut(&handle).ok_or(INVALID)
    }

    /// Removes a buffer, which the GPU no longer sees then.
    pub(crate) fn close(&mut self, device: &Device, handle: u32) -> Result<(), Errno> {
        let buffer = self.buffers.remove(&handle).ok_or(INVALID)?;
        buffer.addresses.iter().for_each(|address| device.memory.unmap(*address));
        if let Some(offset) = buffer.offset {
            device.memory.clear(buffer.place);
            *self.used(buffer.created.domains) -= buffer.created.bytes;
            device.store().release(offset, buffer.created.bytes);
        }
        Ok(())
    }

    /// Lets the GPU see a part of a buffer at an address.
    pub(crate) fn map(&mut self, device: &Device, handle: u32, address: u64, part: (u64, u64)) -> Result<(), Errno> {
        let (offset, bytes) = part;
        let buffer = self.buffers.get_mut(&handle).ok_or(INVALID)?;
        let is_aligned = [address, offset, bytes].iter().all(|value| value.is_multiple_of(PAGE));
        let is_free = device.memory.is_free(address, bytes);
        if !is_aligned || !is_free {
            return Err(INVALID);
        }
        let place = buffer.place.part(offset, bytes).ok_or(INVALID)?;
        device.memory.map(address, place);
        buffer.addresses.insert(address);
        Ok(())
    }

    /// Removes a buffer from the GPU's address space.
    pub(crate) fn unmap(&mut self, device: &Device, handle: u32, address: u64) -> Result<(), Errno> {
        let buffer = self.buffers.get_mut(&handle).ok_or(INVALID)?;
        if !buffer.addresses.remove(&address) {
            return Err(INVALID);
        }
        device.memory.unmap(address);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_host_never_maps_is_hidden() {
        let device = Device::with_page("tahiti", 16 << 20);
        let mut buffers = Buffers::default();
        for (flags, is_hidden) in [(0, false), (NO_HOST_ACCESS, true)] {
            let created = GemCreate { bytes: PAGE, alignment: PAGE, domains: VRAM, flags };
            let handle = buffers.create(&device, created).unwrap();
            assert_eq!(buffers.get(handle).unwrap().place.is_hidden(), is_hidden);
            buffers.close(&device, handle).unwrap();
        }
    }
}
