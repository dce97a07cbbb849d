//! Functions that return an object and write their status through a pointer.
#![expect(unsafe_code, reason = "these are C functions for `ocl`'s C declarations")]

use ocl::core::ffi::*;

use super::{forward, note_at};

forward! { object(errcode_ret: *mut cl_int)
    clCreateContext(
        properties: *const cl_context_properties, num_devices: cl_uint, devices: *const cl_device_id,
        pfn_notify: Option<extern "C" fn(*const c_char, *const c_void, size_t, *mut c_void)>, user_data: *mut c_void
    ) -> cl_context;
    clCreateContextFromType(
        properties: *const cl_context_properties, device_type: cl_device_type,
        pfn_notify: Option<extern "C" fn(*const c_char, *const c_void, size_t, *mut c_void)>, user_data: *mut c_void
    ) -> cl_context;
    clCreateCommandQueue(context: cl_context, device: cl_device_id, properties: cl_command_queue_properties) -> cl_command_queue;
    clCreateBuffer(context: cl_context, flags: cl_mem_flags, size: size_t, host_ptr: *mut c_void) -> cl_mem;
    clCreateSubBuffer(
        buffer: cl_mem, flags: cl_mem_flags, buffer_create_type: cl_buffer_create_type, buffer_create_info: *const c_void
    ) -> cl_mem;
    clCreateImage(
        context: cl_context, flags: cl_mem_flags, image_format: *const cl_image_format, image_desc: *const cl_image_desc,
        host_ptr: *mut c_void
    ) -> cl_mem;
    clCreateSampler(
        context: cl_context, normalize_coords: cl_bool, addressing_mode: cl_addressing_mode, filter_mode: cl_filter_mode
    ) -> cl_sampler;
    clCreateProgramWithSource(context: cl_context, count: cl_uint, strings: *const *const c_char, lengths: *const size_t) -> cl_program;
    clCreateProgramWithBinary(
        context: cl_context, num_devices: cl_uint, device_list: *const cl_device_id, lengths: *const size_t,
        binaries: *const *const c_uchar, binary_status: *mut cl_int
    ) -> cl_program;
    clLinkProgram(
        context: cl_context, num_devices: cl_uint, device_list: *const cl_device_id, options: *const c_char, num_input_programs: cl_uint,
        input_programs: *const cl_program, pfn_notify: Option<extern "C" fn(cl_program, *mut c_void)>, user_data: *mut c_void
    ) -> cl_program;
    clCreateKernel(program: cl_program, kernel_name: *const c_char) -> cl_kernel;
    clCreateUserEvent(context: cl_context) -> cl_event;
    clEnqueueMapBuffer(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_map: cl_bool, map_flags: cl_map_flags, offset: size_t, size: size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event
    ) -> *mut c_void;
    clEnqueueMapImage(
        command_queue: cl_command_queue, image: cl_mem, blocking_map: cl_bool, map_flags: cl_map_flags, origin: *const size_t,
        region: *const size_t, image_row_pitch: *mut size_t, image_slc_pitch: *mut size_t, num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event, event: *mut cl_event
    ) -> *mut c_void;
    clCreateFromGLBuffer(context: cl_context, flags: cl_mem_flags, bufobj: cl_GLuint) -> cl_mem;
    clCreateFromGLTexture(
        context: cl_context, flags: cl_mem_flags, texture_target: cl_GLenum, miplevel: cl_GLint, texture: cl_GLuint
    ) -> cl_mem;
    clCreateFromGLRenderbuffer(context: cl_context, flags: cl_mem_flags, renderbuffer: cl_GLuint) -> cl_mem;
    clCreateFromGLTexture2D(
        context: cl_context, flags: cl_mem_flags, texture_target: cl_GLenum, miplevel: cl_GLint, texture: cl_GLuint
    ) -> cl_mem;
    clCreateFromGLTexture3D(
        context: cl_context, flags: cl_mem_flags, texture_target: cl_GLenum, miplevel: cl_GLint, texture: cl_GLuint
    ) -> cl_mem;
}
