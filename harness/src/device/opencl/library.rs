//! OpenCL's loader (the ICD loader), loaded at run time.
#![expect(unsafe_code, reason = "the loader is only reachable through its C interface, loaded at run time")]

use std::error::Error as _;
use std::sync::OnceLock;

use libloading::Library;

use super::super::DeviceError;

/// Names of the loader: as every loader calls itself, then the developer's link.
const NAMES: [&str; 2] = ["libOpenCL.so.1", "libOpenCL.so"];

/// The loader, or why it is missing. It is never unloaded: drivers keep threads.
static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();

/// Loads the loader.
///
/// # Errors
/// [`DeviceError::NoDevice`]: no loader.
pub(super) fn load() -> Result<&'static Library, DeviceError> {
    let library = LIBRARY.get_or_init(|| {
        let mut missing = String::new();
        for name in NAMES {
            // SAFETY: loading it runs its start-up code; this process is there for nothing else.
            match unsafe { Library::new(name) } {
                Ok(library) => return Ok(library),
                // The reason is in the error's source; the error itself only says that it failed.
                Err(error) if missing.is_empty() => {
                    missing = error.source().map_or_else(|| error.to_string(), ToString::to_string);
                }
                Err(_) => {}
            }
        }
        Err(format!(
            "OpenCL's loader libOpenCL was not found ({missing}): install it (Debian: ocl-icd-libopencl1) and the driver of the card (for clover: \
             mesa-opencl-icd)"
        ))
    });
    library.as_ref().map_err(|why| DeviceError::NoDevice(why.clone()))
}

/// A function of the loader; `None` if there is no loader, or one that lacks it.
///
/// # Safety
/// `F` must be the type of the function of that name, which ends with a zero.
pub(super) unsafe fn function<F: Copy>(name: &str) -> Option<F> {
    // SAFETY: the caller's promise.
    unsafe { load().ok()?.get::<F>(name.as_bytes()) }.ok().map(|function| *function)
}
