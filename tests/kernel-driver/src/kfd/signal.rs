//! Signals: how the GPU tells the program that something is done (ROCr's `amd_hsa_signal.h`).

use crate::kfd::event::Events;
use crate::memory_map::{MemoryMap, NoAccess};

/// Offsets in `amd_signal_t`.
const VALUE: u64 = 8;
const EVENT_MAILBOX: u64 = 16;
const EVENT_ID: u64 = 24;
const START: u64 = 32;
const END: u64 = 40;

/// A signal by its handle, which is its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Signal(pub(crate) u64);

/// Begin and end of a packet, in ticks of the GPU's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Times {
    /// When it began.
    pub(crate) start: u64,
    /// When it ended.
    pub(crate) end: u64,
}

impl Signal {
    /// The signal with that handle; 0 means no signal.
    pub(crate) fn of(handle: u64) -> Option<Self> {
        (handle != 0).then_some(Self(handle))
    }

    pub(crate) fn value(self, memory: &MemoryMap) -> Result<i64, NoAccess> {
        Ok(memory.load64(self.0 + VALUE)? as i64)
    }

    /// Completes a packet: time stamps first, then the value is decremented, then whoever sleeps is woken.
    pub(crate) fn complete(self, memory: &MemoryMap, events: &Events, times: Times) -> Result<(), NoAccess> {
        memory.store64(self.0 + START, times.start)?;
        memory.store64(self.0 + END, times.end)?;
        // After the decrement the program may free the signal: the needed fields are read before.
        let wake = self.wake(memory)?;
        memory.add64(self.0 + VALUE, -1)?;
        wake.send(memory, events)
    }

    /// Stores a value and wakes whoever sleeps.
    pub(crate) fn store(self, memory: &MemoryMap, events: &Events, value: i64) -> Result<(), NoAccess> {
        let wake = self.wake(memory)?;
        memory.store64(self.0 + VALUE, value as u64)?;
        wake.send(memory, events)
    }

    fn wake(self, memory: &MemoryMap) -> Result<Wake, NoAccess> {
        Ok(Wake { mailbox: memory.load64(self.0 + EVENT_MAILBOX)?, event: memory.load32(self.0 + EVENT_ID)? })
    }
}

struct Wake {
    mailbox: u64,
    event: u32,
}

impl Wake {
    fn send(self, memory: &MemoryMap, events: &Events) -> Result<(), NoAccess> {
        if self.mailbox != 0 {
            memory.store64(self.mailbox, u64::from(self.event))?;
            events.set(self.event, true);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kfd::event::{Awaited, SIGNAL, Wait};
    use crate::store::Store;
    use std::time::Duration;

    #[test]
    fn completion_decrements_stamps_and_wakes() {
        let (mut store, memory, events) = (Store::create().unwrap(), MemoryMap::default(), Events::default());
        memory.map(0x1000, store.allocate(4096).map(|offset| store.place(offset, 4096)).unwrap());
        let event = events.create(SIGNAL, true).unwrap();
        let signal = Signal::of(0x1040).unwrap();
        memory.store64(0x1040 + VALUE, 1).unwrap();
        memory.store64(0x1040 + EVENT_MAILBOX, 0x1800).unwrap();
        memory.store32(0x1040 + EVENT_ID, event).unwrap();
        signal.complete(&memory, &events, Times { start: 5, end: 9 }).unwrap();
        assert_eq!(signal.value(&memory), Ok(0));
        assert_eq!((memory.load64(0x1040 + START), memory.load64(0x1040 + END)), (Ok(5), Ok(9)));
        assert_eq!(memory.load64(0x1800), Ok(u64::from(event)));
        let awaited = Awaited { id: event, last_age: 0 };
        assert_eq!(events.wait(&[awaited], false, Some(Duration::ZERO)), Wait::Complete(vec![Some([0; 8])]));
        assert_eq!(Signal::of(0), None);
    }
}
