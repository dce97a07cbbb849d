//! The functions of OpenCL's loader that `ocl` is linked with: each looks up its namesake in the loader and calls it.
//!
//! With them the program needs no OpenCL to start; the linker finds them in place of `libOpenCL` (`build.rs`). They also see every status
//! before `ocl` does (`status::note`).
#![expect(unsafe_code, reason = "these are C functions for `ocl`'s C declarations")]

mod commands;
mod objects;
mod statuses;

use std::ffi::c_int;
use std::io::Write as _;

use ocl::core::Status;
use ocl::core::ffi::{c_char, c_void, cl_platform_id, cl_uint};

use super::library::function;
use super::status::note;

/// The result of a function that this loader does not have.
const MISSING: c_int = Status::CL_INVALID_OPERATION as c_int;

/// Looks up a function once; its type is that of `cl-sys`.
macro_rules! look_up {
    ($name:expr, $type:ty) => {{
        static FUNCTION: std::sync::OnceLock<Option<$type>> = std::sync::OnceLock::new();
        // SAFETY: the type is that of the function of this name.
        *FUNCTION.get_or_init(|| unsafe { $crate::device::opencl::library::function::<$type>($name) })
    }};
}

/// Defines functions: those that give their `status`, which a function notes first; those that give an `object`, and their status through a
/// pointer.
macro_rules! forward {
    (status($note:path) $($name:ident($($parameter:ident: $type:ty),*);)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "system" fn $name($($parameter: $type),*) -> cl_int {
            type Function = unsafe extern "system" fn($($type),*) -> cl_int;
            let function = super::look_up!(concat!(stringify!($name), "\0"), Function);
            // SAFETY: the parameters are the caller's, unchanged.
            let status = function.map_or(super::MISSING, |function| unsafe { function($($parameter),*) });
            $note(stringify!($name), status)
        }
    )*};
    (object($status:ident: $status_type:ty) $($name:ident($($parameter:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "system" fn $name($($parameter: $type,)* $status: $status_type) -> $result {
            type Function = unsafe extern "system" fn($($type,)* $status_type) -> $result;
            let function = super::look_up!(concat!(stringify!($name), "\0"), Function);
            // SAFETY: the parameters are the caller's, unchanged; the last one is null or valid, for `note_at` as well.
            unsafe {
                let result = match function {
                    Some(function) => function($($parameter,)* $status),
                    None => {
                        super::set($status, super::MISSING);
                        std::ptr::null_mut()
                    }
                };
                note_at(stringify!($name), $status);
                result
            }
        }
    )*};
}
use {forward, look_up};

/// Sets a status that the caller wants to have.
///
/// # Safety
/// The pointer is null or valid.
unsafe fn set(status: *mut c_int, value: c_int) {
    if !status.is_null() {
        // SAFETY: the caller's promise.
        unsafe { status.write(value) };
    }
}

/// Notes the status that a pointer refers to.
///
/// # Safety
/// The pointer is null or valid.
unsafe fn note_at(call: &'static str, status: *mut c_int) {
    if !status.is_null() {
        // SAFETY: the caller's promise.
        unsafe { status.write(note(call, status.read())) };
    }
}

/// A release that fails changes nothing any more; `ocl` would end the process. It is said, and forgotten.
fn say_released(call: &str, status: c_int) -> c_int {
    if status != 0 {
        // Nothing is left to do if standard error is closed.
        let _ = writeln!(std::io::stderr(), "{call}: status ({status})");
    }
    0
}

/// `ocl` waits for ten seconds where there is no platform; no platform is no failure here.
#[unsafe(no_mangle)]
unsafe extern "system" fn clGetPlatformIDs(
    entries: cl_uint,
    platforms: *mut cl_platform_id,
    count: *mut cl_uint,
) -> c_int {
    type Function = unsafe extern "system" fn(cl_uint, *mut cl_platform_id, *mut cl_uint) -> c_int;
    let function = look_up!("clGetPlatformIDs\0", Function);
    // SAFETY: the parameters are the caller's, unchanged; the last one is null or valid.
    unsafe {
        let status = function.map_or(MISSING, |function| function(entries, platforms, count));
        if status == Status::CL_PLATFORM_NOT_FOUND_KHR as c_int {
            if !count.is_null() {
                count.write(0);
            }
            return 0;
        }
        note("clGetPlatformIDs", status)
    }
}

#[unsafe(no_mangle)]
unsafe extern "system" fn clGetExtensionFunctionAddressForPlatform(
    platform: cl_platform_id,
    name: *const c_char,
) -> *mut c_void {
    type Function = unsafe extern "system" fn(cl_platform_id, *const c_char) -> *mut c_void;
    // SAFETY: the type is that of the function of this name; the parameters are the caller's, unchanged.
    unsafe {
        let own = function::<Function>("clGetExtensionFunctionAddressForPlatform\0");
        own.map_or(std::ptr::null_mut(), |function| function(platform, name))
    }
}
