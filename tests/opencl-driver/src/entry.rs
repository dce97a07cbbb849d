//! The ICD loader's entry points in the library: `cl_khr_icd`, "Source of the list of platforms".
#![expect(unsafe_code, reason = "the loader finds these functions by their names in the library")]

use std::ffi::{c_char, c_void};

use opencl_sys::{cl_int, cl_platform_id, cl_platform_info, cl_uint};

use crate::api::platform;
use crate::{handle, table};

/// Gives the functions that the loader asks for by name.
///
/// # Safety
/// The name ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetExtensionFunctionAddress(name: *const c_char) -> *mut c_void {
    handle::lead_to(table::get());
    // SAFETY: the contract is the same.
    unsafe { platform::get_function(name) }
}

/// The platforms of this driver: one.
///
/// # Safety
/// The pointers are null or valid for the data that is written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clIcdGetPlatformIDsKHR(
    entries: cl_uint,
    platforms: *mut cl_platform_id,
    count: *mut cl_uint,
) -> cl_int {
    handle::lead_to(table::get());
    // SAFETY: the contract is the same.
    unsafe { platform::get_ids(entries, platforms, count) }
}

/// Information about a platform; ocl-icd asks before it uses the dispatch table.
///
/// # Safety
/// The pointers are null or valid for the data that is written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetPlatformInfo(
    platform: cl_platform_id,
    name: cl_platform_info,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> cl_int {
    handle::lead_to(table::get());
    // SAFETY: the contract is the same.
    unsafe { platform::get_info(platform, name, room, value, size) }
}
