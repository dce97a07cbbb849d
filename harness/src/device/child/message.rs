//! The messages between a run and the process of its device. The payload of a frame is the code object of a load
//! and the results of a launch, as little-endian dwords.

use serde::{Deserialize, Serialize};

use super::super::{Card, DeviceError, DeviceInformation, Launch};

/// From the run to the device.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// Load the payload as this module.
    Load { module: u32 },
    /// Launch a kernel of a loaded module.
    Launch { module: u32, launch: Launch },
}

/// From the device to the run; one for each request, and one for the start.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// The device is open.
    Ready {
        information: Box<DeviceInformation>,
    },
    /// The cards that the driver sees.
    Cards {
        cards: Vec<Card>,
    },
    /// The module is loaded.
    Loaded,
    /// The kernel ran; the payload is its results.
    Results,
    Failed {
        error: DeviceError,
    },
}
