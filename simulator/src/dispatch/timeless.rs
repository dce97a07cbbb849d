//! A launch whose course is the same at any time, run once and told for each time.

use crate::cost::clock::Clock;
use crate::cost::configuration::Configuration;
use crate::cost::reading::{Reading, numbered};

/// A launch of a kernel that only stores what clocks show.
#[derive(Debug, Clone)]
pub struct TimelessLaunch {
    readings: Vec<Reading>,
    realtime_per_cycle: f64,
}

impl TimelessLaunch {
    pub(crate) fn new(readings: Vec<Reading>, configuration: &Configuration) -> Self {
        Self { readings, realtime_per_cycle: configuration.realtime_per_cycle }
    }

    /// A dword of memory as launch number `ordinal` of a run would leave it, where this launch left `word`.
    pub fn word(&self, word: u32, ordinal: u64) -> u32 {
        let Some((reading, is_high)) = numbered(&self.readings, word) else { return word };
        let value = Clock::new(ordinal, None, self.realtime_per_cycle).value(reading);
        if is_high { (value >> u32::BITS) as u32 } else { value as u32 }
    }
}
