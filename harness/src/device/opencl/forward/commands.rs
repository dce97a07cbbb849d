//! Functions that enqueue a command: their last parameters are events to wait for and the event of the command.
#![expect(unsafe_code, reason = "these are C functions for `ocl`'s C declarations")]

use ocl::core::ffi::*;

use super::super::status::note;
use super::forward;

macro_rules! commands {
    ($($name:ident($($parameter:ident: $type:ty),*);)*) => {
        forward! { status(note)
            $($name($($parameter: $type,)* num_events: cl_uint, wait_list: *const cl_event, event: *mut cl_event);)*
        }
    };
}

commands! {
    clEnqueueReadBuffer(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_read: cl_bool, offset: size_t, cb: size_t, ptr: *mut c_void
    );
    clEnqueueReadBufferRect(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_read: cl_bool, buffer_origin: *const size_t,
        host_origin: *const size_t, region: *const size_t, buffer_row_pitch: size_t, buffer_slc_pitch: size_t, host_row_pitch: size_t,
        host_slc_pitch: size_t, ptr: *mut c_void
    );
    clEnqueueWriteBuffer(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_write: cl_bool, offset: size_t, cb: size_t, ptr: *const c_void
    );
    clEnqueueWriteBufferRect(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_write: cl_bool, buffer_origin: *const size_t,
        host_origin: *const size_t, region: *const size_t, buffer_row_pitch: size_t, buffer_slc_pitch: size_t, host_row_pitch: size_t,
        host_slc_pitch: size_t, ptr: *const c_void
    );
    clEnqueueFillBuffer(
        command_queue: cl_command_queue, buffer: cl_mem, pattern: *const c_void, pattern_size: size_t, offset: size_t, size: size_t
    );
    clEnqueueCopyBuffer(
        command_queue: cl_command_queue, src_buffer: cl_mem, dst_buffer: cl_mem, src_offset: size_t, dst_offset: size_t, cb: size_t
    );
    clEnqueueCopyBufferRect(
        command_queue: cl_command_queue, src_buffer: cl_mem, dst_buffer: cl_mem, src_origin: *const size_t, dst_origin: *const size_t,
        region: *const size_t, src_row_pitch: size_t, src_slc_pitch: size_t, dst_row_pitch: size_t, dst_slc_pitch: size_t
    );
    clEnqueueReadImage(
        command_queue: cl_command_queue, image: cl_mem, blocking_read: cl_bool, origin: *const size_t, region: *const size_t,
        row_pitch: size_t, slc_pitch: size_t, ptr: *mut c_void
    );
    clEnqueueWriteImage(
        command_queue: cl_command_queue, image: cl_mem, blocking_write: cl_bool, origin: *const size_t, region: *const size_t,
        input_row_pitch: size_t, input_slc_pitch: size_t, ptr: *const c_void
    );
    clEnqueueFillImage(
        command_queue: cl_command_queue, image: cl_mem, fill_color: *const c_void, origin: *const size_t, region: *const size_t
    );
    clEnqueueCopyImage(
        command_queue: cl_command_queue, src_image: cl_mem, dst_image: cl_mem, src_origin: *const size_t, dst_origin: *const size_t,
        region: *const size_t
    );
    clEnqueueCopyImageToBuffer(
        command_queue: cl_command_queue, src_image: cl_mem, dst_buffer: cl_mem, src_origin: *const size_t, region: *const size_t,
        dst_offset: size_t
    );
    clEnqueueCopyBufferToImage(
        command_queue: cl_command_queue, src_buffer: cl_mem, dst_image: cl_mem, src_offset: size_t, dst_origin: *const size_t,
        region: *const size_t
    );
    clEnqueueUnmapMemObject(command_queue: cl_command_queue, memobj: cl_mem, mapped_ptr: *mut c_void);
    clEnqueueMigrateMemObjects(
        command_queue: cl_command_queue, num_mem_objects: cl_uint, mem_objects: *const cl_mem, flags: cl_mem_migration_flags
    );
    clEnqueueNDRangeKernel(
        command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint, global_work_offset: *const size_t,
        global_work_dims: *const size_t, local_work_dims: *const size_t
    );
    clEnqueueTask(command_queue: cl_command_queue, kernel: cl_kernel);
    clEnqueueNativeKernel(
        command_queue: cl_command_queue, user_func: Option<extern "C" fn(*mut c_void)>, args: *mut c_void, cb_args: size_t,
        num_mem_objects: cl_uint, mem_list: *const cl_mem, args_mem_loc: *const *const c_void
    );
    clEnqueueMarkerWithWaitList(command_queue: cl_command_queue);
    clEnqueueBarrierWithWaitList(command_queue: cl_command_queue);
    clEnqueueAcquireGLObjects(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: *const cl_mem);
    clEnqueueReleaseGLObjects(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: *const cl_mem);
}
