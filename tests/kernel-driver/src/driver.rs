//! The driver of one process: made when the process first asks for it.

use std::cell::Cell;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::card::Card;
use crate::device::Device;
use crate::fault::Faults;
use crate::processor::Processor;
use crate::report::report;
use crate::requests::Allocations;
use crate::topology::Topology;

/// A driver with its card.
#[derive(Debug)]
pub(crate) struct Driver {
    /// The card.
    pub(crate) device: Arc<Device>,
    /// Its queues.
    pub(crate) processor: Arc<Processor>,
    allocations: Mutex<Allocations>,
    /// Device and inode of the file behind the device files.
    identity: (u64, u64),
}

/// What a process sees: a topology, and a driver if there is a card.
#[derive(Debug)]
pub(crate) struct System {
    process: u32,
    /// What is in sysfs.
    pub(crate) topology: Option<Topology>,
    /// The driver.
    pub(crate) driver: Option<Driver>,
}

impl Driver {
    fn new(card: Card, faults: Faults) -> io::Result<Self> {
        let device = Device::new(card, faults)?;
        let identity = device.store().identity()?;
        let processor = Arc::default();
        Ok(Self { device: Arc::new(device), processor, allocations: Mutex::default(), identity })
    }

    /// The memory that the process has.
    pub(crate) fn allocations(&self) -> MutexGuard<'_, Allocations> {
        self.allocations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a file with this device and inode is the driver's.
    pub(crate) fn is_device(&self, identity: (u64, u64)) -> bool {
        self.identity == identity
    }
}

/// The system of this process, or of its parent.
static SYSTEM: Mutex<Option<&'static System>> = Mutex::new(None);

/// Called when the process exits; one that is aborted leaves its folder to the next.
extern "C" fn leave() {
    // A child that was forked runs this too, and must leave its parent's folder alone.
    let system = SYSTEM.try_lock().ok().and_then(|system| *system);
    let ours = system.filter(|system| system.process == std::process::id());
    if let Some(topology) = ours.and_then(|system| system.topology.as_ref()) {
        topology.remove();
    }
}

#[expect(unsafe_code, reason = "only the C library knows when the process exits")]
fn at_exit() {
    // SAFETY: the function is there as long as this library, which is never unloaded.
    unsafe { libc::atexit(leave) };
}

thread_local! {
    /// Whether this thread makes the system: the files that it opens on the way are the real ones.
    static IS_MAKING: Cell<bool> = const { Cell::new(false) };
}

impl System {
    /// Whether this thread is about to make the system.
    pub(crate) fn is_making() -> bool {
        IS_MAKING.get()
    }

    /// The system of this process. After a fork the child has one of its own, as with Linux's driver; its parent's
    /// queues are not its.
    pub(crate) fn get() -> &'static Self {
        let mut system = SYSTEM.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        match *system {
            Some(system) if system.process == process => system,
            _ => {
                IS_MAKING.set(true);
                let made = Box::leak(Box::new(Self::new(process)));
                IS_MAKING.set(false);
                system.insert(made)
            }
        }
    }

    fn new(process: u32) -> Self {
        at_exit();
        let faults = Faults::from_environment();
        let card = match Card::from_environment() {
            Ok(card) => Some(card).filter(|_| !faults.is_absent()),
            Err(error) => {
                report(format_args!("there is no GPU: {error}"));
                None
            }
        };
        let topology = Topology::create(card.as_ref());
        let topology = topology.map_err(|error| report(format_args!("there is no topology: {error}"))).ok();
        let driver = card.and_then(|card| {
            Driver::new(card, faults).map_err(|error| report(format_args!("there is no memory: {error}"))).ok()
        });
        Self { process, topology, driver }
    }
}
