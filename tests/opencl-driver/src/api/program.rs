//! Programs: OpenCL 1.2, section 5.6. They come as code objects; there is no compiler.

use std::ffi::{c_char, c_uchar, c_void};
use std::sync::Arc;

use opencl_sys::*;

use crate::answer::Answer;
use crate::call;
use crate::call::status;
use crate::context::Context;
use crate::driver::Driver;
use crate::failure::{Done, Failure, require};
use crate::handle::Handle;
use crate::image;
use crate::object_table::Object;
use crate::program::Program;
use crate::raw::{Out, list, text};

/// `clCreateProgramWithBinary`.
pub(crate) unsafe extern "C" fn create(
    context: cl_context,
    count: cl_uint,
    devices: *const cl_device_id,
    lengths: *const usize,
    binaries: *mut *const c_uchar,
    status: *mut cl_int,
    code: *mut cl_int,
) -> cl_program {
    // SAFETY: by the contract of the API.
    let (devices, lengths, binaries, status, code) = unsafe {
        let count = count as usize;
        (
            list(count, devices),
            list(count, lengths),
            list(count, binaries.cast_const()),
            Out::new(status),
            Out::new(code),
        )
    };
    let one = |length: Option<usize>, binary: Option<*const c_uchar>| {
        // SAFETY: by the contract of the API: each binary has its length.
        length.zip(binary).and_then(|(length, binary)| unsafe { list(length, binary) })
    };
    let first = |lengths: &Option<Vec<usize>>, binaries: &Option<Vec<*const c_uchar>>| {
        one(lengths.as_ref()?.first().copied(), binaries.as_ref()?.first().copied())
    };
    let binary = first(&lengths, &binaries);
    call::create("clCreateProgramWithBinary", &code, |driver| {
        let context = driver.objects.get::<Context>(Handle::of(context))?;
        let devices = devices.unwrap_or_default();
        require(devices.len() == 1, CL_INVALID_VALUE, || {
            format!("{} devices, and the context has one", devices.len())
        })?;
        let device = driver.device(Handle::of(devices[0]))?;
        let binary = binary.filter(|binary| !binary.is_empty());
        let Some(binary) = binary else {
            status.put(CL_INVALID_VALUE);
            return Err(Failure::wrong(CL_INVALID_VALUE, "no binary, or one of 0 bytes"));
        };
        if let Err(problem) = image::check_target(&binary, &device) {
            status.put(CL_INVALID_BINARY);
            return Err(Failure::wrong(CL_INVALID_BINARY, problem));
        }
        status.put(CL_SUCCESS);
        let program = Program::new(context, binary);
        Ok(driver.objects.add(program.handle, Object::Program(Arc::new(program))))
    })
}

/// `clRetainProgram`.
pub(crate) unsafe extern "C" fn retain(program: cl_program) -> cl_int {
    status("clRetainProgram", |driver| driver.objects.retain::<Program>(Handle::of(program)))
}

/// `clReleaseProgram`.
pub(crate) unsafe extern "C" fn release(program: cl_program) -> cl_int {
    status("clReleaseProgram", |driver| driver.objects.release::<Program>(Handle::of(program)).map(drop))
}

/// `pfn_notify` of `clBuildProgram`.
type Notify = Option<unsafe extern "C" fn(cl_program, *mut c_void)>;

/// `clBuildProgram`: loads the code object.
pub(crate) unsafe extern "C" fn build(
    program: cl_program,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    notify: Notify,
    data: *mut c_void,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let (devices, options) = unsafe { (list(count as usize, devices), text(options)) };
    let code = status("clBuildProgram", |driver| {
        let program = driver.objects.get::<Program>(Handle::of(program))?;
        require(notify.is_some() || data.is_null(), CL_INVALID_VALUE, || "data for a callback that is null".into())?;
        check_devices(driver, count, devices)?;
        require(!program.has_kernels(), CL_INVALID_OPERATION, || "the program has kernels".into())?;
        let options = options.unwrap_or_default();
        // A code object is not compiled: an option could have no effect.
        require(options.trim().is_empty(), CL_INVALID_BUILD_OPTIONS, || {
            format!("options for a code object: {options}")
        })?;
        let loaded = image::load(&program.binary, &program.context.device);
        let mut build = program.build();
        build.options = options;
        match loaded {
            Ok(image) => {
                build.image = Some(Arc::new(image));
                build.log.clear();
                Ok(())
            }
            Err(problem) => {
                build.image = None;
                build.log.clone_from(&problem);
                Err(Failure::wrong(CL_BUILD_PROGRAM_FAILURE, problem))
            }
        }
    });
    if let Some(notify) = notify {
        // SAFETY: by the contract of the API; no lock of this driver is held.
        unsafe { notify(program, data) };
    }
    code
}

/// Checks a list of devices: null and 0, or the one device.
fn check_devices(driver: &Driver, count: cl_uint, devices: Option<Vec<cl_device_id>>) -> Done<()> {
    require((count == 0) == devices.is_none(), CL_INVALID_VALUE, || {
        format!("{count} devices, and a list that is {}null", if devices.is_none() { "" } else { "not " })
    })?;
    devices.unwrap_or_default().into_iter().try_for_each(|device| driver.device(Handle::of(device)).map(drop))
}

/// `clGetProgramInfo`.
pub(crate) unsafe extern "C" fn get_info(
    program: cl_program,
    name: cl_program_info,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let answer = unsafe { Answer::new(room, value, size) };
    status("clGetProgramInfo", |driver| {
        let handle = Handle::of(program);
        let program = driver.objects.get::<Program>(handle)?;
        match name {
            CL_PROGRAM_REFERENCE_COUNT => answer.u32(driver.objects.references::<Program>(handle)?),
            CL_PROGRAM_CONTEXT => answer.handle(Some(program.context.handle)),
            CL_PROGRAM_NUM_DEVICES => answer.u32(1),
            CL_PROGRAM_DEVICES => answer.handle(Some(program.context.device.handle)),
            CL_PROGRAM_SOURCE => answer.text(""),
            CL_PROGRAM_BINARY_SIZES => answer.sizes(&[program.binary.len()]),
            CL_PROGRAM_BINARIES => answer.behind_pointers(&[&program.binary]),
            CL_PROGRAM_NUM_KERNELS => answer.sizes(&[program.image()?.kernels.len()]),
            CL_PROGRAM_KERNEL_NAMES => {
                let image = program.image()?;
                let names: Vec<&str> = image.kernels.iter().map(|kernel| kernel.metadata.name.as_str()).collect();
                answer.text(&names.join(";"))
            }
            _ => Err(Failure::question(CL_INVALID_VALUE)),
        }
    })
}

/// `clGetProgramBuildInfo`.
pub(crate) unsafe extern "C" fn get_build_info(
    program: cl_program,
    device: cl_device_id,
    name: cl_program_build_info,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let answer = unsafe { Answer::new(room, value, size) };
    status("clGetProgramBuildInfo", |driver| {
        let program = driver.objects.get::<Program>(Handle::of(program))?;
        driver.device(Handle::of(device))?;
        let build = program.build().clone();
        match name {
            CL_PROGRAM_BUILD_STATUS => answer.u32(program.status().cast_unsigned()),
            CL_PROGRAM_BUILD_OPTIONS => answer.text(&build.options),
            CL_PROGRAM_BUILD_LOG => answer.text(&build.log),
            CL_PROGRAM_BINARY_TYPE if build.image.is_some() => answer.u32(CL_PROGRAM_BINARY_TYPE_EXECUTABLE),
            CL_PROGRAM_BINARY_TYPE => answer.u32(CL_PROGRAM_BINARY_TYPE_NONE),
            _ => Err(Failure::question(CL_INVALID_VALUE)),
        }
    })
}
