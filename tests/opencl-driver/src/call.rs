//! The frame of every call: one at a time, an error code for each failure, and nothing unwinds into the caller.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use opencl_sys::{CL_OUT_OF_HOST_MEMORY, CL_SUCCESS, cl_int};

use crate::driver::Driver;
use crate::failure::{Blame, Done, Failure};
use crate::handle::Handle;
use crate::raw::Out;
use crate::report::report;
use crate::rules;

/// A call that gives an error code.
pub(crate) fn status(function: &str, body: impl FnOnce(&mut Driver) -> Done<()>) -> cl_int {
    match guarded(function, body) {
        Ok(()) => CL_SUCCESS,
        Err(failure) => told(function, &failure),
    }
}

/// A call that gives an object, and the code through a pointer that may be null.
pub(crate) fn create(
    function: &str,
    code: &Out<cl_int>,
    body: impl FnOnce(&mut Driver) -> Done<Handle>,
) -> *mut c_void {
    pointer(function, code, |driver| body(driver).map(Handle::pointer))
}

/// A call that gives a pointer, and the code through another one that may be null.
pub(crate) fn pointer(
    function: &str,
    code: &Out<cl_int>,
    body: impl FnOnce(&mut Driver) -> Done<*mut c_void>,
) -> *mut c_void {
    match guarded(function, body) {
        Ok(made) => {
            code.put(CL_SUCCESS);
            made
        }
        Err(failure) => {
            code.put(told(function, &failure));
            std::ptr::null_mut()
        }
    }
}

fn guarded<T>(function: &str, body: impl FnOnce(&mut Driver) -> Done<T>) -> Done<T> {
    // The lock is free again before anything is told: a call that hangs must not keep the other threads.
    let done = catch_unwind(AssertUnwindSafe(|| Driver::with(body)));
    done.unwrap_or_else(|_| {
        Err(Failure::wrong(CL_OUT_OF_HOST_MEMORY, format!("{function} failed in the driver itself")))
    })
}

/// Writes the line of a failure and gives its code, or does not come back.
fn told(function: &str, failure: &Failure) -> cl_int {
    match failure.blame {
        Blame::Question => {}
        Blame::Device => report(function, failure),
        Blame::Program => {
            report(function, failure);
            if rules::are_fatal() {
                std::process::abort();
            }
        }
        Blame::Hang => {
            report(function, format_args!("does not return: {}", failure.reason));
            loop {
                thread::park();
            }
        }
    }
    failure.code
}
