//! Devices: what can be given a code object and launch it.
//!
//! # Contract
//!
//! * A [`Device`] describes itself ([`DeviceInformation`]); its description is recorded, never assumed.
//! * [`Device::load`] takes a linked AMDHSA code object. The device checks that it is one and that it is for its
//!   target; a file that is damaged or for another target is [`DeviceError::CodeObject`], and nothing has happened.
//! * [`Module::launch`] runs one kernel to its end. The caller has checked the code; the device checks the shape
//!   ([`DeviceError::Launch`]: nothing has happened). It allocates `result_bytes` of zeros and `scratch_bytes` of zeros,
//!   these aligned to 4 KiB, passes address and size of the results, the passes of longer code and the address of the scratch memory (0 if there is
//!   none) as kernel arguments (u64, u32, u32, u64; where [`DeviceInformation::lds_request`] says so the LDS is one more), and
//!   returns the kernel's results.
//! * A kernel that faults, hangs or needs an unsupported operation is [`DeviceError::Kernel`]: the module and
//!   the device stay usable. A device that is gone is [`DeviceError::Lost`]: every later call fails alike.
//! * A driver may end its process or never come back instead of telling. So a card's driver never runs in the process of a run: a
//!   [`ChildDevice`] drives it from another one. Any failure there is [`DeviceError::Fault`], with the driver's last lines:
//!   the launch is lost, module and device stay usable. So many faults in a row that it cannot be the kernels
//!   ([`ChildLimits::faults_in_a_row`]) are [`DeviceError::Lost`], from the next call on.
//! * Launches of a device do not overlap unless [`Device::concurrency`] says that this changes no reading.

mod card;
mod child;
mod chosen;
#[cfg(any(feature = "hip", feature = "opencl"))]
mod compute_units;
mod driver;
mod error;
#[cfg(feature = "hip")]
mod hip;
mod information;
#[cfg(any(feature = "hip", feature = "opencl"))]
mod known_card;
mod lds_request;
mod open;
#[cfg(feature = "opencl")]
mod opencl;
#[cfg(any(feature = "hip", feature = "opencl"))]
mod pci;
mod simulated;
#[cfg(any(feature = "hip", feature = "opencl", test))]
mod simulated_driver;
mod simulated_module;

pub use card::Card;
pub use child::{
    ChildDevice, ChildLimits, ChildProgram, end_at_once, list_cards, send_cards, serve, take_standard_output,
};
pub use chosen::Chosen;
pub use driver::CardDriver;
pub use error::DeviceError;
pub use information::DeviceInformation;
pub use lds_request::LdsRequest;
pub use open::{DeviceName, OpenOptions, cards, cards_here, open, open_here};
pub use simulated::SimulatedDevice;

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// One launch of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Launch {
    /// Name of the kernel.
    pub kernel: String,
    /// Work-groups.
    pub groups: u32,
    /// Work-items of a group, at most 256 (facts §5.5: clover's limit).
    pub group_size: u32,
    /// LDS of a group, bytes.
    pub lds_bytes: u32,
    /// Number of the launch in the run, from 0; a card needs it for nothing, the simulator's clock runs by it.
    pub ordinal: u64,
    /// Size of the results, bytes.
    pub result_bytes: u32,
    /// How often longer code runs the loop around its timed code; 0 for usual code.
    pub loop_passes: u32,
    /// Size of the scratch memory, bytes; 0 for a kernel that needs none.
    pub scratch_bytes: u32,
}

/// Something that runs GCN machine code.
pub trait Device: Send + Sync {
    /// Its description.
    fn information(&self) -> &DeviceInformation;

    /// Loads a code object.
    ///
    /// # Errors
    /// [`DeviceError::CodeObject`], [`DeviceError::Lost`].
    fn load<'a>(&'a self, code_object: &[u8]) -> Result<Box<dyn Module + 'a>, DeviceError>;

    /// Makes the next launch begin with a fresh driver: the effects of a dangerous kernel end with its process.
    /// Of the simulator no launch sees another.
    fn renew(&self) {}

    /// How many launches may run at the same time without changing a reading: 1 for a card.
    fn concurrency(&self) -> usize {
        1
    }

    /// GPU time of all launches so far, if the device counts it itself: the simulator does. Of a card, whoever launches takes the time.
    fn gpu_time(&self) -> Option<Duration> {
        None
    }
}

/// A loaded code object.
pub trait Module: Send + Sync {
    /// Runs a kernel and gives back its results, dword by dword.
    ///
    /// # Errors
    /// [`DeviceError::Launch`], [`DeviceError::Kernel`], [`DeviceError::Fault`], [`DeviceError::Lost`].
    fn launch(&self, launch: &Launch) -> Result<Vec<u32>, DeviceError>;
}
