//! A run's cost on the card.

use std::time::Duration;

/// A process's cost on its device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeviceCost {
    pub launches: u64,
    /// Time of all launches: as the device counts it, or from the call of the driver to its end.
    pub gpu_time: Duration,
}
