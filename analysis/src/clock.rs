//! The shader clock during a run: S_MEMTIME, which counts its cycles, against S_MEMREALTIME, whose rate is constant.

use std::collections::BTreeMap;
use std::fmt;

use gcn_model::isa::Generation;
use gcn_model::record::RunRecord;

use crate::run::StoredRun;
use crate::statistics::{changes, resistant_drift};
use crate::tables::{Single, plural, table};

/// Least length of a window, shader cycles. What runs between a wave's reading of S_MEMREALTIME and its first of S_MEMTIME differs
/// from kernel to kernel by up to some ten thousand cycles, which is below 1 % of this.
const WINDOW: u64 = 4_000_000;
/// Windows that make a picture of the run.
const FEWEST: usize = 8;
/// No shader clock is faster, MHz: the limit of a short counter's wraps in a time.
const FASTEST_MHZ: f64 = 4000.0;
/// Share of the clock by which it has to move for it to be said: more than the windows' ends explain.
const MOVED: f64 = 0.03;

/// The clock between two launches of a run, whatever they launched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ClockWindow {
    /// Number of the launch at whose first reading it starts.
    pub(crate) launch: u32,
    /// Shader clock, MHz: cycles of S_MEMTIME over ticks of S_MEMREALTIME, the time between the launches included.
    pub(crate) mhz: f64,
}

table! { "clock.csv":
    /// A stretch of a run in which the clock did not step: a row of `clock.csv`.
    #[derive(Copy)]
    pub struct ClockStretch {
        /// Number of its first launch; a step before it lies between this launch and the one before.
        pub launch: u32,
        /// The middle of its windows, MHz.
        pub mhz: f64,
        /// By which share the clock drifts in it, from its start to its end; 0 where that is within the noise.
        pub drift_share: Drift,
        pub windows: usize,
    }
}

/// A share by which the clock drifts, with six decimals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift(pub f64);

impl Single for Drift {
    fn text(&self) -> String {
        format!("{:.6}", self.0)
    }

    fn of_text(text: &str) -> Result<Self, String> {
        f64::of_text(text).map(Self)
    }
}

/// The shader clock of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct ShaderClock {
    /// The middle of all windows, MHz.
    pub mhz: f64,
    /// The 5th of 100 parts, MHz.
    pub low_mhz: f64,
    /// The 95th of 100 parts, MHz.
    pub high_mhz: f64,
    pub windows: usize,
    /// The stretches between steps, in order; one if there is no step.
    pub stretches: Vec<ClockStretch>,
}

/// Why the clock is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoClock {
    /// The generation has no constant counter.
    #[error("unknown: {} has no S_MEMREALTIME", .0.title())]
    NoCounter(Generation),
    /// Nobody says how fast the constant counter is.
    #[error("unknown: the rate of S_MEMREALTIME is not known")]
    UnknownRate,
    /// The counter of cycles starts again from launch to launch.
    #[error("unknown: the counter of {0} bits wraps between launches")]
    Wraps(u32),
    /// The launches do not span long enough.
    #[error("unknown: the launches are too few or too close together")]
    TooShort,
    /// The results were kept without readings and without `clock.csv`.
    #[error("unknown: these results were kept without clock.csv")]
    NotKept,
}

impl NoClock {
    /// The clock by a run's record alone.
    pub(crate) fn of(record: &RunRecord) -> Option<Self> {
        let generation = record.device.known_generation()?;
        if !generation.has_realtime_counter() {
            return Some(Self::NoCounter(generation));
        }
        record.device.realtime_mhz.is_none().then_some(Self::UnknownRate)
    }
}

impl ClockWindow {
    /// The windows of a run: from the first reading of a launch to that of the first launch that is far enough after it, all launches
    /// in the order of their numbers.
    ///
    /// Where a counter goes backwards (another process or card is in between), or may have wrapped more than once, a window is given up, and the
    /// next one starts.
    ///
    /// # Errors
    /// Why the device does not tell its clock.
    pub(crate) fn of(run: &StoredRun) -> Result<Vec<Self>, NoClock> {
        NoClock::of(&run.record).map_or(Ok(()), Err)?;
        let realtime_mhz = run.record.device.realtime_mhz.ok_or(NoClock::UnknownRate)?;
        // When wave 0 of each launch began, by both counters.
        let mut launches: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for reading in run.readings().iter().filter(|reading| reading.wave == 0) {
            let Some(start) = reading.realtime_begin else { continue };
            let first = launches.entry(reading.launch).or_insert((reading.begin, start));
            *first = (*first).min((reading.begin, start));
        }
        let bits = run.generation.counters.cycles.read.bits_of_reading();
        let turn = 1_u64.checked_shl(bits);
        let ticks_of_turn = turn.map(|turn| (turn as f64 / FASTEST_MHZ * realtime_mhz) as u64);
        let mut wraps = 0;
        let mut windows = Vec::new();
        let mut launches = launches.into_iter();
        let Some((mut launch, mut start)) = launches.next() else { return Ok(windows) };
        let mut before = start;
        for (number, here) in launches {
            let cycles = turn.map_or(here.0.wrapping_sub(start.0), |turn| here.0.wrapping_sub(start.0) & (turn - 1));
            if here.1 < before.1 || turn.is_none() && here.0 < before.0 {
                (launch, start) = (number, here);
            } else if ticks_of_turn.is_some_and(|most| here.1 - start.1 >= most) {
                wraps += 1;
                (launch, start) = (number, here);
            } else if cycles >= WINDOW && here.1 > start.1 {
                let mhz = cycles as f64 / (here.1 - start.1) as f64 * realtime_mhz;
                windows.push(Self { launch, mhz });
                (launch, start) = (number, here);
            }
            before = here;
        }
        if windows.len() < FEWEST && wraps > 0 {
            return Err(NoClock::Wraps(bits));
        }
        Ok(windows)
    }
}

impl ShaderClock {
    /// The clock of a run.
    ///
    /// # Errors
    /// Why it is unknown.
    pub(crate) fn of(run: &StoredRun) -> Result<Self, NoClock> {
        Self::of_windows(&ClockWindow::of(run)?)
    }

    /// The clock that windows show, in the order of their launches.
    ///
    /// # Errors
    /// There are too few.
    pub(crate) fn of_windows(windows: &[ClockWindow]) -> Result<Self, NoClock> {
        if windows.len() < FEWEST {
            return Err(NoClock::TooShort);
        }
        let rates: Vec<f64> = windows.iter().map(|window| window.mhz).collect();
        let mut sorted = rates.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
        let steps = changes(&rates, MOVED);
        let starts = std::iter::once(0).chain(steps.iter().copied());
        let ends = steps.iter().copied().chain([rates.len()]);
        let stretch = |(start, end): (usize, usize)| {
            let rates = &rates[start..end];
            let (mhz, drift) = resistant_drift(rates);
            ClockStretch { launch: windows[start].launch, mhz, windows: rates.len(), drift_share: Drift(drift / mhz) }
        };
        let stretches = starts.zip(ends).map(stretch).collect();
        Ok(Self { mhz: at(0.5), low_mhz: at(0.05), high_mhz: at(0.95), windows: rates.len(), stretches })
    }

    /// The clock of stretches that were kept without their windows; none without any.
    pub(crate) fn of_stretches(stretches: Vec<ClockStretch>) -> Option<Self> {
        let rates = || stretches.iter().map(|stretch| stretch.mhz);
        let windows = stretches.iter().map(|stretch| stretch.windows).sum();
        let (low_mhz, high_mhz) = (rates().fold(f64::INFINITY, f64::min), rates().fold(0.0, f64::max));
        Some(Self {
            mhz: stretches.iter().max_by_key(|stretch| stretch.windows)?.mhz,
            low_mhz,
            high_mhz,
            windows,
            stretches,
        })
    }

    /// The steps: the stretches before and after each.
    pub fn steps(&self) -> impl Iterator<Item = (&ClockStretch, &ClockStretch)> {
        self.stretches.iter().zip(self.stretches.iter().skip(1))
    }

    /// The share by which the clock drifted apart from its steps, from the run's start to its end.
    pub fn drift_share(&self) -> f64 {
        drift_share(&self.stretches)
    }

    /// Whether the clock moved during the run. Cycles are cycles at any clock, but memory does not follow it: latencies of
    /// memory instructions then mix several clocks.
    pub fn moved(&self) -> bool {
        self.stretches.len() > 1 || self.drift_share().abs() > MOVED || self.high_mhz - self.low_mhz > MOVED * self.mhz
    }
}

impl fmt::Display for ShaderClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mhz, low_mhz, high_mhz, windows, .. } = self;
        write!(f, "{mhz:.0} MHz ({low_mhz:.0} to {high_mhz:.0} in {windows} windows of the run)")?;
        write!(f, "; {}", movement(&self.stretches))
    }
}

fn drift_share(stretches: &[ClockStretch]) -> f64 {
    stretches.iter().map(|stretch| stretch.drift_share.0).sum()
}

/// Steps that a summary names: the first tell how large they are, and `clock.csv` has all.
const STEPS_SHOWN: usize = 4;

/// The shader clock in a line.
pub(crate) fn clock_words(clock: &Result<ShaderClock, NoClock>) -> String {
    clock.as_ref().map_or_else(ToString::to_string, ToString::to_string)
}

/// Steps and drift in words.
pub(crate) fn movement(stretches: &[ClockStretch]) -> String {
    let mut words = match stretches.len().saturating_sub(1) {
        0 => "no step".to_owned(),
        steps => plural(steps, "step"),
    };
    for (before, behind) in stretches.iter().zip(stretches.iter().skip(1)).take(STEPS_SHOWN) {
        words += &format!(", at launch {} from {:.0} to {:.0} MHz", behind.launch, before.mhz, behind.mhz);
    }
    if stretches.len() > STEPS_SHOWN + 1 {
        words += ", …";
    }
    let percent = 100.0 * drift_share(stretches);
    words + &if percent.abs() < 0.05 { "; no drift".to_owned() } else { format!("; drift {percent:+.1} %") }
}
