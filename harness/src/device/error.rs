//! What can go wrong with a device.

use serde::{Deserialize, Serialize};

/// Why a device failed a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum DeviceError {
    /// There is no such device.
    #[error("{0}")]
    NoDevice(String),
    /// The code object cannot be loaded.
    #[error("the device does not take the code object: {0}")]
    CodeObject(String),
    /// The shape of a launch is not possible.
    #[error("the launch is not possible: {0}")]
    Launch(String),
    /// The kernel did not end.
    #[error("{0}")]
    Kernel(String),
    /// The launch took the driver down: it aborted, hung, or said nothing that can be understood.
    #[error("{0}")]
    Fault(String),
    /// The device is gone.
    #[error("the device is lost: {0}")]
    Lost(String),
}
