//! Platforms: OpenCL 1.2, section 4.1, and `cl_khr_icd`.

use std::ffi::{c_char, c_void};

use opencl_sys::*;

use crate::answer::Answer;
use crate::call::status;
use crate::failure::{Failure, require};
use crate::handle::Handle;
use crate::raw::{Out, text};

/// The name of AMD's platform, by which programs know it.
const NAME: &str = "AMD Accelerated Parallel Processing";
/// The vendor of AMD's platform and devices.
pub(super) const VENDOR: &str = "Advanced Micro Devices, Inc.";

/// What this driver calls itself where AMD's has its build number.
macro_rules! driver {
    () => {
        "gcn-timings strict driver"
    };
}
pub(super) use driver;

/// `clGetPlatformIDs`.
pub(crate) unsafe extern "C" fn get_ids(
    entries: cl_uint,
    platforms: *mut cl_platform_id,
    count: *mut cl_uint,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let (platforms, count) = unsafe { (Out::new(platforms), Out::new(count)) };
    status("clGetPlatformIDs", |driver| {
        require(platforms.is_wanted() || count.is_wanted(), CL_INVALID_VALUE, || "nothing is asked for".into())?;
        require(platforms.is_wanted() == (entries > 0), CL_INVALID_VALUE, || {
            format!("room for {entries} platforms, and a list that is {}null", if entries > 0 { "" } else { "not " })
        })?;
        platforms.put(driver.platform.pointer());
        count.put(1);
        Ok(())
    })
}

/// `clGetPlatformInfo`.
pub(crate) unsafe extern "C" fn get_info(
    platform: cl_platform_id,
    name: cl_platform_info,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let answer = unsafe { Answer::new(room, value, size) };
    status("clGetPlatformInfo", |driver| {
        driver.check_platform(Handle::of(platform))?;
        answer.text(match name {
            CL_PLATFORM_PROFILE => "FULL_PROFILE",
            CL_PLATFORM_VERSION => concat!("OpenCL 1.2 AMD-APP (", driver!(), ")"),
            CL_PLATFORM_NAME => NAME,
            CL_PLATFORM_VENDOR => VENDOR,
            CL_PLATFORM_EXTENSIONS => "cl_khr_icd",
            CL_PLATFORM_ICD_SUFFIX_KHR => "AMD",
            _ => return Err(Failure::question(CL_INVALID_VALUE)),
        })
    })
}

/// `clGetExtensionFunctionAddress`.
pub(crate) unsafe extern "C" fn get_function(name: *const c_char) -> *mut c_void {
    // These and not the exported functions: a program that is linked with the ICD loader has others of the same names.
    // SAFETY: by the contract of the API.
    match unsafe { text(name) }.as_deref() {
        Some("clIcdGetPlatformIDsKHR") => get_ids as *mut c_void,
        Some("clGetPlatformInfo") => get_info as *mut c_void,
        Some("clGetExtensionFunctionAddress") => get_function as *mut c_void,
        // Programs ask for features that a driver may or may not have.
        _ => std::ptr::null_mut(),
    }
}

/// `clGetExtensionFunctionAddressForPlatform`.
pub(crate) unsafe extern "C" fn get_function_for(_platform: cl_platform_id, name: *const c_char) -> *mut c_void {
    // SAFETY: the contract is the same.
    unsafe { get_function(name) }
}

/// `clUnloadCompiler`: a hint, and there is no compiler.
pub(crate) unsafe extern "C" fn unload_compiler() -> cl_int {
    CL_SUCCESS
}

/// `clUnloadPlatformCompiler`: the same.
pub(crate) unsafe extern "C" fn unload_compiler_of(platform: cl_platform_id) -> cl_int {
    status("clUnloadPlatformCompiler", |driver| driver.check_platform(Handle::of(platform)))
}
