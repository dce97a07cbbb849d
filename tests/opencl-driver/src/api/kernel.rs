//! Kernels: OpenCL 1.2, section 5.7.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use opencl_sys::*;

use crate::answer::Answer;
use crate::arguments::Value;
use crate::buffer::Buffer;
use crate::call;
use crate::call::status;
use crate::device::MAX_GROUP;
use crate::failure::{Failure, require};
use crate::handle::Handle;
use crate::kernel::Kernel;
use crate::object_table::Object;
use crate::program::Program;
use crate::raw::{Out, list, text};

/// `clCreateKernel`.
pub(crate) unsafe extern "C" fn create(program: cl_program, name: *const c_char, code: *mut cl_int) -> cl_kernel {
    // SAFETY: by the contract of the API.
    let (name, code) = unsafe { (text(name), Out::new(code)) };
    call::create("clCreateKernel", &code, |driver| {
        let program = driver.objects.get::<Program>(Handle::of(program))?;
        let image = program.image()?;
        let name = name.ok_or_else(|| Failure::wrong(CL_INVALID_VALUE, "no name"))?;
        let loaded = image.kernels.iter().find(|kernel| kernel.metadata.name == name).cloned();
        let missing = || Failure::wrong(CL_INVALID_KERNEL_NAME, format!("the program has no kernel {name}"));
        let kernel = Kernel::new(program, image, loaded.ok_or_else(missing)?);
        Ok(driver.objects.add(kernel.handle, Object::Kernel(Arc::new(kernel))))
    })
}

/// `clCreateKernelsInProgram`.
pub(crate) unsafe extern "C" fn create_all(
    program: cl_program,
    room: cl_uint,
    kernels: *mut cl_kernel,
    count: *mut cl_uint,
) -> cl_int {
    // SAFETY: by the contract of the API: the array holds this many kernels.
    let place = |i: usize| unsafe { Out::new(if kernels.is_null() { kernels } else { kernels.add(i) }) };
    // SAFETY: by the contract of the API.
    let count = unsafe { Out::new(count) };
    status("clCreateKernelsInProgram", |driver| {
        let program = driver.objects.get::<Program>(Handle::of(program))?;
        let image = program.image()?;
        let all = image.kernels.len();
        require(kernels.is_null() || room as usize >= all, CL_INVALID_VALUE, || {
            format!("room for {room} of {all} kernels")
        })?;
        count.put(all as u32);
        if !kernels.is_null() {
            for (i, loaded) in image.kernels.iter().enumerate() {
                let kernel = Kernel::new(Arc::clone(&program), Arc::clone(&image), loaded.clone());
                place(i).put(driver.objects.add(kernel.handle, Object::Kernel(Arc::new(kernel))).pointer());
            }
        }
        Ok(())
    })
}

/// `clRetainKernel`.
pub(crate) unsafe extern "C" fn retain(kernel: cl_kernel) -> cl_int {
    status("clRetainKernel", |driver| driver.objects.retain::<Kernel>(Handle::of(kernel)))
}

/// `clReleaseKernel`.
pub(crate) unsafe extern "C" fn release(kernel: cl_kernel) -> cl_int {
    status("clReleaseKernel", |driver| driver.objects.release::<Kernel>(Handle::of(kernel)).map(drop))
}

/// `clSetKernelArg`.
pub(crate) unsafe extern "C" fn set_argument(
    kernel: cl_kernel,
    index: cl_uint,
    size: usize,
    value: *const c_void,
) -> cl_int {
    status("clSetKernelArg", |driver| {
        let kernel = driver.objects.get::<Kernel>(Handle::of(kernel))?;
        let metadata = &kernel.loaded.metadata;
        let count = metadata.explicit().count();
        let found = metadata.explicit().nth(index as usize);
        let beyond = || {
            let reason = format!("argument {index} of kernel {}, which has {count}", kernel.name());
            Failure::wrong(CL_INVALID_ARG_INDEX, reason)
        };
        let argument = found.ok_or_else(beyond)?;
        // Only as many bytes are read as the kernel takes: another size is refused anyway.
        // SAFETY: by the contract of the API: the value has the size that the program says.
        let bytes = unsafe { list(size.min(argument.bytes), value.cast::<u8>()) };
        let named = |failure: Failure| failure.of(format_args!("argument {index} of kernel {}", kernel.name()));
        let value = Value::new(argument, size, bytes).map_err(named)?;
        if let Value::Buffer(Some(handle)) = value {
            let buffer = driver.objects.get::<Buffer>(handle).map_err(named)?;
            kernel.program.context.check_same(&buffer.context, "the buffer").map_err(named)?;
        }
        kernel.values()[index as usize] = Some(value);
        Ok(())
    })
}

/// `clGetKernelInfo`.
pub(crate) unsafe extern "C" fn get_info(
    kernel: cl_kernel,
    name: cl_kernel_info,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let answer = unsafe { Answer::new(room, value, size) };
    status("clGetKernelInfo", |driver| {
        let handle = Handle::of(kernel);
        let kernel = driver.objects.get::<Kernel>(handle)?;
        match name {
            CL_KERNEL_FUNCTION_NAME => answer.text(kernel.name()),
            CL_KERNEL_NUM_ARGS => answer.u32(kernel.loaded.metadata.explicit().count() as u32),
            CL_KERNEL_REFERENCE_COUNT => answer.u32(driver.objects.references::<Kernel>(handle)?),
            CL_KERNEL_CONTEXT => answer.handle(Some(kernel.program.context.handle)),
            CL_KERNEL_PROGRAM => answer.handle(Some(kernel.program.handle)),
            CL_KERNEL_ATTRIBUTES => answer.text(""),
            _ => Err(Failure::question(CL_INVALID_VALUE)),
        }
    })
}

/// `clGetKernelArgInfo`: known only of programs that were made from source.
pub(crate) unsafe extern "C" fn get_argument_info(
    kernel: cl_kernel,
    index: cl_uint,
    _name: cl_kernel_arg_info,
    _room: usize,
    _value: *mut c_void,
    _size: *mut usize,
) -> cl_int {
    status("clGetKernelArgInfo", |driver| {
        let kernel = driver.objects.get::<Kernel>(Handle::of(kernel))?;
        let count = kernel.loaded.metadata.explicit().count();
        require((index as usize) < count, CL_INVALID_ARG_INDEX, || format!("argument {index} of {count}"))?;
        Err(Failure::question(CL_KERNEL_ARG_INFO_NOT_AVAILABLE))
    })
}

/// `clGetKernelWorkGroupInfo`.
pub(crate) unsafe extern "C" fn get_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    name: cl_kernel_work_group_info,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let answer = unsafe { Answer::new(room, value, size) };
    status("clGetKernelWorkGroupInfo", |driver| {
        let kernel = driver.objects.get::<Kernel>(Handle::of(kernel))?;
        if !device.is_null() {
            driver.device(Handle::of(device))?;
        }
        let metadata = &kernel.loaded.metadata;
        match name {
            CL_KERNEL_WORK_GROUP_SIZE => answer.sizes(&[MAX_GROUP.min(metadata.most_items as usize)]),
            CL_KERNEL_COMPILE_WORK_GROUP_SIZE => answer.sizes(&metadata.required_group.unwrap_or([0; 3])),
            CL_KERNEL_LOCAL_MEM_SIZE => {
                let set = kernel
                    .values()
                    .iter()
                    .flatten()
                    .map(|value| if let Value::Local(bytes) = value { *bytes } else { 0 })
                    .sum::<usize>();
                answer.u64(u64::from(metadata.group_segment_bytes) + set as u64)
            }
            CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => answer.sizes(&[64]),
            CL_KERNEL_PRIVATE_MEM_SIZE => answer.u64(metadata.private_segment_bytes.into()),
            _ => Err(Failure::question(CL_INVALID_VALUE)),
        }
    })
}
