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

/// The age of an event that was never set (Linux, `kfd_events.c`, `create_signal_event`). 0 says that no age is known.
const NEW: u64 = 1;

#[derive(Debug, Default)]
struct Event {
    kind: u32,
    is_auto_reset: bool,
    is_set: bool,
    data: Data,
    /// Grows with each time that it is set: who waits compares.
    age: u64,
    /// Threads that wait for it.
    waiters: u32,
}

impl Event {
    /// Sets it. An event that resets itself stays set only if no thread waits for it, and all that do are (Linux,
    /// `kfd_events.c`, `set_event`).
    fn set(&mut self) {
        self.is_set = !self.is_auto_reset || self.waiters == 0;
        self.age += 1;
    }
}

/// The object that a thread waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Awaited {
    pub(crate) id: u32,
    /// The age of a signal's event that the thread saw last: another one has happened already, whoever took it. 0 if it does not say
    /// (Linux, `struct kfd_hsa_signal_event_data`, from version 1.14 on).
    pub(crate) last_age: u64,
}

/// One event as a thread waits for it.
struct Waiting {
    id: u32,
    age: u64,
    is_aged: bool,
    has_happened: bool,
}

impl Waiting {
    /// What comes with the event: its age for who gave one, its data otherwise.
    fn data(&self, event: &Event) -> Data {
        let [low, high] = [event.age as u32, (event.age >> 32) as u32];
        if self.is_aged { [low, high, 0, 0, 0, 0, 0, 0] } else { event.data }
    }
}

/// How a wait ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wait {
    /// The awaited event happened: for each event its data if it is set.
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
        events.insert(id, Event { kind, is_auto_reset, age: NEW, ..Event::default() });
        Some(id)
    }

    /// Removes an event; waits for it fail. `false` if it does not exist.
    pub(crate) fn destroy(&self, id: u32) -> bool {
        let is_known = self.lock().remove(&id).is_some();
        self.changed.notify_all();
        is_known
    }

    /// Sets or resets an event; `false` if it does not exist.
    pub(crate) fn set(&self, id: u32, is_set: bool) -> bool {
        let mut events = self.lock();
        let Some(event) = events.get_mut(&id) else { return false };
        if is_set {
            event.set();
        } else {
            event.is_set = false;
        }
        drop(events);
        self.changed.notify_all();
        true
    }

    /// Sets every event of a kind, with its data; `false` if none exists.
    pub(crate) fn raise(&self, kind: u32, data: Data) -> bool {
        let mut events = self.lock();
        let mut is_any = false;
        for event in events.values_mut().filter(|event| event.kind == kind) {
            event.set();
            (event.data, is_any) = (data, true);
        }
        drop(events);
        self.changed.notify_all();
        is_any
    }

    /// Waits for one or all of some events. An event that is set already counts, and this takes it.
    pub(crate) fn wait(&self, awaited: &[Awaited], for_all: bool, timeout: Option<Duration>) -> Wait {
        let end = timeout.map(|timeout| Instant::now() + timeout);
        let mut events = self.lock();
        if awaited.iter().any(|awaited| !events.contains_key(&awaited.id)) {
            return Wait::Fail;
        }
        let begin = |&Awaited { id, last_age }: &Awaited| {
            let event = events.get_mut(&id)?;
            let is_aged = event.kind == SIGNAL && last_age != 0;
            let has_happened = event.is_set || is_aged && event.age != last_age;
            event.is_set &= !event.is_auto_reset;
            event.waiters += 1;
            Some(Waiting { id, age: event.age, is_aged, has_happened })
        };
        let mut waiting: Vec<Waiting> = awaited.iter().filter_map(begin).collect();
        let ended = loop {
            for waiting in &mut waiting {
                waiting.has_happened |= events.get(&waiting.id).is_some_and(|event| event.age != waiting.age);
            }
            let mut happened = waiting.iter().map(|waiting| waiting.has_happened);
            if if for_all { happened.all(|happened| happened) } else { happened.any(|happened| happened) } {
                let data = |waiting: &Waiting| {
                    waiting.has_happened.then(|| events.get(&waiting.id).map(|event| waiting.data(event)))
                };
                break Wait::Complete(waiting.iter().map(data).map(Option::flatten).collect());
            }
            if awaited.iter().any(|awaited| !events.contains_key(&awaited.id)) {
                break Wait::Fail;
            }
            events = match end.map(|end| end.saturating_duration_since(Instant::now())) {
                Some(Duration::ZERO) => break Wait::Timeout,
                Some(left) => self.changed.wait_timeout(events, left).unwrap_or_else(PoisonError::into_inner).0,
                None => self.changed.wait(events).unwrap_or_else(PoisonError::into_inner),
            };
        };
        for Awaited { id, .. } in awaited {
            if let Some(event) = events.get_mut(id) {
                event.waiters = event.waiters.saturating_sub(1);
            }
        }
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_end_as_they_should() {
        let events = Events::default();
        let wait = |ids: &[u32], for_all: bool, timeout: Option<Duration>| {
            let awaited: Vec<_> = ids.iter().map(|id| Awaited { id: *id, last_age: 0 }).collect();
            events.wait(&awaited, for_all, timeout)
        };
        let [auto, manual] = [true, false].map(|auto| events.create(SIGNAL, auto).unwrap());
        let now = Some(Duration::ZERO);
        let set = Some([0; 8]);
        assert_eq!(wait(&[auto, manual], false, now), Wait::Timeout);
        assert!(events.set(auto, true) && events.set(manual, true));
        assert_eq!(wait(&[auto, manual], true, now), Wait::Complete(vec![set; 2]));
        assert_eq!(wait(&[auto, manual], false, now), Wait::Complete(vec![None, set]));
        assert!(!events.raise(MEMORY, [1; 8]));
        let fault = events.create(MEMORY, false).unwrap();
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| wait(&[fault], false, None));
            assert!(events.raise(MEMORY, [1; 8]));
            assert_eq!(waiter.join().unwrap(), Wait::Complete(vec![Some([1; 8])]));
        });
        // All that wait for it are woken, also where it resets itself; and none after them.
        std::thread::scope(|scope| {
            let waiters = [(); 2].map(|()| scope.spawn(|| wait(&[auto], false, None)));
            while events.lock()[&auto].waiters < 2 {
                std::thread::yield_now();
            }
            events.set(auto, true);
            waiters.into_iter().for_each(|waiter| assert_eq!(waiter.join().unwrap(), Wait::Complete(vec![set])));
        });
        assert_eq!(wait(&[auto], false, now), Wait::Timeout);
        assert!(events.destroy(auto));
        assert_eq!(wait(&[auto], false, now), Wait::Fail);
    }

    #[test]
    fn who_knows_an_events_age_misses_none_that_another_thread_took() {
        let events = Events::default();
        let event = events.create(SIGNAL, true).unwrap();
        let wait = |last_age| events.wait(&[Awaited { id: event, last_age }], false, Some(Duration::ZERO));
        let aged = |age| Wait::Complete(vec![Some([age, 0, 0, 0, 0, 0, 0, 0])]);
        assert_eq!(wait(1), Wait::Timeout);
        assert!(events.set(event, true));
        // The first thread takes it, and the second, which does not tell the events that it saw, waits for the next.
        assert_eq!([wait(0), wait(0)], [Wait::Complete(vec![Some([0; 8])]), Wait::Timeout]);
        assert_eq!([wait(1), wait(2)], [aged(2), Wait::Timeout]);
    }
}
