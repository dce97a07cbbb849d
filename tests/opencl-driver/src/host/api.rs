//! The OpenCL library, loaded when the program runs: building it needs none.
#![expect(unsafe_code, reason = "the functions of the library are C functions")]

use std::ffi::c_void;

use libloading::Library;
use opencl_sys::cl_function_types::*;
use opencl_sys::cl_int;

/// Name of the ICD loader's library.
const LIBRARY: &str = "libOpenCL.so.1";

/// A call that gave an error code.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The function.
    pub(crate) call: &'static str,
    pub(crate) code: cl_int,
}

/// Turns a code into a result.
pub(crate) fn checked(call: &'static str, code: cl_int) -> Result<(), Refused> {
    if code == 0 { Ok(()) } else { Err(Refused { call, code }) }
}

/// Calls a function that returns a handle and writes the code through its last pointer.
pub(crate) fn made(call: &'static str, make: impl FnOnce(*mut cl_int) -> *mut c_void) -> Result<*mut c_void, Refused> {
    let mut code = 0;
    let handle = make(&raw mut code);
    checked(call, code).map(|()| handle)
}

macro_rules! api {
    ($($name:ident: $function:ident $kind:ident,)*) => {
        /// The functions that the program uses.
        #[derive(Debug)]
        pub(crate) struct Api {
            $(pub(crate) $name: $kind,)*
            _library: Library,
        }

        impl Api {
            /// Loads the library.
            ///
            /// # Errors
            /// It is not there, or it lacks a function.
            pub(crate) fn load() -> Result<Self, libloading::Error> {
                // SAFETY: the ICD loader's library does nothing wrong when it is loaded.
                let library = unsafe { Library::new(LIBRARY) }?;
                $(
                    // SAFETY: the function has the type that Khronos's header gives it.
                    let $name = *unsafe { library.get::<$kind>(stringify!($function)) }?;
                )*
                Ok(Self { $($name,)* _library: library })
            }
        }
    };
}

api! {
    platforms: clGetPlatformIDs clGetPlatformIDs_t,
    devices: clGetDeviceIDs clGetDeviceIDs_t,
    context: clCreateContext clCreateContext_t,
    release_context: clReleaseContext clReleaseContext_t,
    queue: clCreateCommandQueue clCreateCommandQueue_t,
    release_queue: clReleaseCommandQueue clReleaseCommandQueue_t,
    buffer: clCreateBuffer clCreateBuffer_t,
    part: clCreateSubBuffer clCreateSubBuffer_t,
    release_buffer: clReleaseMemObject clReleaseMemObject_t,
    program: clCreateProgramWithBinary clCreateProgramWithBinary_t,
    build: clBuildProgram clBuildProgram_t,
    release_program: clReleaseProgram clReleaseProgram_t,
    kernel: clCreateKernel clCreateKernel_t,
    release_kernel: clReleaseKernel clReleaseKernel_t,
    argument: clSetKernelArg clSetKernelArg_t,
    launch: clEnqueueNDRangeKernel clEnqueueNDRangeKernel_t,
    read: clEnqueueReadBuffer clEnqueueReadBuffer_t,
    write: clEnqueueWriteBuffer clEnqueueWriteBuffer_t,
    fill: clEnqueueFillBuffer clEnqueueFillBuffer_t,
    copy: clEnqueueCopyBuffer clEnqueueCopyBuffer_t,
    map: clEnqueueMapBuffer clEnqueueMapBuffer_t,
    unmap: clEnqueueUnmapMemObject clEnqueueUnmapMemObject_t,
    finish: clFinish clFinish_t,
    wait: clWaitForEvents clWaitForEvents_t,
    times: clGetEventProfilingInfo clGetEventProfilingInfo_t,
    release_event: clReleaseEvent clReleaseEvent_t,
}

/// Calls a function of the library that gives a code.
macro_rules! call {
    ($api:expr, $name:ident($($argument:expr),* $(,)?)) => {{
        let function = $api.$name.ok_or(crate::api::Refused { call: stringify!($name), code: 0 })?;
        // SAFETY: the arguments are what Khronos's header asks for; those that are wrong are so on purpose, in values that a driver checks.
        crate::api::checked(stringify!($name), unsafe { function($($argument),*) })
    }};
}

/// Calls a function of the library that gives a handle.
macro_rules! make {
    ($api:expr, $name:ident($($argument:expr),* $(,)?)) => {{
        let function = $api.$name.ok_or(crate::api::Refused { call: stringify!($name), code: 0 })?;
        // SAFETY: as for `call`.
        crate::api::made(stringify!($name), |code| unsafe { function($($argument,)* code) })
    }};
}

pub(crate) use {call, make};
