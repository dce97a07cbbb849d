//! The cost of a run on its device, before it starts.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::{Add, Mul};

use clap::ValueEnum as _;
use serde::Serialize;

use super::launch_time::LaunchTimes;
use super::lengthening;
use super::schedule::Schedule;
use super::warm_up::MOST;
use crate::device::DeviceInformation;
use crate::experiment::{Experiment, MeasureOptions, Phase, Plan, PlannedLaunch, ShardError};

/// Launches, and how long the device is busy with them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Expected {
    pub launches: u64,
    /// An estimate, seconds; `None` where no GPU ships whose timings it could be made of.
    pub gpu_seconds: Option<f64>,
}

/// The cost of a suite.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SuiteForecast {
    /// Its name; `shared` is the base of the others.
    pub suite: String,
    pub experiments: usize,
    pub kernels: usize,
    #[serde(flatten)]
    pub expected: Expected,
}

/// An experiment of the plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExperimentForecast {
    pub experiment: String,
    pub suite: String,
    /// Why it is not launched; empty if it is.
    pub left_out: String,
    /// In all sweeps.
    #[serde(flatten)]
    pub expected: Expected,
}

/// A plan with its cost. Times are estimates: of published timings at a stated clock, of a card on which nothing was launched.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forecast {
    pub device: String,
    pub target: String,
    /// GPU whose timings the estimate is made of.
    pub timings_of: Option<String>,
    /// Shader clock that it is made for, MHz.
    pub clock_mhz: Option<f64>,
    pub sweeps: u32,
    /// By suite, in the order of the plan.
    pub suites: Vec<SuiteForecast>,
    pub experiments: usize,
    pub kernels: usize,
    /// All sweeps, and the experiments that are launched once.
    #[serde(flatten)]
    pub expected: Expected,
    /// What measuring again may take at most, where readings do not settle.
    pub again_at_most: Expected,
    /// Launches at most that warm a card up; none of the simulator.
    pub warm_up_launches_at_most: usize,
    /// Every experiment.
    pub plan: Vec<ExperimentForecast>,
}

/// The name of the experiments that belong to no suite.
const SHARED: &str = "shared";

impl ExperimentForecast {
    fn of(experiment: &Experiment, suite: String, expected: Expected) -> Self {
        let record = &experiment.record;
        let left_out = if experiment.launches.is_empty() { record.detail.clone() } else { String::new() };
        Self { experiment: record.experiment.clone(), suite, left_out, expected }
    }
}

impl Forecast {
    /// What measuring a device with these options asks of it.
    ///
    /// # Errors
    /// More shards than the plan has groups of experiments.
    pub fn new(device: &DeviceInformation, options: &MeasureOptions) -> Result<Self, ShardError> {
        let plan = Plan::new(device, options);
        let schedule = Schedule::new(&plan, options)?;
        Ok(Self::of(device, options, &plan, &schedule))
    }

    /// The device's cost of a plan in this order.
    pub(super) fn of(
        device: &DeviceInformation,
        options: &MeasureOptions,
        plan: &Plan,
        schedule: &Schedule<'_>,
    ) -> Self {
        let times = LaunchTimes::of(device);
        let zero = Expected { launches: 0, gpu_seconds: times.as_ref().map(|_| 0.0) };
        let launch = |planned: &PlannedLaunch, longer: u32| Expected {
            launches: 1,
            gpu_seconds: times.as_ref().map(|times| times.seconds(&plan.kernels[planned.kernel], planned, longer)),
        };
        let all = |experiment: &Experiment, longer: u32| {
            experiment.launches.iter().map(|planned| launch(planned, longer)).fold(zero, Add::add)
        };
        let (mut suites, mut rows) = (Vec::<CountedSuite>::new(), Vec::new());
        let mut again_at_most = zero;
        for (place, experiment) in plan.experiments.iter().enumerate().filter(|(place, _)| schedule.is_own(*place)) {
            let sweeps = if experiment.phase == Phase::EachSweep { schedule.sweeps().end } else { 1 };
            let expected = all(experiment, 1) * sweeps;
            if experiment.phase != Phase::Last {
                let once = all(experiment, lengthening::at_most(experiment));
                again_at_most = again_at_most + once * (schedule.again().len() as u32);
            }
            let suite = plan.suite_of(place).and_then(|suite| Some(suite.to_possible_value()?.get_name().to_owned()));
            let suite = suite.unwrap_or_else(|| SHARED.to_owned());
            let position = suites.iter().position(|known| known.forecast.suite == suite).unwrap_or_else(|| {
                let forecast = SuiteForecast { suite: suite.clone(), experiments: 0, kernels: 0, expected: zero };
                suites.push(CountedSuite { forecast, kernels: BTreeSet::new() });
                suites.len() - 1
            });
            let of_suite = &mut suites[position];
            of_suite.kernels.extend(experiment.launches.iter().map(|launch| launch.kernel));
            of_suite.forecast.experiments += usize::from(!experiment.launches.is_empty());
            of_suite.forecast.expected = of_suite.forecast.expected + expected;
            rows.push(ExperimentForecast::of(experiment, suite, expected));
        }
        if let (Some(budget), Some(seconds)) = (options.budget, &mut again_at_most.gpu_seconds) {
            *seconds = seconds.min(budget.as_secs_f64());
        }
        let suites: Vec<SuiteForecast> = suites.into_iter().map(CountedSuite::forecast).collect();
        Self {
            device: device.record.name.clone(),
            target: device.target.clone(),
            timings_of: times.as_ref().map(|times| times.gpu().to_owned()),
            clock_mhz: times.as_ref().map(|times| times.clock_mhz),
            sweeps: schedule.sweeps().end,
            experiments: suites.iter().map(|suite| suite.experiments).sum(),
            kernels: suites.iter().map(|suite| suite.kernels).sum(),
            expected: suites.iter().map(|suite| suite.expected).fold(zero, Add::add),
            suites,
            again_at_most,
            warm_up_launches_at_most: if device.record.card.is_some() { MOST } else { 0 },
            plan: rows,
        }
    }
}

/// A suite while its experiments are counted: several of them share kernels.
struct CountedSuite {
    forecast: SuiteForecast,
    kernels: BTreeSet<usize>,
}

impl CountedSuite {
    fn forecast(self) -> SuiteForecast {
        SuiteForecast { kernels: self.kernels.len(), ..self.forecast }
    }
}

impl Add for Expected {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let seconds = self.gpu_seconds.zip(other.gpu_seconds);
        Self { launches: self.launches + other.launches, gpu_seconds: seconds.map(|(one, other)| one + other) }
    }
}

impl Mul<u32> for Expected {
    type Output = Self;

    fn mul(self, times: u32) -> Self {
        let gpu_seconds = self.gpu_seconds.map(|seconds| seconds * f64::from(times));
        Self { launches: self.launches * u64::from(times), gpu_seconds }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} launches", self.launches)?;
        // An estimate has no more than two digits.
        match self.gpu_seconds {
            Some(seconds) if seconds >= 10.0 => write!(f, ", about {seconds:.0} s of GPU time"),
            Some(seconds) if seconds >= 1.0 => write!(f, ", about {seconds:.1} s of GPU time"),
            Some(seconds) => write!(f, ", about {:.0} ms of GPU time", (seconds * 1e3).ceil()),
            None => Ok(()),
        }
    }
}
