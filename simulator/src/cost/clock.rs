//! The clocks that a kernel can read.

use crate::cost::configuration::Configuration;
use crate::cost::noise::{Disturbance, Disturber, ReadingPlace};
use crate::cost::reading::{CounterPart, Reading, Readings};
use gcn_model::gpu::Noise;

/// S_MEMTIME at the start of a run's first launch: the low half overflows early, so that 64 bits are really needed.
const START: u64 = 0x0000_0012_ffff_8000;
/// A short counter wraps within this many shader cycles of the start of a launch, so that its reader has to know that it does.
const WRAPS_WITHIN: u64 = 1 << 13;
/// How much later it wraps from launch to launch: a prime.
const WRAPS_LATER: u64 = 251;
/// Shader cycles from one launch to the next.
const LAUNCH_DISTANCE: u64 = 1 << 24;

/// The free-running clocks, seen from one launch.
#[derive(Debug)]
pub(crate) struct Clock {
    base: u64,
    launch: u64,
    noise: Option<Disturber>,
    /// Cycles of the full rate that have gone by at the start of the launch.
    full_rate_base: f64,
    /// The shader clock's rate, as a share of the full one.
    rate: f64,
    realtime_per_cycle: f64,
    /// The readings, where they are kept to be shown later.
    kept: Option<Readings>,
}

impl Clock {
    /// The clock of a GPU for launch number `launch` of a run.
    pub(crate) fn of(configuration: &Configuration, launch: u64) -> Self {
        Self::new(launch, configuration.noise, configuration.realtime_per_cycle)
    }

    /// The clock for launch number `launch` of a run; `realtime_per_cycle` is the rate of S_MEMREALTIME over the shader clock's full
    /// one. What slows the shader clock makes its cycles longer in that time, and no instruction longer in cycles.
    pub(crate) fn new(launch: u64, noise: Option<Noise>, realtime_per_cycle: f64) -> Self {
        let noise = noise.map(Disturber);
        let rate = |launch| noise.map_or(1.0, |noise| noise.clock_rate(launch));
        let is_steady = noise.is_none_or(|noise| noise.has_steady_clock());
        let launches = if is_steady { launch as f64 } else { (0..launch).map(|before| 1.0 / rate(before)).sum() };
        Self {
            base: START + launch * LAUNCH_DISTANCE,
            launch,
            noise,
            full_rate_base: START as f64 + launches * LAUNCH_DISTANCE as f64,
            rate: rate(launch),
            realtime_per_cycle,
            kept: None,
        }
    }

    /// A clock that shows the number of each reading in place of the time, and keeps the readings.
    pub(crate) fn keeping() -> Self {
        Self { kept: Some(Readings::default()), ..Self::new(0, None, 0.0) }
    }

    /// The kept readings, if it keeps them.
    pub(crate) fn into_kept(self) -> Option<Vec<Reading>> {
        self.kept.map(Readings::into_list)
    }

    /// The value that a reading without noise shows.
    pub(crate) fn value(&self, reading: Reading) -> u64 {
        match reading {
            Reading::Cycles(now) => self.base + now,
            Reading::RealTime(now) => self.realtime(now),
            Reading::Counter(part, now) => part.of(self.wrapped(part.bits, self.base + now)).into(),
        }
    }

    /// S_MEMTIME as sampled at cycle `now` of the launch: reading number `reading` of wave `wave`, whose last one showed `before`.
    pub(crate) fn memtime(&self, now: u64, wave: u32, reading: u64, before: u64) -> u64 {
        if let Some(kept) = &self.kept {
            return kept.keep(Reading::Cycles(now));
        }
        let place = self.place(wave, reading);
        match self.noise {
            Some(noise) if reading > 1 && noise.is_repeated(place) => before,
            Some(noise) if noise.is_reset(place) => noise.shown(now),
            _ => self.cycles(now, place),
        }
    }

    /// The count of shader cycles as a reading shows it.
    fn cycles(&self, now: u64, place: ReadingPlace) -> u64 {
        let cycles = self.base + now;
        self.noise.map_or(cycles, |noise| noise.shown(cycles + noise.lateness(place)))
    }

    /// Likewise for a part of a counter in a hardware register.
    pub(crate) fn counter(&self, part: CounterPart, now: u64, wave: u32, reading: u64) -> u32 {
        match &self.kept {
            Some(kept) => kept.keep(Reading::Counter(part, now)) as u32,
            None => part.of(self.wrapped(part.bits, self.cycles(now, self.place(wave, reading)))),
        }
    }

    /// The count of shader cycles as a counter of this many bits has it.
    fn wrapped(&self, bits: u32, cycles: u64) -> u64 {
        if bits >= u64::BITS {
            return cycles;
        }
        cycles.wrapping_sub(self.base + self.launch * WRAPS_LATER % WRAPS_WITHIN) & ((1 << bits) - 1)
    }

    /// The event after that reading, if there is one.
    pub(crate) fn disturbance(&self, wave: u32, reading: u64) -> Option<Disturbance> {
        self.noise?.disturbance(self.place(wave, reading))
    }

    /// S_MEMREALTIME as sampled at cycle `now` of the launch, ticks.
    pub(crate) fn memrealtime(&self, now: u64) -> u64 {
        self.kept.as_ref().map_or_else(|| self.realtime(now), |kept| kept.keep(Reading::RealTime(now)))
    }

    fn realtime(&self, now: u64) -> u64 {
        ((self.full_rate_base + now as f64 / self.rate) * self.realtime_per_cycle) as u64
    }

    fn place(&self, wave: u32, reading: u64) -> ReadingPlace {
        ReadingPlace { launch: self.launch, wave, reading }
    }
}
