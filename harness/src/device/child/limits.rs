//! How long a device may take, and how often it may fail.

use std::time::Duration;

/// Limits of a device in a process of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChildLimits {
    /// For starting the process and opening the device, and for loading a code object.
    pub start: Duration,
    pub launch: Duration,
    /// Faults in a row, without a launch between them that came to its end, after which the device counts as lost.
    pub faults_in_a_row: u32,
}

impl Default for ChildLimits {
    /// A launch takes milliseconds; 10 s are a hang. A driver's start can take several seconds. An instruction that takes the driver
    /// down does so in each of its experiments, of which there are up to eight: that many are still no reason to give up.
    fn default() -> Self {
        Self { start: Duration::from_secs(60), launch: Duration::from_secs(10), faults_in_a_row: 10 }
    }
}
