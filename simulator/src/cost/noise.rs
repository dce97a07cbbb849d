//! What disturbs a measurement: the `[noise]` table of a GPU file, as a busy desktop card does it.
//!
//! Everything follows from the seed and the place of a reading (launch, wave, number of the reading), so that threads change nothing.

use gcn_model::gpu::Noise;

/// An event after a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Disturbance {
    /// Cycles for which the wave is put aside.
    pub(crate) preemption_cycles: u64,
    /// Whether the instruction cache is emptied.
    pub(crate) is_evicted: bool,
}

/// The purposes of a place's random numbers.
#[derive(Debug, Clone, Copy)]
enum Draw {
    Jitter = 1,
    Outlier,
    Preemption,
    Eviction,
    Spread,
    Repetition,
    Reset,
}

/// A reading of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadingPlace {
    pub(crate) launch: u64,
    pub(crate) wave: u32,
    /// Readings of the wave so far, this one included.
    pub(crate) reading: u64,
}

/// The noise of a GPU file at work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disturber(pub(crate) Noise);

impl Disturber {
    /// By how many cycles a reading is late.
    pub(crate) fn lateness(&self, place: ReadingPlace) -> u64 {
        let jitter = self.number(place, Draw::Jitter) % (u64::from(self.0.jitter_cycles) + 1);
        let is_cold = place.reading <= u64::from(self.0.cold_readings);
        if !is_cold && !self.happens(place, Draw::Outlier, self.0.outlier_rate) {
            return jitter;
        }
        let spread = self.number(place, Draw::Spread) % (u64::from(self.0.outlier_spread_cycles) + 1);
        jitter + u64::from(self.0.outlier_cycles) + spread
    }

    /// What the counter shows at this count of cycles.
    pub(crate) fn shown(&self, cycles: u64) -> u64 {
        cycles - cycles % u64::from(self.0.counter_step_cycles.max(1))
    }

    /// Whether a reading shows what the wave's last one showed.
    pub(crate) fn is_repeated(&self, place: ReadingPlace) -> bool {
        self.happens(place, Draw::Repetition, self.0.repeated_rate)
    }

    /// Whether a reading shows the cycles of its launch alone.
    pub(crate) fn is_reset(&self, place: ReadingPlace) -> bool {
        self.happens(place, Draw::Reset, self.0.reset_rate)
    }

    /// The event after a reading, if there is one.
    pub(crate) fn disturbance(&self, place: ReadingPlace) -> Option<Disturbance> {
        let is_preempted = self.happens(place, Draw::Preemption, self.0.preemption_rate);
        let is_evicted = self.happens(place, Draw::Eviction, self.0.eviction_rate);
        let preemption_cycles = if is_preempted { u64::from(self.0.preemption_cycles) } else { 0 };
        (is_preempted || is_evicted).then_some(Disturbance { preemption_cycles, is_evicted })
    }

    /// The shader clock's rate during a launch, as a share of its full one.
    pub(crate) fn clock_rate(&self, launch: u64) -> f64 {
        let warmth = if self.0.drift_launches == 0 { 1.0 } else { launch as f64 / f64::from(self.0.drift_launches) };
        let is_slow = self.0.step_launches > 0 && launch / u64::from(self.0.step_launches) % 2 == 1;
        (1.0 - self.0.drift_share * warmth.min(1.0)) * if is_slow { 1.0 - self.0.step_share } else { 1.0 }
    }

    /// Whether that rate is the full one in every launch.
    pub(crate) fn has_steady_clock(&self) -> bool {
        self.0.drift_share == 0.0 && self.0.step_share == 0.0
    }

    fn number(&self, place: ReadingPlace, draw: Draw) -> u64 {
        let reading = u64::from(place.wave) << 32 ^ place.reading;
        let number = splitmix64(self.0.seed ^ splitmix64(place.launch ^ splitmix64(reading)));
        splitmix64(number ^ draw as u64)
    }

    fn happens(&self, place: ReadingPlace, draw: Draw, rate: f64) -> bool {
        rate > 0.0 && (self.number(place, draw) >> 11) as f64 / (1_u64 << 53) as f64 >= 1.0 - rate
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

    const NOISE: Noise = Noise {
        seed: 1,
        jitter_cycles: 3,
        outlier_rate: 0.02,
        outlier_cycles: 4000,
        outlier_spread_cycles: 0,
        cold_readings: 0,
        counter_step_cycles: 1,
        repeated_rate: 0.03,
        reset_rate: 0.04,
        preemption_rate: 0.01,
        preemption_cycles: 9000,
        eviction_rate: 0.05,
        drift_share: 0.01,
        drift_launches: 1000,
        step_share: 0.25,
        step_launches: 400,
    };

    #[test]
    fn noise_keeps_its_promises() {
        let places = || (0..100_000).map(|reading| ReadingPlace { launch: 5, wave: 2, reading });
        let late: Vec<u64> = places().map(|place| Disturber(NOISE).lateness(place)).collect();
        let outliers = late.iter().filter(|late| **late >= 4000).count();
        assert!((1_800..2_200).contains(&outliers), "{outliers}");
        for jitter in 0..=3 {
            let share = late.iter().filter(|late| *late % 4000 == jitter).count();
            assert!((24_000..26_000).contains(&share), "{jitter}: {share}");
        }
        assert!(late.iter().all(|late| late % 4000 <= 3));

        let repeated = places().filter(|place| Disturber(NOISE).is_repeated(*place)).count();
        let reset = places().filter(|place| Disturber(NOISE).is_reset(*place)).count();
        assert!((2_800..3_200).contains(&repeated) && (3_800..4_200).contains(&reset), "{repeated}, {reset}");

        let disturbances: Vec<_> = places().filter_map(|place| Disturber(NOISE).disturbance(place)).collect();
        let preempted = disturbances.iter().filter(|disturbance| disturbance.preemption_cycles == 9000).count();
        let evicted = disturbances.iter().filter(|disturbance| disturbance.is_evicted).count();
        assert!((900..1_100).contains(&preempted), "{preempted}");
        assert!((4_700..5_300).contains(&evicted), "{evicted}");
    }

    #[test]
    fn cold_code_is_late_and_the_counter_moves_in_steps() {
        let noise =
            Noise { cold_readings: 3, outlier_spread_cycles: 500, outlier_cycles: 100, jitter_cycles: 0, ..NOISE };
        let noise = Disturber(Noise { outlier_rate: 0.0, counter_step_cycles: 4, ..noise });
        let late = |reading| noise.lateness(ReadingPlace { launch: 5, wave: 2, reading });
        assert!((1..=3).all(|reading| (100..=600).contains(&late(reading))));
        assert_eq!([late(4), late(5000)], [0; 2]);
        assert_ne!(late(1), late(2), "they are spread");
        assert_eq!([8, 9, 11, 12].map(|cycles| noise.shown(cycles)), [8, 8, 8, 12]);
    }

    #[test]
    fn the_clock_drifts_and_steps() {
        let rate = |launch| Disturber(NOISE).clock_rate(launch);
        assert_eq!(rate(0), 1.0);
        assert!((rate(200) - 0.998).abs() < 1e-12 && (rate(500) - 0.995 * 0.75).abs() < 1e-12);
        assert!((rate(5000) - 0.99).abs() < 1e-12, "{}", rate(5000));
        let none = Disturber(Noise { drift_share: 0.0, drift_launches: 0, step_share: 0.0, step_launches: 0, ..NOISE });
        assert_eq!([none.clock_rate(0), none.clock_rate(1 << 40)], [1.0; 2]);
    }
}
