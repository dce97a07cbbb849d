//! Executing commands: in order, when the program flushes a queue or waits.
//!
//! A command that was only enqueued has not happened: a program that reads its results too early finds the old ones.

use std::sync::{Arc, Weak};

use gcn_simulated_card::Kind;
use opencl_sys::*;

use crate::buffer::Buffer;
use crate::command::{Action, Command, Range};
use crate::dispatch::{self, Stop};
use crate::event::{Event, Executor};
use crate::failure::{Done, Failure};
use crate::handle::Handle;
use crate::object_table::{Object, ObjectTable};
use crate::queue::{Queue, Stopped};
use crate::raw::Out;
use crate::report::report;

/// The needs of a command that is to be enqueued, apart from its action.
#[derive(Debug)]
pub(crate) struct Order {
    /// What command it is.
    pub(crate) command: cl_command_type,
    /// The events that it waits for.
    pub(crate) waits: Vec<Arc<Event>>,
    /// Where the program wants its event.
    pub(crate) event: Out<cl_event>,
    /// Whether the call returns only when the command is done.
    pub(crate) is_blocking: bool,
}

/// Puts a command into a queue, and waits for it if that is asked for.
pub(crate) fn enqueue(objects: &mut ObjectTable, queue: &Arc<Queue>, action: Action, order: &Order) -> Done<()> {
    queue.check()?;
    let executor = Arc::downgrade(queue) as Weak<dyn Executor>;
    let is_timed = queue.properties & CL_QUEUE_PROFILING_ENABLE != 0;
    let handle = order.event.is_wanted().then(Handle::new);
    let event = Arc::new(Event::new((executor, queue.handle), &queue.context, order.command, is_timed, handle));
    queue.state().pending.push_back(Command { event: Arc::clone(&event), waits: order.waits.clone(), action });
    if let Some(handle) = event.handle {
        order.event.put(objects.add(handle, Object::Event(Arc::clone(&event))).pointer());
    }
    if order.is_blocking {
        wait(&event)?;
        if event.status() < CL_COMPLETE {
            return Err(Failure::device(event.status(), "the command failed"));
        }
    }
    Ok(())
}

/// Waits for a command; it may have failed.
///
/// # Errors
/// [`crate::failure::Blame::Hang`] if it never ends.
pub(crate) fn wait(event: &Arc<Event>) -> Done<()> {
    if let Some(queue) = event.queue.upgrade() {
        queue.run();
    }
    if event.is_done() { Ok(()) } else { Err(Failure::hang(hung(event))) }
}

fn hung(event: &Event) -> String {
    let stopped = event.queue.upgrade().and_then(|queue| queue.stopped());
    stopped.unwrap_or_else(|| "nothing will ever execute the command".into())
}

impl Executor for Queue {
    fn run(&self) {
        run(self);
    }

    fn stopped(&self) -> Option<String> {
        let (Stopped::Hung(reason) | Stopped::Failed(reason)) = self.state().stopped.clone()?;
        Some(reason)
    }
}

/// Executes the content of a queue, as far as that ends.
pub(crate) fn run(queue: &Queue) {
    loop {
        let stopped = queue.state().stopped.clone();
        if matches!(stopped, Some(Stopped::Hung(_))) && !queue.context.device.is_gone() {
            return;
        }
        let Some(command) = queue.state().pending.pop_front() else { return };
        if !execute(queue, &command, stopped.is_some()) {
            // It is still the first: it runs forever.
            queue.state().pending.push_front(command);
            return;
        }
    }
}

/// Executes a command; whether it ended.
fn execute(queue: &Queue, command: &Command, is_stopped: bool) -> bool {
    let device = &queue.context.device;
    let event = &command.event;
    let fail = |code: cl_int| {
        event.set(code);
        true
    };
    if is_stopped || device.is_gone() {
        return fail(CL_OUT_OF_RESOURCES);
    }
    event.set(CL_SUBMITTED);
    event.times()[1] = device.nanoseconds();
    for wait in &command.waits {
        if self::wait(wait).is_err() {
            queue.state().stopped = Some(Stopped::Hung(format!("it waits for a command that hangs: {}", hung(wait))));
            return false;
        }
        if wait.status() < CL_COMPLETE {
            return fail(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        }
    }
    event.set(CL_RUNNING);
    let begin = device.nanoseconds();
    event.times()[2] = begin;
    match act(&command.action, queue) {
        Ok(nanoseconds) => {
            event.times()[3] = nanoseconds.map_or_else(|| device.nanoseconds(), |taken| begin + taken);
            event.set(CL_COMPLETE);
            true
        }
        Err(stop) => {
            report("a command", &stop);
            match stop {
                Stop::Endless(reason) => {
                    queue.state().stopped = Some(Stopped::Hung(reason));
                    false
                }
                Stop::Failed(reason) => {
                    queue.state().stopped = Some(Stopped::Failed(reason));
                    fail(CL_OUT_OF_RESOURCES)
                }
                Stop::Gone(_) => {
                    device.lose();
                    fail(CL_OUT_OF_RESOURCES)
                }
            }
        }
    }
}

/// Executes a command; returns the nanoseconds that it takes on the card where the model has them.
fn act(action: &Action, queue: &Queue) -> Result<Option<u64>, Stop> {
    let failed = |failure: Failure| Stop::Failed(failure.to_string());
    match action {
        Action::Marker => {}
        Action::Launch(launch) => return dispatch::execute(&queue.context.device, launch).map(Some),
        Action::Read(from, into) | Action::Map(from, into) => into.write(&load(from).map_err(failed)?),
        Action::Write(into, from) => into.buffer.store(into.offset, &from.read()).map_err(failed)?,
        Action::Fill(range, pattern) => {
            let bytes: Vec<u8> = pattern.iter().copied().cycle().take(range.bytes).collect();
            range.buffer.store(range.offset, &bytes).map_err(failed)?;
        }
        Action::Copy(from, into) => into.buffer.store(into.offset, &load(from).map_err(failed)?).map_err(failed)?,
        Action::Unmap(buffer, address) => unmap(buffer, *address).map_err(failed)?,
    }
    Ok(None)
}

fn load(range: &Range) -> Done<Vec<u8>> {
    range.buffer.load(range.offset, range.bytes)
}

fn unmap(buffer: &Buffer, address: usize) -> Done<()> {
    let mut mappings = buffer.mappings();
    let is_it = |mapping: &crate::buffer::Mapping| mapping.is_ending && mapping.memory.address() == address;
    let Some(i) = mappings.iter().position(is_it) else { return Ok(()) };
    let mapping = mappings.remove(i);
    if mapping.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) != 0 {
        buffer.store(mapping.offset, &mapping.memory.read())?;
    }
    Ok(())
}

/// Checks an event wait list: null exactly if it is empty, events that are there, of the queue's context.
pub(crate) fn wait_list(
    objects: &mut ObjectTable,
    queue: &Queue,
    count: cl_uint,
    list: Option<Vec<cl_event>>,
) -> Done<Vec<Arc<Event>>> {
    let code = CL_INVALID_EVENT_WAIT_LIST;
    if (count == 0) != list.is_none() {
        let is_null = if list.is_none() { "null" } else { "not null" };
        return Err(Failure::wrong(code, format!("an event wait list of {count} events is {is_null}")));
    }
    let mut events = Vec::new();
    for (i, event) in list.unwrap_or_default().into_iter().enumerate() {
        let event = objects.get::<Event>(Handle::of(event));
        let event =
            event.map_err(|failure| Failure::wrong(code, format!("wait list, event {i}: {}", failure.reason)))?;
        queue.context.check_same(&event.context, &format!("wait list, event {i}"))?;
        events.push(event);
    }
    Ok(events)
}

/// The fault that a launch is to have; a refused launch never reaches the queue.
///
/// # Errors
/// `CL_OUT_OF_RESOURCES` for one that is to be refused.
pub(crate) fn fault(queue: &Queue, kernel: &str) -> Done<Option<Kind>> {
    let faults = &queue.context.device.faults;
    if faults.submission() == Some(Kind::Refused) {
        let reason = format!("kernel {kernel}: GCN_TIMINGS_FAULT asks for it to be refused");
        return Err(Failure::device(CL_OUT_OF_RESOURCES, reason));
    }
    Ok(faults.dispatch(Some(kernel)))
}
