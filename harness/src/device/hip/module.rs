//! A code object on a card, and launching its kernels.
#![expect(unsafe_code, reason = "HIP is only reachable through its C interface")]

use std::ffi::{CString, c_void};
use std::ptr::null_mut;

use hip_sys::hiprt::hipModule_t;

use super::super::{DeviceError, Launch, Module};
use super::buffer::{Buffer, BufferMemory};
use super::library::HipError;
use super::opened::HipDevice;

/// Marks in the list of extra launch parameters (`hip_runtime_api.h`: `HIP_LAUNCH_PARAM_*`; `hip-sys` has them not).
const BUFFER_POINTER: usize = 1;
const BUFFER_SIZE: usize = 2;
const END: usize = 3;

/// A loaded code object.
pub(super) struct HipModule<'a> {
    device: &'a HipDevice,
    handle: hipModule_t,
    /// What HIP was given; dropped after `handle` is unloaded.
    _image: Box<[u8]>,
}

// SAFETY: HIP's functions may be called from any thread; the handle is only passed back to them.
unsafe impl Send for HipModule<'_> {}
// SAFETY: as above.
unsafe impl Sync for HipModule<'_> {}

impl<'a> HipModule<'a> {
    pub(super) fn new(device: &'a HipDevice, handle: hipModule_t, image: Box<[u8]>) -> Self {
        Self { device, handle, _image: image }
    }
}

/// Kernel arguments, as all kernels here take them.
#[repr(C)]
struct Arguments {
    results: u64,
    result_bytes: u32,
    loop_passes: u32,
    scratch: u64,
}

/// A refusal leaves the device as it was; any other error of HIP ends its use in this process.
fn failed(error: HipError) -> DeviceError {
    if error.is_refusal() || error.status == 0 {
        DeviceError::Launch(error.text)
    } else {
        DeviceError::Lost(error.text)
    }
}

impl Module for HipModule<'_> {
    fn launch(&self, launch: &Launch) -> Result<Vec<u32>, DeviceError> {
        let HipDevice { api, results: place, .. } = self.device;
        self.device.select()?;
        let name = CString::new(launch.kernel.as_str()).map_err(|error| DeviceError::Launch(error.to_string()))?;
        let mut function = null_mut();
        // SAFETY: the handle is a loaded module's, the name ends with a zero.
        let status = unsafe { (api.module_function)(&raw mut function, self.handle, name.as_ptr()) };
        api.check("hipModuleGetFunction", status).map_err(failed)?;
        let results = Buffer::zeros(api, *place, launch.result_bytes as usize).map_err(failed)?;
        // In the card's own memory: the card is timed, not the bus to the host.
        let scratch = match launch.scratch_bytes {
            0 => None,
            bytes => Some(Buffer::zeros(api, BufferMemory::Card, bytes as usize).map_err(failed)?),
        };
        let mut arguments = Arguments {
            results: results.address(),
            result_bytes: launch.result_bytes,
            loop_passes: launch.loop_passes,
            scratch: scratch.as_ref().map_or(0, Buffer::address),
        };
        let mut bytes = size_of::<Arguments>();
        let mark = |mark: usize| std::ptr::without_provenance_mut::<c_void>(mark);
        let mut extra = [
            mark(BUFFER_POINTER),
            (&raw mut arguments).cast::<c_void>(),
            mark(BUFFER_SIZE),
            (&raw mut bytes).cast(),
            mark(END),
        ];
        let (groups, size, lds) = (launch.groups, launch.group_size, launch.lds_bytes);
        // SAFETY: the function is of a loaded module; the list is as HIP wants it, and its pointers are valid until the kernel
        // has ended; the kernel's own addresses are those of live buffers.
        let status = unsafe {
            match (api.launch)(function, groups, 1, 1, size, 1, 1, lds, null_mut(), null_mut(), extra.as_mut_ptr()) {
                0 => Ok((api.synchronize)()),
                status => Err(status),
            }
        };
        match status {
            Err(status) => api.check("hipModuleLaunchKernel", status).map_err(failed)?,
            // A kernel was running: an error now is more than a refusal.
            Ok(status) => api
                .check("hipDeviceSynchronize", status)
                .map_err(|error| DeviceError::Lost(format!("kernel {}: {}", launch.kernel, error.text)))?,
        }
        let mut dwords = results.dwords().map_err(|error| DeviceError::Lost(error.text))?;
        dwords.truncate(launch.result_bytes as usize / 4);
        Ok(dwords)
    }
}

impl Drop for HipModule<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle is unloaded once. What HIP says to it changes nothing any more.
        let _ = unsafe { (self.device.api.module_unload)(self.handle) };
    }
}
