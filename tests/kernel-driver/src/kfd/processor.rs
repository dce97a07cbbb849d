//! The GPU's own thread: looks at the doorbells of all queues in turn.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::device::Device;
use crate::kfd::queue::Queue;
use crate::kfd::ring::Progress;

/// So long after the last packet the thread looks without a pause: a program that launches kernel after kernel does not wait.
const EAGER: Duration = Duration::from_micros(200);
/// So long it looks often.
const ATTENTIVE: Duration = Duration::from_millis(20);
/// Pauses between looks, when attentive and when bored.
const PAUSES: [Duration; 2] = [Duration::from_micros(20), Duration::from_micros(500)];

/// The queues of a process.
#[derive(Debug, Default)]
pub(crate) struct Processor {
    queues: RwLock<BTreeMap<u32, Arc<Mutex<Queue>>>>,
    thread: OnceLock<()>,
}

impl Processor {
    /// Adds a queue under the lowest free id below `limit`: `make` gets the id. The first one starts the thread.
    pub(crate) fn add(
        self: &Arc<Self>,
        device: &Arc<Device>,
        limit: u32,
        make: impl FnOnce(u32) -> Queue,
    ) -> Option<u32> {
        let mut queues = self.queues.write().unwrap_or_else(PoisonError::into_inner);
        let id = (0..limit).find(|id| !queues.contains_key(id))?;
        queues.insert(id, Arc::new(Mutex::new(make(id))));
        drop(queues);
        self.thread.get_or_init(|| {
            let (processor, device) = (Arc::clone(self), Arc::clone(device));
            std::thread::spawn(move || processor.run(&device));
        });
        Some(id)
    }

    /// Removes a queue when it is done with its packet; `false` if it does not exist.
    pub(crate) fn remove(&self, id: u32) -> bool {
        let removed = self.queues.write().unwrap_or_else(PoisonError::into_inner).remove(&id);
        let Some(queue) = removed else { return false };
        // The thread may still hold it, and must not touch the ring after this request.
        lock(&queue).set_paused(true);
        true
    }

    /// Stops or continues a queue; `false` if it does not exist.
    pub(crate) fn set_paused(&self, id: u32, is_paused: bool) -> bool {
        let queues = self.queues.read().unwrap_or_else(PoisonError::into_inner);
        queues.get(&id).map(|queue| lock(queue).set_paused(is_paused)).is_some()
    }

    fn run(&self, device: &Device) {
        let mut last = Instant::now();
        loop {
            let queues: Vec<_> = self.queues.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
            let worked = queues.iter().filter(|queue| !device.is_gone() && drain(queue, device)).count();
            if worked > 0 {
                last = Instant::now();
            }
            match last.elapsed() {
                idle if idle < EAGER => std::thread::yield_now(),
                idle if idle < ATTENTIVE => std::thread::sleep(PAUSES[0]),
                _ => std::thread::sleep(PAUSES[1]),
            }
        }
    }
}

/// Takes packets of a queue as long as there are some, but not forever; whether there were any.
fn drain(queue: &Mutex<Queue>, device: &Device) -> bool {
    const PACKETS: u32 = 64;
    let mut queue = lock(queue);
    let count = (0..PACKETS).take_while(|_| queue.step(device) == Progress::Worked && !device.is_gone()).count();
    count > 0
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}
