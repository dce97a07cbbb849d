//! Memory that a kernel gets.
#![expect(
    unsafe_code,
    reason = "`ocl` leaves it to its caller that host memory outlives what is read from it or written to it"
)]

use ocl::core::{CommandQueue, Context, Event, Mem, MemFlags, create_buffer, enqueue_read_buffer};

use super::status::{OpenClError, ask};

/// Fewest dwords of a buffer: 4 KiB.
const LEAST_DWORDS: usize = 1024;

/// A buffer of zeros of at least this many bytes, rounded up to a power of two from 4 KiB on.
///
/// OpenCL promises an alignment of 128 to 256 bytes (`CL_DEVICE_MEM_BASE_ADDR_ALIGN`), and reveals no address. 4 KiB, which the contract of
/// devices has, come from the size: Mesa's winsys puts a buffer of a power of two at a multiple of its size within a slab, and larger ones
/// on pages of their own (`amdgpu_bo.c`, `get_slab_entry_alignment`); ROCr's pools give whole pages.
///
/// # Errors
/// The memory is refused.
pub(super) fn zeros(context: &Context, bytes: usize) -> Result<Mem, OpenClError> {
    let dwords = bytes.div_ceil(4).next_power_of_two().max(LEAST_DWORDS);
    let zeros = vec![0u32; dwords];
    let flags = MemFlags::new().read_write().copy_host_ptr();
    // SAFETY: with CL_MEM_COPY_HOST_PTR the zeros are copied before the call returns.
    ask(|| unsafe { create_buffer(context, flags, dwords, Some(&zeros)) })
}

/// The first `dwords` of a buffer after a kernel has ended.
///
/// # Errors
/// The buffer cannot be read.
pub(super) fn read(queue: &CommandQueue, buffer: &Mem, dwords: usize) -> Result<Vec<u32>, OpenClError> {
    let mut values = vec![0u32; dwords];
    // SAFETY: the call waits until the values are there.
    ask(|| unsafe { enqueue_read_buffer(queue, buffer, true, 0, &mut values, None::<Event>, None::<&mut Event>) })?;
    Ok(values)
}
