//! Reading, writing, filling, copying and mapping buffers: OpenCL 1.2, sections 5.2.2 to 5.2.4 and 5.4.

use std::ffi::c_void;
use std::sync::Arc;

use opencl_sys::*;

use crate::buffer::{Buffer, Mapping};
use crate::call::{pointer, status};
use crate::command::{Action, Range};
use crate::driver::Driver;
use crate::event::Event;
use crate::execution::{Order, enqueue, wait_list};
use crate::failure::{Done, Failure, require};
use crate::handle::Handle;
use crate::host_memory::HostMemory;
use crate::queue::Queue;
use crate::raw::{Out, list};

/// A queue, a wait list and a place for an event, as the program passes them.
struct Place {
    queue: Handle,
    count: cl_uint,
    waits: Option<Vec<cl_event>>,
    event: Out<cl_event>,
}

impl Place {
    /// # Safety
    /// The pointers are null or valid for the data that is read or written there.
    unsafe fn new(queue: cl_command_queue, count: cl_uint, waits: *const cl_event, event: *mut cl_event) -> Self {
        // SAFETY: by the contract of this function.
        let (waits, event) = unsafe { (list(count as usize, waits), Out::new(event)) };
        Self { queue: Handle::of(queue), count, waits, event }
    }

    fn order(self, driver: &mut Driver, command: cl_command_type, is_blocking: bool) -> Done<(Arc<Queue>, Order)> {
        let queue = driver.objects.get::<Queue>(self.queue)?;
        let waits: Vec<Arc<Event>> = wait_list(&mut driver.objects, &queue, self.count, self.waits)?;
        Ok((queue, Order { command, waits, event: self.event, is_blocking }))
    }
}

/// A range of a buffer that belongs to the queue's context, and is not mapped.
fn range(driver: &mut Driver, queue: &Queue, memory: cl_mem, offset: usize, bytes: usize) -> Done<Range> {
    let handle = Handle::of(memory);
    let buffer = driver.objects.get::<Buffer>(handle)?;
    queue.context.check_same(&buffer.context, "the buffer")?;
    buffer.check_range(offset, bytes)?;
    require(!buffer.is_mapped(), CL_INVALID_OPERATION, || format!("{} is mapped", driver.objects.label(handle)))?;
    Ok(Range { buffer, offset, bytes })
}

fn check_pointer<T>(pointer: *const T) -> Done<()> {
    require(!pointer.is_null(), CL_INVALID_VALUE, || "the host's pointer is null".into())
}

/// `clEnqueueReadBuffer`.
pub(crate) unsafe extern "C" fn read(
    queue: cl_command_queue,
    memory: cl_mem,
    is_blocking: cl_bool,
    offset: usize,
    bytes: usize,
    into: *mut c_void,
    count: cl_uint,
    waits: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: by the contract of the API: the program's memory stays until the command is done.
    let (place, host) = unsafe { (Place::new(queue, count, waits, event), HostMemory::new(into, bytes)) };
    status("clEnqueueReadBuffer", |driver| {
        let (queue, order) = place.order(driver, CL_COMMAND_READ_BUFFER, is_blocking != CL_FALSE)?;
        let range = range(driver, &queue, memory, offset, bytes)?;
        check_pointer(into)?;
        range.buffer.check_host_access(CL_MEM_HOST_WRITE_ONLY, "read")?;
        enqueue(&mut driver.objects, &queue, Action::Read(range, host), &order)
    })
}

/// `clEnqueueWriteBuffer`.
pub(crate) unsafe extern "C" fn write(
    queue: cl_command_queue,
    memory: cl_mem,
    is_blocking: cl_bool,
    offset: usize,
    bytes: usize,
    from: *const c_void,
    count: cl_uint,
    waits: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: by the contract of the API: the program's memory stays until the command is done.
    let (place, host) = unsafe { (Place::new(queue, count, waits, event), HostMemory::new(from, bytes)) };
    status("clEnqueueWriteBuffer", |driver| {
        let (queue, order) = place.order(driver, CL_COMMAND_WRITE_BUFFER, is_blocking != CL_FALSE)?;
        let range = range(driver, &queue, memory, offset, bytes)?;
        check_pointer(from)?;
        range.buffer.check_host_access(CL_MEM_HOST_READ_ONLY, "write")?;
        enqueue(&mut driver.objects, &queue, Action::Write(range, host), &order)
    })
}

/// `clEnqueueFillBuffer`.
pub(crate) unsafe extern "C" fn fill(
    queue: cl_command_queue,
    memory: cl_mem,
    pattern: *const c_void,
    pattern_bytes: usize,
    offset: usize,
    bytes: usize,
    count: cl_uint,
    waits: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: by the contract of the API; a longer pattern is refused.
    let (place, pattern) =
        unsafe { (Place::new(queue, count, waits, event), list(pattern_bytes.min(128), pattern.cast::<u8>())) };
    status("clEnqueueFillBuffer", |driver| {
        let (queue, order) = place.order(driver, CL_COMMAND_FILL_BUFFER, false)?;
        let range = range(driver, &queue, memory, offset, bytes)?;
        let is_right = pattern_bytes.is_power_of_two() && pattern_bytes <= 128;
        require(is_right, CL_INVALID_VALUE, || format!("a pattern of {pattern_bytes} bytes"))?;
        let is_whole = offset.is_multiple_of(pattern_bytes) && bytes.is_multiple_of(pattern_bytes);
        require(is_whole, CL_INVALID_VALUE, || {
            format!("{bytes} bytes from {offset} on are no multiple of a pattern of {pattern_bytes}")
        })?;
        let pattern = pattern.ok_or_else(|| Failure::wrong(CL_INVALID_VALUE, "the pattern is null"))?;
        enqueue(&mut driver.objects, &queue, Action::Fill(range, pattern), &order)
    })
}

/// `clEnqueueCopyBuffer`.
pub(crate) unsafe extern "C" fn copy(
    queue: cl_command_queue,
    from: cl_mem,
    into: cl_mem,
    from_offset: usize,
    into_offset: usize,
    bytes: usize,
    count: cl_uint,
    waits: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let place = unsafe { Place::new(queue, count, waits, event) };
    status("clEnqueueCopyBuffer", |driver| {
        let (queue, order) = place.order(driver, CL_COMMAND_COPY_BUFFER, false)?;
        let from = range(driver, &queue, from, from_offset, bytes)?;
        let into = range(driver, &queue, into, into_offset, bytes)?;
        let [first, second] = [&from, &into].map(|range| range.buffer.address() + range.offset as u64);
        require(first.abs_diff(second) >= bytes as u64, CL_MEM_COPY_OVERLAP, || "the ranges overlap".into())?;
        enqueue(&mut driver.objects, &queue, Action::Copy(from, into), &order)
    })
}

/// `clEnqueueMapBuffer`.
pub(crate) unsafe extern "C" fn map(
    queue: cl_command_queue,
    memory: cl_mem,
    is_blocking: cl_bool,
    flags: cl_map_flags,
    offset: usize,
    bytes: usize,
    count: cl_uint,
    waits: *const cl_event,
    event: *mut cl_event,
    code: *mut cl_int,
) -> *mut c_void {
    // SAFETY: by the contract of the API.
    let (place, code) = unsafe { (Place::new(queue, count, waits, event), Out::new(code)) };
    pointer("clEnqueueMapBuffer", &code, |driver| {
        let (queue, order) = place.order(driver, CL_COMMAND_MAP_BUFFER, is_blocking != CL_FALSE)?;
        let buffer = driver.objects.get::<Buffer>(Handle::of(memory))?;
        queue.context.check_same(&buffer.context, "the buffer")?;
        buffer.check_range(offset, bytes)?;
        let known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
        let is_known = flags != 0 && flags & !known == 0;
        let is_one = flags & CL_MAP_WRITE_INVALIDATE_REGION == 0 || flags & (CL_MAP_READ | CL_MAP_WRITE) == 0;
        require(is_known && is_one, CL_INVALID_VALUE, || format!("map flags {flags:#x}"))?;
        if flags & CL_MAP_READ != 0 {
            buffer.check_host_access(CL_MEM_HOST_WRITE_ONLY, "read")?;
        }
        if flags & !CL_MAP_READ != 0 {
            buffer.check_host_access(CL_MEM_HOST_READ_ONLY, "write")?;
        }
        queue.check()?;
        let mut own = buffer.host.is_none().then(|| vec![0; bytes].into_boxed_slice());
        let host = match (&mut own, buffer.host) {
            // SAFETY: the bytes live as long as the mapping, and they do not move.
            (Some(own), _) => Some(unsafe { HostMemory::new(own.as_mut_ptr(), bytes) }),
            (None, host) => host.and_then(|host| host.part(offset, bytes)),
        };
        let host = host.ok_or_else(|| Failure::wrong(CL_INVALID_VALUE, "beyond the host's memory"))?;
        buffer.mappings().push(Mapping { memory: host, _own: own, offset, flags, is_ending: false });
        let range = Range { buffer, offset, bytes };
        enqueue(&mut driver.objects, &queue, Action::Map(range, host), &order)?;
        Ok(std::ptr::with_exposed_provenance_mut(host.address()))
    })
}

/// `clEnqueueUnmapMemObject`.
pub(crate) unsafe extern "C" fn unmap(
    queue: cl_command_queue,
    memory: cl_mem,
    mapped: *mut c_void,
    count: cl_uint,
    waits: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let place = unsafe { Place::new(queue, count, waits, event) };
    status("clEnqueueUnmapMemObject", |driver| {
        let (queue, order) = place.order(driver, CL_COMMAND_UNMAP_MEM_OBJECT, false)?;
        let buffer = driver.objects.get::<Buffer>(Handle::of(memory))?;
        queue.context.check_same(&buffer.context, "the buffer")?;
        queue.check()?;
        let address = mapped.addr();
        let is_it = |mapping: &&mut Mapping| !mapping.is_ending && mapping.memory.address() == address;
        let found = buffer.mappings().iter_mut().find(is_it).map(|mapping| mapping.is_ending = true);
        found.ok_or_else(|| Failure::wrong(CL_INVALID_VALUE, format!("{mapped:?} is no mapping of the buffer")))?;
        enqueue(&mut driver.objects, &queue, Action::Unmap(buffer, address), &order)
    })
}
