//! The driver of a process: made at the first request.

use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gcn_simulated_card::{Card, Faults, Values};

use crate::device::Device;
use crate::drm;
use crate::kfd::Allocations;
use crate::kfd::processor::Processor;
use crate::report::report;
use crate::sysfs::Sysfs;

/// Device and inode of the last driver's file.
static IDENTITY: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// A driver with its card.
#[derive(Debug)]
pub(crate) struct Driver {
    pub(crate) device: Arc<Device>,
    /// Its queues of ROCm's.
    pub(crate) processor: Arc<Processor>,
    allocations: Mutex<Allocations>,
    /// What DRM's requests have made.
    pub(crate) drm: drm::State,
    /// Device and inode of the file that backs the device files.
    identity: (u64, u64),
}

/// The files that a process sees: sysfs, and a driver if there is a card.
#[derive(Debug)]
pub(crate) struct System {
    process: u32,
    /// The content of sysfs.
    pub(crate) sysfs: Option<Sysfs>,
    pub(crate) driver: Option<Driver>,
}

impl Driver {
    fn new(card: Card, faults: Faults) -> io::Result<Self> {
        let device = Device::new(card, faults, Values::from_environment(|line| report(line)))?;
        let identity = device.store().identity()?;
        IDENTITY.iter().zip([identity.0, identity.1]).for_each(|(kept, part)| kept.store(part, Ordering::Release));
        let processor = Arc::default();
        Ok(Self {
            device: Arc::new(device),
            processor,
            allocations: Mutex::default(),
            drm: drm::State::default(),
            identity,
        })
    }

    /// The memory that the process has.
    pub(crate) fn allocations(&self) -> MutexGuard<'_, Allocations> {
        self.allocations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Taken bytes of the card's memory.
    pub(crate) fn used_memory(&self) -> u64 {
        self.allocations().used() + self.drm.used_memory()
    }

    /// Whether a file with this device and inode is the driver's.
    pub(crate) fn is_device(&self, identity: (u64, u64)) -> bool {
        self.identity == identity
    }

    /// Whether a file with this device and inode is that of the driver that this process made last, or its parent. Takes no lock: `fstat` asks it at
    /// any time, also while a driver is being made.
    pub(crate) fn is_any_device((device, inode): (u64, u64)) -> bool {
        let [known_device, known_inode] = IDENTITY.each_ref().map(|part| part.load(Ordering::Acquire));
        inode != 0 && (device, inode) == (known_device, known_inode)
    }

    /// Device and inode of the file that backs the device files.
    pub(crate) fn identity(&self) -> (u64, u64) {
        self.identity
    }
}

/// The system of this process, or of its parent.
static SYSTEM: Mutex<Option<&'static System>> = Mutex::new(None);

/// Called when the process exits; one that is aborted leaves its folder to the next.
extern "C" fn leave() {
    // A child that was forked runs this too, and must leave its parent's folder alone.
    let system = SYSTEM.try_lock().ok().and_then(|system| *system);
    let ours = system.filter(|system| system.process == std::process::id());
    if let Some(sysfs) = ours.and_then(|system| system.sysfs.as_ref()) {
        sysfs.remove();
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
        let faults = Faults::from_environment(|line| report(line));
        let card = match Card::from_environment() {
            Ok(card) => Some(card).filter(|_| !faults.is_absent()),
            Err(error) => {
                report(format_args!("there is no GPU: {error}"));
                None
            }
        };
        let sysfs = Sysfs::create(card.as_ref());
        let sysfs = sysfs.map_err(|error| report(format_args!("there is no sysfs: {error}"))).ok();
        let driver = card.and_then(|card| {
            Driver::new(card, faults).map_err(|error| report(format_args!("there is no memory: {error}"))).ok()
        });
        Self { process, sysfs, driver }
    }
}
