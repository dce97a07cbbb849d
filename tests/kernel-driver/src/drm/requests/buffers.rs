//! Requests for buffer objects.

use crate::driver::Driver;
use crate::drm::request::{GemClose, GemCreate, GemOperation, GemVa, Handle, Metadata, MmapOffset, UserPointer};
use crate::ioctl::{Errno, INVALID, own_pages, pointed};
use crate::report::report;

/// `AMDGPU_VA_OP_MAP` and `AMDGPU_VA_OP_UNMAP`.
const MAP: u32 = 1;
const UNMAP: u32 = 2;
/// `AMDGPU_GEM_OP_GET_GEM_CREATE_INFO` and `AMDGPU_GEM_OP_SET_PLACEMENT`.
const GET_CREATE_INFORMATION: u32 = 0;
const SET_PLACEMENT: u32 = 1;
/// `AMDGPU_GEM_METADATA_OP_SET_METADATA` and `AMDGPU_GEM_METADATA_OP_GET_METADATA`.
const SET_METADATA: u32 = 1;
const GET_METADATA: u32 = 2;

/// Makes a buffer.
pub(super) fn create(driver: &Driver, create: GemCreate) -> Result<Handle, Errno> {
    let handle = driver.drm.buffers().create(&driver.device, create)?;
    Ok(Handle { handle, pad: 0 })
}

/// Makes a buffer of memory that the process has.
pub(super) fn adopt(driver: &Driver, pointer: &mut UserPointer) -> Result<(), Errno> {
    let place = own_pages(pointer.address, pointer.bytes)?;
    pointer.handle = driver.drm.buffers().adopt(place);
    Ok(())
}

/// Removes a buffer.
pub(super) fn close(driver: &Driver, close: &mut GemClose) -> Result<(), Errno> {
    driver.drm.buffers().close(&driver.device, close.handle)
}

/// Where in the device file the process maps a buffer.
pub(super) fn offset(driver: &Driver, handle: Handle) -> Result<MmapOffset, Errno> {
    let buffers = driver.drm.buffers();
    let buffer = buffers.get(handle.handle)?;
    let offset = buffer.offset.filter(|_| !buffer.place.is_hidden()).ok_or(INVALID)?;
    Ok(MmapOffset { offset })
}

/// Maps a buffer into the GPU's address space, or unmaps it. Sparse buffers, which the other operations are for, are not there.
pub(super) fn map(driver: &Driver, map: &mut GemVa) -> Result<(), Errno> {
    let mut buffers = driver.drm.buffers();
    match map.operation {
        MAP => buffers.map(&driver.device, map.handle, map.address, (map.offset, map.bytes)),
        UNMAP => buffers.unmap(&driver.device, map.handle, map.address),
        operation => {
            report(format_args!("the DRM driver does not know operation {operation} of AMDGPU_GEM_VA"));
            Err(INVALID)
        }
    }
}

/// Returns a buffer's creation parameters. Its place makes no difference.
pub(super) fn operate(driver: &Driver, operation: &mut GemOperation) -> Result<(), Errno> {
    let created = driver.drm.buffers().get(operation.handle)?.created;
    match operation.operation {
        GET_CREATE_INFORMATION => {
            let bytes = bytemuck::bytes_of(&created);
            pointed(operation.value, bytes.len() as u64)?.write(bytes);
            Ok(())
        }
        SET_PLACEMENT => Ok(()),
        _ => Err(INVALID),
    }
}

/// Keeps Mesa's notes about a buffer for other processes, which do not exist here.
pub(super) fn metadata(driver: &Driver, metadata: &mut Metadata) -> Result<(), Errno> {
    let mut buffers = driver.drm.buffers();
    let kept = &mut buffers.get_mut(metadata.handle)?.metadata;
    match metadata.operation {
        SET_METADATA => *kept = *metadata,
        GET_METADATA => *metadata = Metadata { handle: metadata.handle, operation: metadata.operation, ..*kept },
        _ => return Err(INVALID),
    }
    Ok(())
}
