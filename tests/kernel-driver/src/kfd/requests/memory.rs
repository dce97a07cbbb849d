//! Requests for memory of the card, and for memory of the host that the GPU may use.

use gcn_simulated_card::VRAM_BYTES;

use super::{Errno, INVALID, NO_MEMORY};
use crate::driver::Driver;
use crate::ioctl::own_pages;
use crate::kfd::allocations::Allocation;
use crate::kfd::request::{AllocateMemory, AvailableMemory, FreeMemory, MapMemory};
use crate::place::PAGE;
use crate::store::{DOORBELL_BYTES, DOORBELLS, UNSEEN};

/// `KFD_IOC_ALLOC_MEM_FLAGS_VRAM`.
const VRAM: u32 = 1 << 0;
/// `KFD_IOC_ALLOC_MEM_FLAGS_USERPTR`: memory that the process has already.
const USER_POINTER: u32 = 1 << 2;
/// `KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL`.
const DOORBELL: u32 = 1 << 3;
/// `KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC`: the process wants to see it. Without it memory of the card cannot be mapped (Linux,
/// `amdgpu_amdkfd_gpuvm.c`: `AMDGPU_GEM_CREATE_NO_CPU_ACCESS`).
const PUBLIC: u32 = 1 << 29;
/// `KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM`: mapped twice in a row, with half the bytes of it.
const QUEUE_MEMORY: u32 = 1 << 27;

/// Allocates memory; it is the GPU's only when it has been mapped.
pub(super) fn allocate(driver: &Driver, request: &mut AllocateMemory) -> Result<(), Errno> {
    if request.bytes == 0 {
        return Err(INVALID);
    }
    if driver.device.faults.allocation(request.bytes).is_some() {
        return Err(NO_MEMORY);
    }
    let mut allocations = driver.allocations();
    let is_double = request.flags & QUEUE_MEMORY != 0;
    let bytes = if is_double { request.bytes / 2 } else { request.bytes };
    // The driver maps whole pages.
    let bytes = bytes.checked_next_multiple_of(PAGE).ok_or(INVALID)?;
    let vram = if request.flags & VRAM != 0 { bytes } else { 0 };
    if allocations.vram.saturating_add(vram) > VRAM_BYTES {
        return Err(NO_MEMORY);
    }
    let (offset, place) = if request.flags & USER_POINTER != 0 {
        (None, own_pages(request.mmap_offset, bytes)?)
    } else {
        let mut store = driver.device.store();
        if request.flags & DOORBELL != 0 {
            request.mmap_offset = DOORBELLS;
            (None, store.place(DOORBELLS, bytes.min(DOORBELL_BYTES)))
        } else {
            let offset = store.allocate(bytes).ok_or(NO_MEMORY)?;
            let place = store.place(offset, bytes);
            if request.flags & (VRAM | PUBLIC) == VRAM {
                request.mmap_offset = UNSEEN + offset;
                (Some(offset), place.hidden())
            } else {
                request.mmap_offset = offset;
                (Some(offset), place)
            }
        }
    };
    allocations.last += 1;
    allocations.vram += vram;
    request.handle = allocations.last;
    let allocation = Allocation { address: request.address, place, is_double, offset, vram };
    allocations.allocations.insert(request.handle, allocation);
    Ok(())
}

/// Frees memory, which the GPU no longer sees then.
pub(super) fn free(driver: &Driver, request: &mut FreeMemory) -> Result<(), Errno> {
    let mut allocations = driver.allocations();
    let allocation = allocations.allocations.remove(&request.handle).ok_or(INVALID)?;
    allocation.unmap(&driver.device.memory);
    allocations.vram -= allocation.vram;
    if let Some(offset) = allocation.offset {
        driver.device.memory.clear(allocation.place);
        driver.device.store().release(offset, allocation.place.bytes());
    }
    Ok(())
}

/// Maps memory to the GPU or unmaps it.
pub(super) fn map(driver: &Driver, request: &mut MapMemory, is_mapped: bool) -> Result<(), Errno> {
    let allocations = driver.allocations();
    let allocation = allocations.allocations.get(&request.handle).ok_or(INVALID)?;
    if is_mapped {
        allocation.map(&driver.device.memory);
    } else {
        allocation.unmap(&driver.device.memory);
    }
    request.successes = request.devices;
    Ok(())
}

/// The free memory of the card.
pub(super) fn available(driver: &Driver, request: &mut AvailableMemory) -> Result<(), Errno> {
    request.bytes = VRAM_BYTES - driver.allocations().vram;
    Ok(())
}
