//! Contexts: OpenCL 1.2, section 4.4.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use opencl_sys::*;

use crate::answer::Answer;
use crate::call;
use crate::call::status;
use crate::context::Context;
use crate::device::Device;
use crate::driver::Driver;
use crate::failure::{Done, Failure, require};
use crate::handle::Handle;
use crate::object_table::Object;
use crate::raw::{Out, list, properties as read_properties};

/// `pfn_notify` of `clCreateContext`.
type Notify = Option<unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void)>;

/// Makes a context of the device.
fn make(driver: &mut Driver, device: Arc<Device>, properties: Option<Vec<(isize, isize)>>) -> Done<Handle> {
    if device.is_gone() {
        return Err(Failure::device(CL_DEVICE_NOT_AVAILABLE, "the device is gone"));
    }
    let mut kept = Vec::new();
    for (i, (name, value)) in properties.iter().flatten().enumerate() {
        let is_right = *name == CL_CONTEXT_PLATFORM && i == 0;
        require(is_right, CL_INVALID_PROPERTY, || format!("context property {name:#x}"))?;
        driver.check_platform(Handle::of(std::ptr::without_provenance_mut::<u8>(value.cast_unsigned())))?;
        kept.extend([name.cast_unsigned(), value.cast_unsigned()]);
    }
    if properties.is_some() {
        kept.push(0);
    }
    let handle = Handle::new();
    let context = Context { handle, device, properties: kept };
    Ok(driver.objects.add(handle, Object::Context(Arc::new(context))))
}

fn check_notify(notify: Notify, data: *mut c_void) -> Done<()> {
    require(notify.is_some() || data.is_null(), CL_INVALID_VALUE, || "data for a callback that is null".into())
}

/// `clCreateContext`.
pub(crate) unsafe extern "C" fn create(
    properties: *const cl_context_properties,
    count: cl_uint,
    devices: *const cl_device_id,
    notify: Notify,
    data: *mut c_void,
    code: *mut cl_int,
) -> cl_context {
    // SAFETY: by the contract of the API.
    let (properties, devices, code) =
        unsafe { (read_properties(properties), list(count as usize, devices), Out::new(code)) };
    call::create("clCreateContext", &code, |driver| {
        check_notify(notify, data)?;
        let devices = devices.unwrap_or_default();
        require(!devices.is_empty(), CL_INVALID_VALUE, || "no devices".into())?;
        let found = devices.iter().map(|device| driver.device(Handle::of(*device))).collect::<Done<Vec<_>>>()?;
        make(driver, Arc::clone(&found[0]), properties)
    })
}

/// `clCreateContextFromType`.
pub(crate) unsafe extern "C" fn create_from_type(
    properties: *const cl_context_properties,
    wanted: cl_device_type,
    notify: Notify,
    data: *mut c_void,
    code: *mut cl_int,
) -> cl_context {
    // SAFETY: by the contract of the API.
    let (properties, code) = unsafe { (read_properties(properties), Out::new(code)) };
    call::create("clCreateContextFromType", &code, |driver| {
        check_notify(notify, data)?;
        let is_gpu = super::device::is_of_type(wanted)?;
        let device = driver.device.clone().filter(|_| is_gpu);
        make(driver, device.ok_or_else(|| Failure::question(CL_DEVICE_NOT_FOUND))?, properties)
    })
}

/// `clRetainContext`.
pub(crate) unsafe extern "C" fn retain(context: cl_context) -> cl_int {
    status("clRetainContext", |driver| driver.objects.retain::<Context>(Handle::of(context)))
}

/// `clReleaseContext`.
pub(crate) unsafe extern "C" fn release(context: cl_context) -> cl_int {
    status("clReleaseContext", |driver| driver.objects.release::<Context>(Handle::of(context)).map(drop))
}

/// `clGetContextInfo`.
pub(crate) unsafe extern "C" fn get_info(
    context: cl_context,
    name: cl_context_info,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let answer = unsafe { Answer::new(room, value, size) };
    status("clGetContextInfo", |driver| {
        let handle = Handle::of(context);
        let context = driver.objects.get::<Context>(handle)?;
        match name {
            CL_CONTEXT_REFERENCE_COUNT => answer.u32(driver.objects.references::<Context>(handle)?),
            CL_CONTEXT_NUM_DEVICES => answer.u32(1),
            CL_CONTEXT_DEVICES => answer.handle(Some(context.device.handle)),
            CL_CONTEXT_PROPERTIES => answer.sizes(&context.properties),
            _ => Err(Failure::question(CL_INVALID_VALUE)),
        }
    })
}
