//! Functions that give their status.
#![expect(unsafe_code, reason = "these are C functions for `ocl`'s C declarations")]

use ocl::core::ffi::*;

use super::super::status::note;
use super::forward;

macro_rules! information {
    ($($name:ident($($parameter:ident: $type:ty),*);)*) => {
        forward! { status(note)
            $($name($($parameter: $type,)* size: size_t, value: *mut c_void, size_ret: *mut size_t);)*
        }
    };
}

forward! { status(note)
    clGetDeviceIDs(
        platform: cl_platform_id, device_type: cl_device_type, num_entries: cl_uint, devices: *mut cl_device_id, num_devices: *mut cl_uint
    );
    clGetSupportedImageFormats(
        context: cl_context, flags: cl_mem_flags, image_type: cl_mem_object_type, num_entries: cl_uint,
        image_formats: *mut cl_image_format, num_image_formats: *mut cl_uint
    );
    clSetMemObjectDestructorCallback(memobj: cl_mem, pfn_notify: Option<extern "C" fn(cl_mem, *mut c_void)>, user_data: *mut c_void);
    clBuildProgram(
        program: cl_program, num_devices: cl_uint, device_list: *const cl_device_id, options: *const c_char,
        pfn_notify: Option<extern "C" fn(cl_program, *mut c_void)>, user_data: *mut c_void
    );
    clCompileProgram(
        program: cl_program, num_devices: cl_uint, device_list: *const cl_device_id, options: *const c_char, num_input_headers: cl_uint,
        input_headers: *const cl_program, header_include_names: *const *const c_char,
        pfn_notify: Option<extern "C" fn(cl_program, *mut c_void)>, user_data: *mut c_void
    );
    clCreateKernelsInProgram(program: cl_program, num_kernels: cl_uint, kernels: *mut cl_kernel, num_kernels_ret: *mut cl_uint);
    clSetKernelArg(kernel: cl_kernel, arg_index: cl_uint, arg_size: size_t, arg_value: *const c_void);
    clWaitForEvents(num_events: cl_uint, event_list: *const cl_event);
    clSetUserEventStatus(event: cl_event, execution_status: cl_int);
    clSetEventCallback(
        event: cl_event, command_exec_callback_type: cl_int, pfn_notify: Option<extern "C" fn(cl_event, cl_int, *mut c_void)>,
        user_data: *mut c_void
    );
    clFlush(command_queue: cl_command_queue);
    clFinish(command_queue: cl_command_queue);
}

information! {
    clGetPlatformInfo(object: cl_platform_id, parameter: cl_platform_info);
    clGetDeviceInfo(object: cl_device_id, parameter: cl_device_info);
    clGetContextInfo(object: cl_context, parameter: cl_context_info);
    clGetCommandQueueInfo(object: cl_command_queue, parameter: cl_command_queue_info);
    clGetMemObjectInfo(object: cl_mem, parameter: cl_mem_info);
    clGetImageInfo(object: cl_mem, parameter: cl_image_info);
    clGetSamplerInfo(object: cl_sampler, parameter: cl_sampler_info);
    clGetProgramInfo(object: cl_program, parameter: cl_program_info);
    clGetProgramBuildInfo(object: cl_program, of: cl_device_id, parameter: cl_program_build_info);
    clGetKernelInfo(object: cl_kernel, parameter: cl_kernel_info);
    clGetKernelArgInfo(object: cl_kernel, of: cl_uint, parameter: cl_kernel_arg_info);
    clGetKernelWorkGroupInfo(object: cl_kernel, of: cl_device_id, parameter: cl_kernel_work_group_info);
    clGetEventInfo(object: cl_event, parameter: cl_event_info);
    clGetEventProfilingInfo(object: cl_event, parameter: cl_profiling_info);
}

forward! { status(note)
    clRetainDevice(object: cl_device_id);
    clRetainContext(object: cl_context);
    clRetainCommandQueue(object: cl_command_queue);
    clRetainMemObject(object: cl_mem);
    clRetainSampler(object: cl_sampler);
    clRetainProgram(object: cl_program);
    clRetainKernel(object: cl_kernel);
    clRetainEvent(object: cl_event);
}

forward! { status(super::say_released)
    clReleaseDevice(object: cl_device_id);
    clReleaseContext(object: cl_context);
    clReleaseCommandQueue(object: cl_command_queue);
    clReleaseMemObject(object: cl_mem);
    clReleaseSampler(object: cl_sampler);
    clReleaseProgram(object: cl_program);
    clReleaseKernel(object: cl_kernel);
    clReleaseEvent(object: cl_event);
}
