//! The device: what queues and requests share.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gcn_simulated_card::{Card, Faults};
use gcn_simulator::{Backing, Configuration, Memory};

use crate::clock::Clock;
use crate::kfd::event::{Events, HARDWARE_EXCEPTION, MEMORY};
use crate::kfd::topology::GPU_ID;
use crate::memory_map::MemoryMap;
use crate::report::report;
use crate::store::Store;

/// Granule of the address in a fault: the hardware knows the page.
const PAGE: u64 = 4096;

/// A simulated card as one process has it.
#[derive(Debug)]
pub(crate) struct Device {
    /// Its facts.
    pub(crate) card: Card,
    /// The simulator's form.
    pub(crate) configuration: Configuration,
    /// The GPU's address space.
    pub(crate) memory: Arc<MemoryMap>,
    /// Events of the process.
    pub(crate) events: Events,
    pub(crate) clock: Clock,
    /// Faults that are asked for.
    pub(crate) faults: Faults,
    store: Mutex<Store>,
    is_gone: AtomicBool,
    launches: AtomicU64,
}

impl Device {
    /// A card that was just started.
    ///
    /// # Errors
    /// The system gives no memory.
    pub(crate) fn new(card: Card, faults: Faults) -> io::Result<Self> {
        Ok(Self {
            configuration: Configuration::of(&card.gpu),
            memory: Arc::default(),
            events: Events::default(),
            clock: Clock::new(card.realtime_hz()),
            faults,
            store: Mutex::new(Store::create()?),
            is_gone: AtomicBool::new(false),
            launches: AtomicU64::new(0),
            card,
        })
    }

    /// The memory of everything.
    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The memory of the card for one dispatch of the simulator's.
    pub(crate) fn model_memory(&self) -> Memory {
        Memory::backed_by(Arc::clone(&self.memory) as Arc<dyn Backing>)
    }

    /// Whether the device is gone.
    pub(crate) fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Acquire)
    }

    /// The number of the next launch: the simulator's clock runs by it.
    pub(crate) fn next_launch(&self) -> u64 {
        self.launches.fetch_add(1, Ordering::Relaxed)
    }

    /// The device is lost: requests fail from now on, and whoever waits for an exception gets it.
    pub(crate) fn lose(&self) {
        self.is_gone.store(true, Ordering::Release);
        // reset_type 0 (whole GPU), reset_cause 0 (hang), memory_lost, gpu_id.
        self.events.raise(HARDWARE_EXCEPTION, [0, 0, 1, GPU_ID, 0, 0, 0, 0]);
    }

    /// Tells the process of an access to an address where nothing is: `struct kfd_hsa_memory_exception_data`.
    pub(crate) fn raise_memory_fault(&self, address: u64) {
        let page = address / PAGE * PAGE;
        // NotPresent, ReadOnly, NoExecute, imprecise; address; GPU; no RAS error.
        let data = [1, 0, 0, 1, page as u32, (page >> 32) as u32, GPU_ID, 0];
        if !self.events.raise(MEMORY, data) {
            report("nobody waits for memory faults");
        }
    }
}
