//! Command queues: OpenCL 1.2, sections 5.1 and 5.13.

use std::ffi::c_void;
use std::sync::Arc;

use opencl_sys::*;

use crate::answer::Answer;
use crate::call;
use crate::call::status;
use crate::context::Context;
use crate::execution;
use crate::failure::{Failure, require};
use crate::handle::Handle;
use crate::object_table::Object;
use crate::queue::{Queue, Stopped};
use crate::raw::Out;

/// `clCreateCommandQueue`.
pub(crate) unsafe extern "C" fn create(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
    code: *mut cl_int,
) -> cl_command_queue {
    // SAFETY: by the contract of the API.
    let code = unsafe { Out::new(code) };
    call::create("clCreateCommandQueue", &code, |driver| {
        let context = driver.objects.get::<Context>(Handle::of(context))?;
        driver.device(Handle::of(device))?.check()?;
        let known = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
        require(properties & !known == 0, CL_INVALID_VALUE, || format!("properties {properties:#x}"))?;
        let is_in_order = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0;
        require(is_in_order, CL_INVALID_QUEUE_PROPERTIES, || "the device has no queues out of order".into())?;
        let queue = Queue::new(context, properties);
        Ok(driver.objects.add(queue.handle, Object::Queue(Arc::new(queue))))
    })
}

/// `clRetainCommandQueue`.
pub(crate) unsafe extern "C" fn retain(queue: cl_command_queue) -> cl_int {
    status("clRetainCommandQueue", |driver| driver.objects.retain::<Queue>(Handle::of(queue)))
}

/// `clReleaseCommandQueue`: flushes the queue.
pub(crate) unsafe extern "C" fn release(queue: cl_command_queue) -> cl_int {
    status("clReleaseCommandQueue", |driver| {
        let queue = driver.objects.release::<Queue>(Handle::of(queue))?;
        execution::run(&queue);
        Ok(())
    })
}

/// `clGetCommandQueueInfo`.
pub(crate) unsafe extern "C" fn get_info(
    queue: cl_command_queue,
    name: cl_command_queue_info,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let answer = unsafe { Answer::new(room, value, size) };
    status("clGetCommandQueueInfo", |driver| {
        let handle = Handle::of(queue);
        let queue = driver.objects.get::<Queue>(handle)?;
        match name {
            CL_QUEUE_CONTEXT => answer.handle(Some(queue.context.handle)),
            CL_QUEUE_DEVICE => answer.handle(Some(queue.context.device.handle)),
            CL_QUEUE_REFERENCE_COUNT => answer.u32(driver.objects.references::<Queue>(handle)?),
            CL_QUEUE_PROPERTIES => answer.u64(queue.properties),
            _ => Err(Failure::question(CL_INVALID_VALUE)),
        }
    })
}

/// `clFlush`: the commands are executed now.
pub(crate) unsafe extern "C" fn flush(queue: cl_command_queue) -> cl_int {
    status("clFlush", |driver| {
        let queue = driver.objects.get::<Queue>(Handle::of(queue))?;
        execution::run(&queue);
        queue.context.device.check()
    })
}

/// `clFinish`: the commands are executed now; one that hangs keeps the call forever.
pub(crate) unsafe extern "C" fn finish(queue: cl_command_queue) -> cl_int {
    status("clFinish", |driver| {
        let queue = driver.objects.get::<Queue>(Handle::of(queue))?;
        execution::run(&queue);
        let stopped = queue.state().stopped.clone();
        match stopped {
            Some(Stopped::Hung(reason)) if !queue.context.device.is_gone() => Err(Failure::hang(reason)),
            _ => queue.check(),
        }
    })
}
