//! Command queues, in order.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opencl_sys::*;

use crate::command::Command;
use crate::context::Context;
use crate::failure::{Done, Failure};
use crate::handle::Handle;

/// A command queue.
#[derive(Debug)]
pub(crate) struct Queue {
    /// `cl_command_queue`.
    pub(crate) handle: Handle,
    /// Where it belongs.
    pub(crate) context: Arc<Context>,
    /// `cl_command_queue_properties`.
    pub(crate) properties: cl_command_queue_properties,
    state: Mutex<State>,
}

/// The content of a queue.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Commands that have not been executed, in order.
    pub(crate) pending: VecDeque<Command>,
    /// Why the queue stopped for good: as on a card, a fault ends the queue.
    pub(crate) stopped: Option<Stopped>,
}

/// Why a queue stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// A command failed.
    Failed(String),
    /// A command does not end.
    Hung(String),
}

impl Queue {
    /// A queue without commands.
    pub(crate) fn new(context: Arc<Context>, properties: cl_command_queue_properties) -> Self {
        Self { handle: Handle::new(), context, properties, state: Mutex::default() }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails if the queue takes no commands any more.
    pub(crate) fn check(&self) -> Done<()> {
        self.context.device.check()?;
        match &self.state().stopped {
            Some(Stopped::Failed(reason)) => {
                Err(Failure::device(CL_OUT_OF_RESOURCES, format!("the queue stopped: {reason}")))
            }
            // The card takes commands after one that hangs; they wait.
            Some(Stopped::Hung(_)) | None => Ok(()),
        }
    }
}
