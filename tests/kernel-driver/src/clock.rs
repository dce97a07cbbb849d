//! The clocks that a card and its driver offer.

use std::time::Instant;

/// Frequency of the system clock of `AMDKFD_IOC_GET_CLOCK_COUNTERS`.
pub(crate) const SYSTEM_HZ: u64 = 1_000_000_000;

/// Clocks that started together.
#[derive(Debug)]
pub(crate) struct Clock {
    start: Instant,
    realtime_hz: f64,
}

impl Clock {
    /// Clocks that start now; the GPU's has `realtime_hz` ticks in a second.
    pub(crate) fn new(realtime_hz: f64) -> Self {
        Self { start: Instant::now(), realtime_hz }
    }

    /// Nanoseconds since the start, never 0: a count of 0 means "not set" to ROCr.
    pub(crate) fn system(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64 + 1
    }

    /// Ticks of the GPU's clock, never 0.
    pub(crate) fn gpu(&self) -> u64 {
        (self.start.elapsed().as_secs_f64() * self.realtime_hz) as u64 + 1
    }
}
