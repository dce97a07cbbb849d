//! The device: what queues and requests share.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use gcn_simulated_card::{Card, Faults, Values};
use gcn_simulator::{
    Backing, Configuration, Dispatch, LaunchRecord, LaunchStatistics, Memory, Profile, RegisterDispatch,
    SimulationError, dispatch, dispatch_registers, profile, profile_registers,
};

use crate::clock::Clock;
use crate::kfd::event::{Events, HARDWARE_EXCEPTION, MEMORY};
use crate::kfd::topology::GPU_ID;
use crate::memory_map::MemoryMap;
use crate::place::PAGE;
use crate::record::Record;
use crate::report::report;
use crate::stop::Stop;
use crate::store::Store;
#[cfg(test)]
use crate::{kfd::ring::Ring, store::DOORBELLS};

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
    record: Record,
    store: Mutex<Store>,
    is_gone: AtomicBool,
    launches: AtomicU64,
}

impl Device {
    /// A card that was just started.
    ///
    /// # Errors
    /// The system gives no memory.
    pub(crate) fn new(card: Card, faults: Faults, values: Values) -> io::Result<Self> {
        let mut configuration = Configuration::of(&card.gpu);
        configuration.approximates = values.is_approximate();
        Ok(Self {
            configuration,
            record: Record::from_environment(),
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

    /// Runs the dispatch of an AQL packet; its shader cycles.
    ///
    /// # Errors
    /// [`Stop`]: the queue stops.
    pub(crate) fn run(&self, of: &Dispatch, label: &str) -> Result<u64, Stop> {
        self.run_by(of, label, dispatch, profile)
    }

    /// Runs a dispatch of the command processor's; its shader cycles.
    ///
    /// # Errors
    /// [`Stop`]: the ring or the queue stops.
    pub(crate) fn run_registers(&self, of: &RegisterDispatch, label: &str) -> Result<u64, Stop> {
        self.run_by(of, label, dispatch_registers, profile_registers)
    }

    fn run_by<D>(
        &self,
        of: &D,
        label: &str,
        plain: impl FnOnce(&Configuration, &D, &mut Memory) -> Result<LaunchStatistics, SimulationError>,
        profiled: impl FnOnce(&Configuration, &D, &mut Memory) -> Result<Profile, SimulationError>,
    ) -> Result<u64, Stop> {
        let begin = Instant::now();
        let mut memory = Memory::backed_by(Arc::clone(&self.memory) as Arc<dyn Backing>);
        let done = if self.record.is_profiled {
            profiled(&self.configuration, of, &mut memory).map(|profile| (profile.statistics, Some(profile)))
        } else {
            plain(&self.configuration, of, &mut memory).map(|statistics| (statistics, None))
        };
        let (statistics, profile) = done.map_err(|error| Stop::of(&error, label))?;
        self.record.add(&LaunchRecord::new(label, statistics, profile.as_ref(), begin.elapsed()));
        Ok(statistics.cycles)
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

    /// Tells whoever waits for an exception that the GPU hangs: reset_type and reset_cause 0 are the whole GPU and a hang.
    pub(crate) fn raise_hang(&self) {
        self.events.raise(HARDWARE_EXCEPTION, [0, 0, 0, GPU_ID, 0, 0, 0, 0]);
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

#[cfg(test)]
impl Device {
    /// A card of a GPU that ships, with a page of memory at an address.
    pub(crate) fn with_page(gpu: &str, address: u64) -> Self {
        let card = Card::new(gcn_model::gpu::Gpu::named(gpu).unwrap()).unwrap();
        let device = Self::new(card, Faults::from_environment(|_| {}), Values::Strict).unwrap();
        let mut store = device.store();
        let offset = store.allocate(PAGE).unwrap();
        device.memory.map(address, store.place(offset, PAGE));
        drop(store);
        device
    }

    /// A queue of 256 bytes with these dwords at the begin of that page, the read pointer at its end; the doorbell has this value.
    pub(crate) fn ring_of(&self, base: u64, words: &[u32], rung: u64) -> Ring {
        self.store_words(base, words);
        let doorbell = self.store().place(DOORBELLS, 8);
        doorbell.store64(rung).unwrap();
        Ring { base, bytes: 256, read_pointer: base + 0xff8, doorbell }
    }

    /// Stores dwords.
    pub(crate) fn store_words(&self, address: u64, words: &[u32]) {
        self.memory.write(address, bytemuck::cast_slice(words)).unwrap();
    }
}
