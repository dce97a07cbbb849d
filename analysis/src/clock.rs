//! The shader clock during a run: S_MEMTIME, which counts its cycles, against S_MEMREALTIME, whose rate is constant.

use std::collections::BTreeMap;

use crate::run::StoredRun;

/// Shortest distance of two launches that says something, shader cycles: the ticks of S_MEMREALTIME are tens of cycles long, which is
/// below 1 % of this.
const SHORTEST: u64 = 50_000;
/// Launches that make a picture of the run.
const FEWEST: usize = 8;
/// Spread, as a share of the middle value, from which on the clock moved: more than the ticks explain.
const MOVED: f64 = 0.03;

/// The shader clock of a run, from each launch to the next of the same code: the time between them counts, and S_MEMTIME goes on in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShaderClock {
    /// The middle of all pairs of launches, MHz.
    pub mhz: f64,
    /// The 5th of 100 parts, MHz.
    pub low_mhz: f64,
    /// The 95th of 100 parts, MHz.
    pub high_mhz: f64,
    /// Pairs of launches that were far enough apart.
    pub launches: usize,
}

impl ShaderClock {
    /// The clock, where the device has S_MEMREALTIME, its rate is known, and enough launches of the same code follow each other.
    pub(crate) fn of(run: &StoredRun) -> Option<Self> {
        let realtime_mhz = run.record.device.realtime_mhz?;
        let mut rates: Vec<f64> = Vec::new();
        for position in 0..run.experiments.len() {
            // Where wave 0 of each launch was when: the same code up to its first reading, if the length is the same.
            let mut launches: BTreeMap<u32, (u32, u64, u64)> = BTreeMap::new();
            for reading in run.readings_of(position).iter().filter(|reading| reading.wave == 0) {
                let Some((start, _)) = reading.realtime else { continue };
                launches.entry(reading.launch).or_insert((reading.n, reading.begin, start));
            }
            let pairs = launches.values().zip(launches.values().skip(1));
            rates.extend(pairs.filter(|(one, other)| one.0 == other.0).filter_map(|(one, other)| {
                let (cycles, ticks) = (other.1.checked_sub(one.1)?, other.2.checked_sub(one.2)?);
                (cycles >= SHORTEST && ticks > 0).then(|| cycles as f64 / ticks as f64 * realtime_mhz)
            }));
        }
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
