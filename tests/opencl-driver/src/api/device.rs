//! Devices: OpenCL 1.2, sections 4.2 and 4.3, and `cl_amd_device_attribute_query`.

use std::ffi::c_void;
use std::sync::Arc;

use gcn_simulated_card::VRAM_BYTES;
use opencl_sys::*;

use super::platform::{VENDOR, driver};
use crate::answer::Answer;
use crate::call::status;
use crate::device::{BASE_ALIGNMENT_BYTES, Device, MAX_GROUP};
use crate::failure::{Done, Failure, require};
use crate::handle::Handle;
use crate::raw::Out;

/// AMD's number in PCI.
const VENDOR_ID: u32 = 0x1002;
/// Largest buffer, as a part of the card's memory (ROCclr: 85 percent, and not less than a quarter by the specification).
const MAX_ALLOCATION_BYTES: u64 = VRAM_BYTES / 100 * 85;
/// Lanes of a SIMD.
const SIMD_WIDTH: u32 = 16;
/// Work-items of a wave.
const WAVE: u32 = 64;
/// All types that a device can have.
const TYPES: cl_device_type = CL_DEVICE_TYPE_DEFAULT
    | CL_DEVICE_TYPE_CPU
    | CL_DEVICE_TYPE_GPU
    | CL_DEVICE_TYPE_ACCELERATOR
    | CL_DEVICE_TYPE_CUSTOM;

/// Checks a device type, and says whether a GPU is of it.
pub(super) fn is_of_type(wanted: cl_device_type) -> Done<bool> {
    let is_known = wanted == CL_DEVICE_TYPE_ALL || wanted != 0 && wanted & !TYPES == 0;
    require(is_known, CL_INVALID_DEVICE_TYPE, || format!("device type {wanted:#x}"))?;
    Ok(wanted & (CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_GPU) != 0)
}

/// `clGetDeviceIDs`.
pub(crate) unsafe extern "C" fn get_ids(
    platform: cl_platform_id,
    wanted: cl_device_type,
    entries: cl_uint,
    devices: *mut cl_device_id,
    count: *mut cl_uint,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let (devices, count) = unsafe { (Out::new(devices), Out::new(count)) };
    status("clGetDeviceIDs", |driver| {
        driver.check_platform(Handle::of(platform))?;
        require(devices.is_wanted() || count.is_wanted(), CL_INVALID_VALUE, || "nothing is asked for".into())?;
        require(devices.is_wanted() == (entries > 0), CL_INVALID_VALUE, || {
            format!("room for {entries} devices, and a list that is {}null", if entries > 0 { "" } else { "not " })
        })?;
        let is_gpu = is_of_type(wanted)?;
        let Some(device) = driver.device.as_ref().filter(|_| is_gpu) else {
            count.put(0);
            return Err(Failure::question(CL_DEVICE_NOT_FOUND));
        };
        devices.put(device.handle.pointer());
        count.put(1);
        Ok(())
    })
}

/// `clGetDeviceInfo`.
pub(crate) unsafe extern "C" fn get_info(
    device: cl_device_id,
    name: cl_device_info,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let answer = unsafe { Answer::new(room, value, size) };
    status("clGetDeviceInfo", |driver| {
        let platform = driver.platform;
        let device = driver.device(Handle::of(device))?;
        match name {
            CL_DEVICE_PLATFORM => answer.handle(Some(platform)),
            CL_DEVICE_TYPE => answer.u64(CL_DEVICE_TYPE_GPU),
            CL_DEVICE_NAME => answer.text(&device.target_id()),
            CL_DEVICE_VENDOR => answer.text(VENDOR),
            CL_DRIVER_VERSION => answer.text(driver!()),
            CL_DEVICE_PROFILE => answer.text("FULL_PROFILE"),
            CL_DEVICE_VERSION => answer.text(concat!("OpenCL 1.2 ", driver!())),
            CL_DEVICE_OPENCL_C_VERSION => answer.text("OpenCL C 1.2 "),
            CL_DEVICE_EXTENSIONS => answer.text("cl_amd_device_attribute_query"),
            CL_DEVICE_BUILT_IN_KERNELS => answer.text(""),
            CL_DEVICE_VENDOR_ID => answer.u32(VENDOR_ID),
            CL_DEVICE_REFERENCE_COUNT | CL_DEVICE_PARTITION_MAX_SUB_DEVICES => answer.u32(1),
            CL_DEVICE_PARENT_DEVICE => answer.handle(None),
            CL_DEVICE_PARTITION_PROPERTIES | CL_DEVICE_PARTITION_TYPE => answer.u64(0),
            CL_DEVICE_PARTITION_AFFINITY_DOMAIN => answer.u64(0),
            CL_DEVICE_AVAILABLE => answer.u32((!device.is_gone()).into()),
            CL_DEVICE_COMPILER_AVAILABLE | CL_DEVICE_LINKER_AVAILABLE => answer.u32(CL_FALSE),
            CL_DEVICE_EXECUTION_CAPABILITIES => answer.u64(CL_EXEC_KERNEL),
            CL_DEVICE_QUEUE_PROPERTIES => answer.u64(CL_QUEUE_PROFILING_ENABLE),
            // AMD's own questions have the numbers from 0x4030 on (`cl_ext.h`).
            0x4030..0x4050 => amd(&device, name, &answer),
            _ => limits(&device, name, &answer),
        }
    })
}

/// Sizes, counts and kinds.
fn limits(device: &Arc<Device>, name: cl_device_info, answer: &Answer) -> Done<()> {
    match name {
        CL_DEVICE_MAX_COMPUTE_UNITS => answer.u32(device.card.compute_units()),
        CL_DEVICE_MAX_CLOCK_FREQUENCY => answer.u32(device.card.gpu.clock.shader_mhz as u32),
        CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS => answer.u32(3),
        CL_DEVICE_MAX_WORK_ITEM_SIZES => answer.sizes(&[MAX_GROUP; 3]),
        CL_DEVICE_MAX_WORK_GROUP_SIZE => answer.sizes(&[MAX_GROUP]),
        CL_DEVICE_ADDRESS_BITS => answer.u32(64),
        CL_DEVICE_GLOBAL_MEM_SIZE => answer.u64(VRAM_BYTES),
        CL_DEVICE_MAX_MEM_ALLOC_SIZE | CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => answer.u64(MAX_ALLOCATION_BYTES),
        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE => answer.u32(CL_READ_WRITE_CACHE),
        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE => answer.u32(64),
        // The vector L1 cache of a compute unit (facts §1.5 and GCN's whitepaper).
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE => answer.u64(16 << 10),
        CL_DEVICE_MAX_CONSTANT_ARGS => answer.u32(8),
        CL_DEVICE_MAX_PARAMETER_SIZE => answer.sizes(&[1024]),
        CL_DEVICE_LOCAL_MEM_TYPE => answer.u32(CL_LOCAL),
        CL_DEVICE_LOCAL_MEM_SIZE => answer.u64(device.lds_bytes()),
        CL_DEVICE_MEM_BASE_ADDR_ALIGN => answer.u32(BASE_ALIGNMENT_BYTES as u32 * 8),
        CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE => answer.u32(128),
        CL_DEVICE_PROFILING_TIMER_RESOLUTION => answer.sizes(&[1]),
        CL_DEVICE_PRINTF_BUFFER_SIZE => answer.sizes(&[1 << 20]),
        CL_DEVICE_ENDIAN_LITTLE | CL_DEVICE_PREFERRED_INTEROP_USER_SYNC => answer.u32(CL_TRUE),
        CL_DEVICE_ERROR_CORRECTION_SUPPORT | CL_DEVICE_HOST_UNIFIED_MEMORY | CL_DEVICE_IMAGE_SUPPORT => {
            answer.u32(CL_FALSE)
        }
        CL_DEVICE_MAX_READ_IMAGE_ARGS | CL_DEVICE_MAX_WRITE_IMAGE_ARGS | CL_DEVICE_MAX_SAMPLERS => answer.u32(0),
        CL_DEVICE_IMAGE2D_MAX_WIDTH
        | CL_DEVICE_IMAGE2D_MAX_HEIGHT
        | CL_DEVICE_IMAGE3D_MAX_WIDTH
        | CL_DEVICE_IMAGE3D_MAX_HEIGHT
        | CL_DEVICE_IMAGE3D_MAX_DEPTH
        | CL_DEVICE_IMAGE_MAX_BUFFER_SIZE
        | CL_DEVICE_IMAGE_MAX_ARRAY_SIZE => answer.sizes(&[0]),
        CL_DEVICE_SINGLE_FP_CONFIG | CL_DEVICE_DOUBLE_FP_CONFIG => answer.u64(
            CL_FP_DENORM
                | CL_FP_INF_NAN
                | CL_FP_ROUND_TO_NEAREST
                | CL_FP_ROUND_TO_ZERO
                | CL_FP_ROUND_TO_INF
                | CL_FP_FMA,
        ),
        // In ROCclr all widths are those of a dword, and halves have none.
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR | CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR => answer.u32(4),
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT | CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT => answer.u32(2),
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_INT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE => answer.u32(1),
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF | CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF => answer.u32(0),
        _ => Err(Failure::question(CL_INVALID_VALUE)),
    }
}

/// What AMD's drivers say beyond the specification.
fn amd(device: &Arc<Device>, name: cl_device_info, answer: &Answer) -> Done<()> {
    let gpu = &device.card.gpu;
    match name {
        CL_DEVICE_BOARD_NAME_AMD => answer.text(&gpu.product),
        // `cl_device_topology_amd`: PCIe (1), unused bytes, then bus, device and function.
        CL_DEVICE_TOPOLOGY_AMD => {
            let mut topology = [0; 24];
            topology[0] = 1;
            topology[21] = 1;
            answer.bytes(&topology)
        }
        CL_DEVICE_PCIE_ID_AMD => answer.u32(device.card.chip.device_id),
        CL_DEVICE_GFXIP_MAJOR_AMD => answer.u32(device.card.version[0]),
        CL_DEVICE_GFXIP_MINOR_AMD => answer.u32(device.card.version[1]),
        CL_DEVICE_PROFILING_TIMER_OFFSET_AMD => answer.u64(0),
        CL_DEVICE_GLOBAL_FREE_MEMORY_AMD => answer.sizes(&[VRAM_BYTES as usize >> 10; 2]),
        CL_DEVICE_SIMD_PER_COMPUTE_UNIT_AMD => answer.u32(gpu.registers.simds),
        CL_DEVICE_SIMD_WIDTH_AMD => answer.u32(SIMD_WIDTH),
        CL_DEVICE_SIMD_INSTRUCTION_WIDTH_AMD => answer.u32(1),
        CL_DEVICE_WAVEFRONT_WIDTH_AMD => answer.u32(WAVE),
        CL_DEVICE_LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD => answer.u32(gpu.lds.bytes.0),
        CL_DEVICE_LOCAL_MEM_BANKS_AMD => answer.u32(gpu.lds.banks),
        CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_AMD | CL_DEVICE_MAX_WORK_GROUP_SIZE_AMD => answer.sizes(&[MAX_GROUP]),
        _ => Err(Failure::question(CL_INVALID_VALUE)),
    }
}

/// `clRetainDevice`: a device that is no part of another has no count.
pub(crate) unsafe extern "C" fn retain(device: cl_device_id) -> cl_int {
    status("clRetainDevice", |driver| driver.device(Handle::of(device)).map(drop))
}

/// `clReleaseDevice`.
pub(crate) unsafe extern "C" fn release(device: cl_device_id) -> cl_int {
    status("clReleaseDevice", |driver| driver.device(Handle::of(device)).map(drop))
}
