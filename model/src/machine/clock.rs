//! The clocks that a kernel can read, and the noise of their readings.

/// Disturbance of S_MEMTIME readings, from the `[noise]` table of a GPU file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// Seed; the same seed gives the same run.
    pub seed: u64,
    /// Each reading is late by 0 to this many cycles.
    pub jitter_cycles: u32,
    /// Share of readings that are outliers.
    pub outlier_rate: f64,
    /// Cycles by which an outlier is late.
    pub outlier_cycles: u32,
}

/// S_MEMTIME at the start of a run's first launch: the low half overflows early, so that 64 bits are really needed.
const START: u64 = 0x0000_0012_ffff_8000;
/// Shader cycles from one launch to the next.
const LAUNCH_DISTANCE: u64 = 1 << 24;

/// The free-running clocks, seen from one launch.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    base: u64,
    launch: u64,
    noise: Option<Noise>,
    realtime_per_cycle: f64,
}

impl Clock {
    /// The clock for launch number `launch` of a run; `realtime_per_cycle` is the rate of S_MEMREALTIME over the shader clock's.
    pub(super) fn new(launch: u64, noise: Option<Noise>, realtime_per_cycle: f64) -> Self {
        Self { base: START + launch * LAUNCH_DISTANCE, launch, noise, realtime_per_cycle }
    }

    /// S_MEMTIME as sampled at cycle `now` of the launch: reading number `reading` of wave `wave`.
    pub(super) fn memtime(&self, now: u64, wave: u32, reading: u64) -> u64 {
        self.base + now + self.noise.map_or(0, |noise| noise.lateness(self.launch, wave, reading))
    }

    /// S_MEMREALTIME as sampled at cycle `now` of the launch, ticks.
    pub(super) fn memrealtime(&self, now: u64) -> u64 {
        ((self.base + now) as f64 * self.realtime_per_cycle) as u64
    }
}

impl Noise {
    /// By how much a reading is late: depends on nothing but its place in the run, so threads change nothing.
    fn lateness(&self, launch: u64, wave: u32, reading: u64) -> u64 {
        let place = splitmix64(self.seed ^ splitmix64(launch ^ splitmix64(u64::from(wave) << 32 ^ reading)));
        let jitter = splitmix64(place ^ 1) % (u64::from(self.jitter_cycles) + 1);
        let is_outlier = (splitmix64(place ^ 2) >> 11) as f64 / (1_u64 << 53) as f64 >= 1.0 - self.outlier_rate;
        jitter + if is_outlier { u64::from(self.outlier_cycles) } else { 0 }
    }
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that scatters neighbours.
fn splitmix64(value: u64) -> u64 {
    let z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_keeps_its_promises() {
        let noise = Noise { seed: 1, jitter_cycles: 3, outlier_rate: 0.02, outlier_cycles: 4000 };
        let late: Vec<u64> = (0..100_000).map(|reading| noise.lateness(5, 2, reading)).collect();
        let outliers = late.iter().filter(|late| **late >= 4000).count();
        assert!((1_800..2_200).contains(&outliers), "{outliers}");
        for jitter in 0..=3 {
            let share = late.iter().filter(|late| *late % 4000 == jitter).count();
            assert!((24_000..26_000).contains(&share), "{jitter}: {share}");
        }
        assert!(late.iter().all(|late| late % 4000 <= 3));
    }
}
