//! Commands: what waits in a queue.

use std::sync::Arc;

use crate::buffer::Buffer;
use crate::event::Event;
use crate::host_memory::HostMemory;
use crate::launch::Launch;

#[derive(Debug)]
pub(crate) struct Command {
    /// Its own event.
    pub(crate) event: Arc<Event>,
    /// The events that it waits for.
    pub(crate) waits: Vec<Arc<Event>>,
    pub(crate) action: Action,
}

/// A range of a buffer that was checked.
#[derive(Debug, Clone)]
pub(crate) struct Range {
    pub(crate) buffer: Arc<Buffer>,
    /// Where the range begins, bytes.
    pub(crate) offset: usize,
    pub(crate) bytes: usize,
}

/// The action of a command.
#[derive(Debug)]
pub(crate) enum Action {
    /// Nothing but to be in the queue.
    Marker,
    /// A kernel.
    Launch(Box<Launch>),
    /// Card to host.
    Read(Range, HostMemory),
    /// Host to card.
    Write(Range, HostMemory),
    /// A pattern, again and again.
    Fill(Range, Vec<u8>),
    /// Card to card.
    Copy(Range, Range),
    /// The card's bytes become visible in the mapping at this address.
    Map(Range, HostMemory),
    /// The program's writes to the mapping at this address go to the card.
    Unmap(Arc<Buffer>, usize),
}
