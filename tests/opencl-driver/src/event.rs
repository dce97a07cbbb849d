//! Events: the state of a command.

use std::fmt::Debug;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use opencl_sys::*;

use crate::context::Context;
use crate::handle::Handle;

/// When a command was queued and submitted, and when it began and ended, nanoseconds of the device.
pub(crate) type Times = [u64; 4];

/// Who executes commands: a queue.
pub(crate) trait Executor: Debug + Send + Sync {
    /// Executes what waits, as far as that ends.
    fn run(&self);
    /// Why it executes nothing more, if it stopped.
    fn stopped(&self) -> Option<String>;
}

/// The state of a command.
#[derive(Debug)]
pub(crate) struct Event {
    /// `cl_event`, if the program wants one.
    pub(crate) handle: Option<Handle>,
    /// Where it belongs.
    pub(crate) context: Arc<Context>,
    /// Where the command is.
    pub(crate) queue: Weak<dyn Executor>,
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
    /// The event of a command that is about to be queued. A handle is for a program that wants one.
    pub(crate) fn new(
        (queue, queue_handle): (Weak<dyn Executor>, Handle),
        context: &Arc<Context>,
        command: cl_command_type,
        is_timed: bool,
        handle: Option<Handle>,
    ) -> Self {
        Self {
            handle,
            context: Arc::clone(context),
            queue,
            queue_handle,
            command,
            is_timed,
            status: AtomicI32::new(CL_QUEUED),
            times: Mutex::new([context.device.nanoseconds(), 0, 0, 0]),
        }
    }

    /// `CL_EVENT_COMMAND_EXECUTION_STATUS`: negative after a failure.
    pub(crate) fn status(&self) -> cl_int {
        self.status.load(Ordering::Acquire)
    }

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
