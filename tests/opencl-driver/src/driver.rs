//! The driver of a process.

use std::sync::{Arc, Mutex, PoisonError};

use gcn_model::gpu::Gpu;
use gcn_simulated_card::{Card, Faults};
use opencl_sys::{CL_INVALID_DEVICE, CL_INVALID_PLATFORM};

use crate::device::Device;
use crate::failure::{Done, Failure, require};
use crate::handle::Handle;
use crate::object_table::ObjectTable;
use crate::report::report;
use crate::rules;

/// The one platform with its one device, and the program's objects.
#[derive(Debug)]
pub(crate) struct Driver {
    /// `cl_platform_id`.
    pub(crate) platform: Handle,
    /// The card, if there is one.
    pub(crate) device: Option<Arc<Device>>,
    /// The program's objects.
    pub(crate) objects: ObjectTable,
}

static DRIVER: Mutex<Option<Driver>> = Mutex::new(None);

impl Driver {
    /// Uses the driver of this process, which is made at the first call.
    pub(crate) fn with<T>(body: impl FnOnce(&mut Self) -> T) -> T {
        let mut driver = DRIVER.lock().unwrap_or_else(PoisonError::into_inner);
        body(driver.get_or_insert_with(Self::new))
    }

    fn new() -> Self {
        at_exit();
        let faults = Faults::from_environment(|line| report("GCN_TIMINGS_FAULT", line));
        let card = Card::from_environment();
        let card = card.map_err(|error| report("there is no device", error)).ok();
        let card = card.filter(|card| !faults.is_absent() && is_driven(card));
        Self {
            platform: Handle::new(),
            device: card.map(|card| Arc::new(Device::new(card, faults))),
            objects: ObjectTable::default(),
        }
    }

    /// Checks that a handle is the platform.
    pub(crate) fn check_platform(&self, platform: Handle) -> Done<()> {
        require(platform == self.platform, CL_INVALID_PLATFORM, || "it is no platform of this driver".into())
    }

    /// The device of a handle.
    pub(crate) fn device(&self, handle: Handle) -> Done<Arc<Device>> {
        let device = self.device.as_ref().filter(|device| device.handle == handle);
        device.cloned().ok_or_else(|| Failure::wrong(CL_INVALID_DEVICE, "it is no device of this driver"))
    }
}

/// Whether this driver drives the card: of those that ROCm runs on, the ones whose waves have 64 lanes and no other number.
fn is_driven(card: &Card) -> bool {
    let is_driven = matches!(card.version[0], 8 | 9);
    if !is_driven {
        let Gpu { name, gfx_target, .. } = &card.gpu;
        report("there is no device", format_args!("{name} is {gfx_target}, and this driver takes gfx8 and gfx9"));
    }
    is_driven
}

/// Called when the process exits. Objects that a program never released are a fault of the program that no call shows.
extern "C" fn leave() {
    let driver = DRIVER.try_lock();
    let leaks = driver.ok().and_then(|driver| driver.as_ref().map(|driver| driver.objects.leaks()));
    let leaks = leaks.unwrap_or_default();
    leaks.iter().for_each(|leak| report("at exit", leak));
    if !leaks.is_empty() && rules::are_fatal() {
        std::process::abort();
    }
}

#[expect(unsafe_code, reason = "only the C library knows when the process exits")]
fn at_exit() {
    // SAFETY: the function is there as long as this library, which the loader does not unload before it is called: the C
    // library calls the functions of a library before that is unloaded.
    unsafe { libc::atexit(leave) };
}
