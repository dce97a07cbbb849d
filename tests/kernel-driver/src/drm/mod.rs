//! The driver's side of the render node, which Mesa uses: buffers, and command buffers that are executed when they are submitted.

mod buffers;
mod contexts;
mod request;
mod requests;
mod sync_objects;
pub(crate) mod sysfs;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use buffers::Buffers;
use contexts::Contexts;
use sync_objects::SyncObjects;

use crate::pm4::CommandProcessor;

pub(crate) use request::LETTER;
pub(crate) use requests::answer;

/// The objects that a process has made by requests.
#[derive(Debug, Default)]
pub(crate) struct State {
    buffers: Mutex<Buffers>,
    contexts: Mutex<Contexts>,
    sync_objects: Mutex<SyncObjects>,
    /// By type of hardware and number. All are executed one at a time, in the order of submission.
    rings: Mutex<BTreeMap<(u32, u32), CommandProcessor>>,
}

impl State {
    /// Taken bytes of the card's memory.
    pub(crate) fn used_memory(&self) -> u64 {
        self.buffers().used_bytes()[0]
    }

    fn buffers(&self) -> MutexGuard<'_, Buffers> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn contexts(&self) -> MutexGuard<'_, Contexts> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sync_objects(&self) -> MutexGuard<'_, SyncObjects> {
        self.sync_objects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rings(&self) -> MutexGuard<'_, BTreeMap<(u32, u32), CommandProcessor>> {
        self.rings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
