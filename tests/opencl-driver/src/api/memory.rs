//! Memory objects: OpenCL 1.2, sections 5.2.1 and 5.4. There are buffers only.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use opencl_sys::*;

use crate::answer::Answer;
use crate::buffer::Buffer;
use crate::call;
use crate::call::status;
use crate::context::Context;
use crate::device::BASE_ALIGNMENT_BYTES;
use crate::failure::{Done, Failure, require};
use crate::handle::Handle;
use crate::host_memory::HostMemory;
use crate::object_table::Object;
use crate::raw::{Out, list};
use gcn_simulated_card::VRAM_BYTES;

const ACCESS: cl_mem_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
const HOST_ACCESS: cl_mem_flags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
const HOST_POINTER: cl_mem_flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

/// Checks flags that say who may do what with a buffer.
fn check_flags(flags: cl_mem_flags, known: cl_mem_flags) -> Done<()> {
    require(flags & !known == 0, CL_INVALID_VALUE, || format!("flags {flags:#x} with unknown bits"))?;
    let is_one = |group: cl_mem_flags| (flags & group).count_ones() <= 1;
    require(is_one(ACCESS), CL_INVALID_VALUE, || format!("flags {flags:#x} with two kinds of kernel access"))?;
    require(is_one(HOST_ACCESS), CL_INVALID_VALUE, || format!("flags {flags:#x} with two kinds of host access"))?;
    let exclusive = flags & CL_MEM_USE_HOST_PTR != 0 && flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
    require(!exclusive, CL_INVALID_VALUE, || {
        format!("flags {flags:#x}: CL_MEM_USE_HOST_PTR goes with no other kind of host memory")
    })
}

/// `clCreateBuffer`.
pub(crate) unsafe extern "C" fn create(
    context: cl_context,
    flags: cl_mem_flags,
    bytes: usize,
    host: *mut c_void,
    code: *mut cl_int,
) -> cl_mem {
    // SAFETY: by the contract of the API: the program's memory is read now, and with CL_MEM_USE_HOST_PTR is the buffer's as long as there
    // is one.
    let (code, memory) = unsafe { (Out::new(code), HostMemory::new(host, bytes)) };
    call::create("clCreateBuffer", &code, |driver| {
        let context = driver.objects.get::<Context>(Handle::of(context))?;
        check_flags(flags, ACCESS | HOST_ACCESS | HOST_POINTER)?;
        let most = VRAM_BYTES as usize / 100 * 85;
        require((1..=most).contains(&bytes), CL_INVALID_BUFFER_SIZE, || {
            format!("{bytes} bytes: 1 to {most} are allowed")
        })?;
        let wants_host = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
        require(wants_host != host.is_null(), CL_INVALID_HOST_PTR, || {
            format!("flags {flags:#x} with a host pointer that is {}null", if wants_host { "" } else { "not " })
        })?;
        let allocation = Arc::new(context.device.allocate(bytes as u64)?);
        let buffer = Buffer {
            handle: Handle::new(),
            context,
            flags: if flags & ACCESS == 0 { flags | CL_MEM_READ_WRITE } else { flags },
            bytes,
            allocation,
            whole: None,
            origin: 0,
            host: (flags & CL_MEM_USE_HOST_PTR != 0).then_some(memory),
            mappings: Mutex::default(),
        };
        if wants_host {
            buffer.store(0, &memory.read())?;
        }
        Ok(driver.objects.add(buffer.handle, Object::Buffer(Arc::new(buffer))))
    })
}

/// `clCreateSubBuffer`.
pub(crate) unsafe extern "C" fn create_part(
    whole: cl_mem,
    flags: cl_mem_flags,
    kind: cl_buffer_create_type,
    region: *const c_void,
    code: *mut cl_int,
) -> cl_mem {
    // SAFETY: by the contract of the API: for the one kind that there is, the pointer is one to a `cl_buffer_region`.
    let (region, code) = unsafe { (list(1, region.cast::<cl_buffer_region>()), Out::new(code)) };
    call::create("clCreateSubBuffer", &code, |driver| {
        let whole = driver.objects.get::<Buffer>(Handle::of(whole))?;
        require(whole.whole.is_none(), CL_INVALID_MEM_OBJECT, || "a part of a part of a buffer".into())?;
        check_flags(flags, ACCESS | HOST_ACCESS)?;
        let is_wider =
            flags & ACCESS != 0 && whole.flags & CL_MEM_READ_WRITE == 0 && flags & ACCESS != whole.flags & ACCESS;
        require(!is_wider, CL_INVALID_VALUE, || {
            format!("flags {flags:#x} of a part of a buffer of {:#x}", whole.flags)
        })?;
        require(kind == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE, || format!("kind {kind:#x}"))?;
        let region = region.and_then(|region| region.first().copied());
        let region = region.ok_or_else(|| Failure::wrong(CL_INVALID_VALUE, "no region"))?;
        require(region.size > 0, CL_INVALID_BUFFER_SIZE, || "a region of 0 bytes".into())?;
        whole.check_range(region.origin, region.size)?;
        let is_aligned = region.origin.is_multiple_of(BASE_ALIGNMENT_BYTES);
        require(is_aligned, CL_MISALIGNED_SUB_BUFFER_OFFSET, || {
            format!("origin {}, no multiple of {BASE_ALIGNMENT_BYTES}", region.origin)
        })?;
        let inherited = |group: cl_mem_flags| if flags & group == 0 { whole.flags & group } else { flags & group };
        let buffer = Buffer {
            handle: Handle::new(),
            context: Arc::clone(&whole.context),
            flags: inherited(ACCESS) | inherited(HOST_ACCESS) | whole.flags & HOST_POINTER,
            bytes: region.size,
            allocation: Arc::clone(&whole.allocation),
            origin: region.origin,
            host: whole.host.and_then(|host| host.part(region.origin, region.size)),
            mappings: Mutex::default(),
            whole: Some(whole),
        };
        Ok(driver.objects.add(buffer.handle, Object::Buffer(Arc::new(buffer))))
    })
}

/// `clRetainMemObject`.
pub(crate) unsafe extern "C" fn retain(memory: cl_mem) -> cl_int {
    status("clRetainMemObject", |driver| driver.objects.retain::<Buffer>(Handle::of(memory)))
}

/// `clReleaseMemObject`.
pub(crate) unsafe extern "C" fn release(memory: cl_mem) -> cl_int {
    status("clReleaseMemObject", |driver| {
        let handle = Handle::of(memory);
        let buffer = driver.objects.get::<Buffer>(handle)?;
        let is_last = driver.objects.references::<Buffer>(handle)? == 1;
        require(!is_last || !buffer.is_mapped(), CL_INVALID_OPERATION, || {
            "the last release of a buffer that is mapped".into()
        })?;
        driver.objects.release::<Buffer>(handle).map(drop)
    })
}

/// `clGetMemObjectInfo`.
pub(crate) unsafe extern "C" fn get_info(
    memory: cl_mem,
    name: cl_mem_info,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let answer = unsafe { Answer::new(room, value, size) };
    status("clGetMemObjectInfo", |driver| {
        let handle = Handle::of(memory);
        let buffer = driver.objects.get::<Buffer>(handle)?;
        match name {
            CL_MEM_TYPE => answer.u32(CL_MEM_OBJECT_BUFFER),
            CL_MEM_FLAGS => answer.u64(buffer.flags),
            CL_MEM_SIZE => answer.sizes(&[buffer.bytes]),
            CL_MEM_HOST_PTR => answer.sizes(&[buffer.host.map_or(0, |host| host.address())]),
            CL_MEM_MAP_COUNT => {
                answer.u32(buffer.mappings().iter().filter(|mapping| !mapping.is_ending).count() as u32)
            }
            CL_MEM_REFERENCE_COUNT => answer.u32(driver.objects.references::<Buffer>(handle)?),
            CL_MEM_CONTEXT => answer.handle(Some(buffer.context.handle)),
            CL_MEM_ASSOCIATED_MEMOBJECT => answer.handle(buffer.whole.as_ref().map(|whole| whole.handle)),
            CL_MEM_OFFSET => answer.sizes(&[buffer.origin]),
            _ => Err(Failure::question(CL_INVALID_VALUE)),
        }
    })
}
