//! The shader clock during a run: S_MEMTIME, which counts its cycles, against S_MEMREALTIME, whose rate is constant.

use std::collections::HashMap;

use crate::run::StoredRun;

/// Shortest stay of a wave that says something, shader cycles. The ticks of S_MEMREALTIME are tens of cycles long and enclose the
/// readings of S_MEMTIME by some hundred more: both are below 1 % of this.
const SHORTEST: u64 = 50_000;
/// Launches that make a picture of the run.
const FEWEST: usize = 8;
/// Spread, as a share of the middle value, from which on the clock moved: more than the two sources of error above.
const MOVED: f64 = 0.03;

/// The shader clock of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShaderClock {
    /// The middle of all launches, MHz.
    pub mhz: f64,
    /// The 5th of 100 parts, MHz.
    pub low_mhz: f64,
    /// The 95th of 100 parts, MHz.
    pub high_mhz: f64,
    /// Launches that were long enough.
    pub launches: usize,
}

impl ShaderClock {
    /// The clock, where the device has S_MEMREALTIME, its rate is known, and enough launches were long enough.
    pub(crate) fn of(run: &StoredRun) -> Option<Self> {
        let realtime_mhz = run.record.device.realtime_mhz?;
        // First and last reading of wave 0 of each launch: one wave is enough, and every launch has it.
        let mut launches: HashMap<u32, (u64, u64, (u64, u64))> = HashMap::new();
        for position in 0..run.experiments.len() {
            for reading in run.readings_of(position).iter().filter(|reading| reading.wave == 0) {
                let Some(realtime) = reading.realtime else { continue };
                let seen = launches.entry(reading.launch).or_insert((reading.begin, reading.end, realtime));
                (seen.0, seen.1) = (seen.0.min(reading.begin), seen.1.max(reading.end));
            }
        }
        let rate = |(begin, end, (start, stop)): &(u64, u64, (u64, u64))| {
            let (cycles, ticks) = (end.checked_sub(*begin)?, stop.checked_sub(*start)?);
            (cycles >= SHORTEST && ticks > 0).then(|| cycles as f64 / ticks as f64 * realtime_mhz)
        };
        let mut rates: Vec<f64> = launches.values().filter_map(rate).collect();
        rates.sort_by(f64::total_cmp);
        let at = |share: f64| rates[((rates.len() - 1) as f64 * share).round() as usize];
        (rates.len() >= FEWEST).then(|| Self {
            mhz: at(0.5),
            low_mhz: at(0.05),
            high_mhz: at(0.95),
            launches: rates.len(),
        })
    }

    /// Whether the clock moved during the run. Cycles are cycles at any clock, but memory does not follow it: latencies of
    /// memory instructions are then those of several clocks.
    pub fn moved(&self) -> bool {
        self.high_mhz - self.low_mhz > MOVED * self.mhz
    }
}
