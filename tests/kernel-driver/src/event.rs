//! Events: how the driver wakes a thread of the process that waits.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// `KFD_IOC_EVENT_SIGNAL`.
pub(crate) const SIGNAL: u32 = 0;
/// `KFD_IOC_EVENT_HW_EXCEPTION`.
pub(crate) const HARDWARE_EXCEPTION: u32 = 3;
/// `KFD_IOC_EVENT_MEMORY`.
pub(crate) const MEMORY: u32 = 8;
/// `KFD_SIGNAL_EVENT_LIMIT`.
const LIMIT: u32 = 4096;

/// What comes with an event: the union of `struct kfd_event_data`, 32 bytes.
pub(crate) type Data = [u32; 8];

#[derive(Debug, Default)]
struct Event {
    kind: u32,
    is_auto_reset: bool,
    is_set: bool,
    data: Data,
}

/// How a wait ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wait {
    /// What was waited for happened: for each event its data if it is set.
    Complete(Vec<Option<Data>>),
    /// The time is over.
    Timeout,
    /// One of the events does not exist.
    Fail,
}

/// The events of a process.
#[derive(Debug, Default)]
pub(crate) struct Events {
    events: Mutex<BTreeMap<u32, Event>>,
    changed: Condvar,
}

impl Events {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u32, Event>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new event; its id, which is also its slot in the event page. `None` if all are taken.
    pub(crate) fn create(&self, kind: u32, is_auto_reset: bool) -> Option<u32> {
        let mut events = self.lock();
        // Slot 0 stays free: an id of 0 means "no event" in a signal.
        let id = (1..LIMIT).find(|id| !events.contains_key(id))?;
        events.insert(id, Event { kind, is_auto_reset, ..Event::default() });
        Some(id)
    }

    /// Removes an event; who waits for it fails. `false` if there is none.
    pub(crate) fn destroy(&self, id: u32) -> bool {
        let is_known = self.lock().remove(&id).is_some();
        self.changed.notify_all();
        is_known
    }

    /// Sets or resets an event; `false` if there is none.
    pub(crate) fn set(&self, id: u32, is_set: bool) -> bool {
        let is_known = self.lock().get_mut(&id).map(|event| event.is_set = is_set).is_some();
        self.changed.notify_all();
        is_known
    }

    /// Sets every event of a kind, with its data; `false` if there is none.
    pub(crate) fn raise(&self, kind: u32, data: Data) -> bool {
        let mut events = self.lock();
        let mut is_any = false;
        for event in events.values_mut().filter(|event| event.kind == kind) {
            (event.is_set, event.data, is_any) = (true, data, true);
        }
        drop(events);
        self.changed.notify_all();
        is_any
    }

    /// Waits for one or all of some events.
    pub(crate) fn wait(&self, ids: &[u32], for_all: bool, timeout: Option<Duration>) -> Wait {
        let end = timeout.map(|timeout| Instant::now() + timeout);
        let mut events = self.lock();
        loop {
            let set = |id: &u32| events.get(id).map(|event| event.is_set);
            let Some(states) = ids.iter().map(set).collect::<Option<Vec<bool>>>() else { return Wait::Fail };
            let is_complete = if for_all { states.iter().all(|set| *set) } else { states.contains(&true) };
            if is_complete {
                let mut take = |(id, is_set): (&u32, &bool)| {
                    let event = events.get_mut(id).filter(|_| *is_set)?;
                    event.is_set = !event.is_auto_reset;
                    Some(event.data)
                };
                return Wait::Complete(ids.iter().zip(&states).map(&mut take).collect());
            }
            events = match end.map(|end| end.saturating_duration_since(Instant::now())) {
                Some(Duration::ZERO) => return Wait::Timeout,
                Some(left) => self.changed.wait_timeout(events, left).unwrap_or_else(PoisonError::into_inner).0,
                None => self.changed.wait(events).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_end_as_they_should() {
        let events = Events::default();
        let [auto, manual] = [true, false].map(|auto| events.create(SIGNAL, auto).unwrap());
        let now = Some(Duration::ZERO);
        assert_eq!(events.wait(&[auto, manual], false, now), Wait::Timeout);
        assert!(events.set(auto, true));
        assert_eq!(events.wait(&[auto, manual], true, now), Wait::Timeout);
        assert!(events.set(manual, true));
        assert_eq!(events.wait(&[auto, manual], true, now), Wait::Complete(vec![Some([0; 8]); 2]));
        assert_eq!(events.wait(&[auto, manual], false, now), Wait::Complete(vec![None, Some([0; 8])]));
        assert!(!events.raise(MEMORY, [1; 8]));
        let fault = events.create(MEMORY, false).unwrap();
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| events.wait(&[fault], false, None));
            assert!(events.raise(MEMORY, [1; 8]));
            assert_eq!(waiter.join().unwrap(), Wait::Complete(vec![Some([1; 8])]));
        });
        assert!(events.destroy(auto));
        assert_eq!(events.wait(&[auto], false, now), Wait::Fail);
    }
}
