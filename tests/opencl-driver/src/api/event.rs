//! Events: OpenCL 1.2, sections 5.9 and 5.12.

use std::ffi::c_void;

use opencl_sys::*;

use crate::answer::Answer;
use crate::call::status;
use crate::event::Event;
use crate::execution;
use crate::failure::{Done, Failure, require};
use crate::handle::Handle;
use crate::raw::list;

/// `clWaitForEvents`.
pub(crate) unsafe extern "C" fn wait(count: cl_uint, events: *const cl_event) -> cl_int {
    // SAFETY: by the contract of the API.
    let events = unsafe { list(count as usize, events) };
    status("clWaitForEvents", |driver| {
        let events = events.unwrap_or_default();
        require(!events.is_empty(), CL_INVALID_VALUE, || "no events".into())?;
        let events = events.into_iter().map(|event| driver.objects.get::<Event>(Handle::of(event)));
        let events = events.collect::<Done<Vec<_>>>()?;
        for event in &events {
            events[0].context.check_same(&event.context, "an event")?;
        }
        events.iter().try_for_each(execution::wait)?;
        match events.iter().find(|event| event.status() < CL_COMPLETE) {
            None => Ok(()),
            Some(_) => Err(Failure::device(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command failed")),
        }
    })
}

/// `clRetainEvent`.
pub(crate) unsafe extern "C" fn retain(event: cl_event) -> cl_int {
    status("clRetainEvent", |driver| driver.objects.retain::<Event>(Handle::of(event)))
}

/// `clReleaseEvent`.
pub(crate) unsafe extern "C" fn release(event: cl_event) -> cl_int {
    status("clReleaseEvent", |driver| driver.objects.release::<Event>(Handle::of(event)).map(drop))
}

/// `clGetEventInfo`.
pub(crate) unsafe extern "C" fn get_info(
    event: cl_event,
    name: cl_event_info,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let answer = unsafe { Answer::new(room, value, size) };
    status("clGetEventInfo", |driver| {
        let handle = Handle::of(event);
        let event = driver.objects.get::<Event>(handle)?;
        match name {
            CL_EVENT_COMMAND_QUEUE => answer.handle(Some(event.queue_handle)),
            CL_EVENT_CONTEXT => answer.handle(Some(event.context.handle)),
            CL_EVENT_COMMAND_TYPE => answer.u32(event.command),
            CL_EVENT_COMMAND_EXECUTION_STATUS => answer.u32(event.status().cast_unsigned()),
            CL_EVENT_REFERENCE_COUNT => answer.u32(driver.objects.references::<Event>(handle)?),
            _ => Err(Failure::question(CL_INVALID_VALUE)),
        }
    })
}

/// `clGetEventProfilingInfo`.
pub(crate) unsafe extern "C" fn get_times(
    event: cl_event,
    name: cl_profiling_info,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> cl_int {
    // SAFETY: by the contract of the API.
    let answer = unsafe { Answer::new(room, value, size) };
    status("clGetEventProfilingInfo", |driver| {
        let event = driver.objects.get::<Event>(Handle::of(event))?;
        let code = CL_PROFILING_INFO_NOT_AVAILABLE;
        require(event.is_timed, code, || "the queue was made without CL_QUEUE_PROFILING_ENABLE".into())?;
        require(event.status() == CL_COMPLETE, code, || format!("the command is not complete: {}", event.status()))?;
        let [queued, submitted, begin, end] = *event.times();
        answer.u64(match name {
            CL_PROFILING_COMMAND_QUEUED => queued,
            CL_PROFILING_COMMAND_SUBMIT => submitted,
            CL_PROFILING_COMMAND_START => begin,
            CL_PROFILING_COMMAND_END => end,
            _ => return Err(Failure::question(CL_INVALID_VALUE)),
        })
    })
}
