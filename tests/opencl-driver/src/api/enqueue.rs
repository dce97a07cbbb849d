//! Kernels, markers and barriers: OpenCL 1.2, sections 5.8 and 5.10.

use opencl_sys::*;

use crate::call::status;
use crate::command::Action;
use crate::execution::{Order, enqueue, fault, wait_list};
use crate::handle::Handle;
use crate::kernel::Kernel;
use crate::preparation::{Shape, prepare};
use crate::queue::Queue;
use crate::raw::{Out, list};

/// `clEnqueueNDRangeKernel`.
pub(crate) unsafe extern "C" fn kernel(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
    count: cl_uint,
    waits: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // Another number of dimensions is refused; no more than three elements are ever there.
    let sizes = dimensions.min(3) as usize;
    // SAFETY: by the contract of the API.
    let (shape, waits, event) = unsafe {
        let shape =
            Shape { dimensions, offset: list(sizes, offset), global: list(sizes, global), local: list(sizes, local) };
        (shape, list(count as usize, waits), Out::new(event))
    };
    status("clEnqueueNDRangeKernel", |driver| {
        let queue = driver.objects.get::<Queue>(Handle::of(queue))?;
        let kernel = driver.objects.get::<Kernel>(Handle::of(kernel))?;
        queue.context.check_same(&kernel.program.context, "the kernel")?;
        let waits = wait_list(&mut driver.objects, &queue, count, waits)?;
        let mut launch = prepare(kernel, &mut driver.objects, &shape)?;
        queue.check()?;
        launch.fault = fault(&queue, launch.kernel.name())?;
        let order = Order { command: CL_COMMAND_NDRANGE_KERNEL, waits, event, is_blocking: false };
        enqueue(&mut driver.objects, &queue, Action::Launch(Box::new(launch)), &order)
    })
}

/// `clEnqueueMarkerWithWaitList`.
pub(crate) unsafe extern "C" fn marker(
    queue: cl_command_queue,
    count: cl_uint,
    waits: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: the contract is the same.
    unsafe { nothing("clEnqueueMarkerWithWaitList", CL_COMMAND_MARKER, (queue, count, waits, event)) }
}

/// `clEnqueueBarrierWithWaitList`.
pub(crate) unsafe extern "C" fn barrier(
    queue: cl_command_queue,
    count: cl_uint,
    waits: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: the contract is the same.
    unsafe { nothing("clEnqueueBarrierWithWaitList", CL_COMMAND_BARRIER, (queue, count, waits, event)) }
}

/// A command that does nothing: in a queue that keeps the order, a marker and a barrier are the same.
unsafe fn nothing(
    function: &str,
    command: cl_command_type,
    (queue, count, waits, event): (cl_command_queue, cl_uint, *const cl_event, *mut cl_event),
) -> cl_int {
    // SAFETY: by the contract of the API.
    let (waits, event) = unsafe { (list(count as usize, waits), Out::new(event)) };
    status(function, |driver| {
        let queue = driver.objects.get::<Queue>(Handle::of(queue))?;
        let waits = wait_list(&mut driver.objects, &queue, count, waits)?;
        let order = Order { command, waits, event, is_blocking: false };
        enqueue(&mut driver.objects, &queue, Action::Marker, &order)
    })
}
