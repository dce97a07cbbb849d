//! Events: the state of a command.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use opencl_sys::*;

use crate::context::Context;
use crate::handle::Handle;
use crate::queue::Queue;

/// When a command was queued and submitted, and when it began and ended, nanoseconds of the device.
pub(crate) type Times = [u64; 4];

/// The state of a command.
#[derive(Debug)]
pub(crate) struct Event {
    /// `cl_event`, if the program wants one.
    pub(crate) handle: Option<Handle>,
    /// Where it belongs.
    pub(crate) context: Arc<Context>,
    /// Where the command is.
    pub(crate) queue: Weak<Queue>,
    /// The queue's handle, for questions.
    pub(crate) queue_handle: Handle,
    /// What command it is.
    pub(crate) command: cl_command_type,
    /// Whether times are kept.
    pub(crate) is_timed: bool,
    status: AtomicI32,
    times: Mutex<Times>,
}

impl Event {
    /// The event of a command that is about to be queued.
    pub(crate) fn new(queue: &Arc<Queue>, command: cl_command_type, is_wanted: bool) -> Self {
        Self {
            handle: is_wanted.then(Handle::new),
            context: Arc::clone(&queue.context),
            queue: Arc::downgrade(queue),
            queue_handle: queue.handle,
            command,
            is_timed: queue.properties & CL_QUEUE_PROFILING_ENABLE != 0,
            status: AtomicI32::new(CL_QUEUED),
            times: Mutex::new([queue.context.device.nanoseconds(), 0, 0, 0]),
        }
    }

    /// `CL_EVENT_COMMAND_EXECUTION_STATUS`: negative after a failure.
    pub(crate) fn status(&self) -> cl_int {
        self.status.load(Ordering::Acquire)
    }

    /// Sets the status.
    pub(crate) fn set(&self, status: cl_int) {
        self.status.store(status, Ordering::Release);
    }

    /// Whether the command is done, well or not.
    pub(crate) fn is_done(&self) -> bool {
        self.status() <= CL_COMPLETE
    }

    /// When what happened.
    pub(crate) fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
