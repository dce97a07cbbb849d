//! Trying experiments: their launches, and the readings that come of them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use gcn_analysis::run::StoredRun;
use gcn_analysis::{Open, unsettled};
use gcn_model::record::{ExperimentStatus, Reading};

use super::assembling::KERNELS_PER_OBJECT;
use super::attempt_result::AttemptResult;
use super::device_cost::DeviceCost;
use super::lengthening::lengthening;
use super::results::{dp_rates, readings, result_bytes, waves};
use super::schedule::{Round, Schedule, depended_on};
use super::warm_up::warm_up;
use super::{RunError, RunFolder};
use crate::device::{Device, DeviceError, Launch, Module};
use crate::experiment::{Phase, Plan, PlannedLaunch};
use crate::kernel::{SCRATCH_BYTES, Section};

/// A run that is under way.
pub(super) struct Launching<'a> {
    pub(super) plan: &'a Plan,
    pub(super) schedule: &'a Schedule<'a>,
    pub(super) device: &'a dyn Device,
    modules: &'a [Box<dyn Module + 'a>],
    interrupt: &'a AtomicBool,
    /// Why the device is gone, if it is.
    pub(super) lost: OnceLock<String>,
    /// Launches so far.
    launches: AtomicU64,
    /// Time that they took, as seen from here.
    launching_nanoseconds: AtomicU64,
    /// Ids of the experiments that others rest on: fillers and baselines.
    depended_on: HashSet<&'a str>,
    /// Why a launch failed that was to warm the card up.
    pub(super) warm_up_failure: OnceLock<String>,
    /// Experiments whose launches took the device down, in a row.
    faults: Mutex<Vec<String>>,
    /// Launches in a row that ended without a word and without all of their results.
    silent: AtomicU32,
}

/// Silent launches in a row after which another process of the driver is no hope any more.
const MOST_SILENT: u32 = 3;

/// Where the readings of a launch go.
type Keep<'k> = dyn FnMut(Vec<Reading>) -> Result<(), RunError> + 'k;

impl<'a> Launching<'a> {
    /// Of a plan of which nothing was launched yet.
    pub(super) fn of(
        plan: &'a Plan,
        schedule: &'a Schedule<'a>,
        device: &'a dyn Device,
        modules: &'a [Box<dyn Module + 'a>],
        interrupt: &'a AtomicBool,
    ) -> Self {
        Self {
            plan,
            schedule,
            device,
            modules,
            interrupt,
            lost: OnceLock::new(),
            launches: AtomicU64::new(0),
            launching_nanoseconds: AtomicU64::new(0),
            depended_on: depended_on(plan),
            warm_up_failure: OnceLock::new(),
            faults: Mutex::new(Vec::new()),
            silent: AtomicU32::new(0),
        }
    }

    /// Keeps the card busy with the longest launch of the plan until its clock is steady.
    pub(super) fn warm_up(&self) {
        let launches = self.plan.experiments.iter().filter(|experiment| experiment.phase != Phase::Last);
        let launches = launches.flat_map(|experiment| &experiment.launches);
        let length = |launch: &&PlannedLaunch| {
            let section = |section: &Section| section.n * section.loops.map_or(1, |loops| loops.timed);
            let kernel = &self.plan.kernels[launch.kernel];
            kernel.sections.iter().map(section).sum::<u32>() * kernel.samples
        };
        let one_wave = launches.filter(|launch| waves(launch, self.lanes()) == 1);
        let Some(launch) = one_wave.max_by_key(length) else { return };
        let again = || {
            let launched = self.module(launch).launch(&self.request(launch, 0, 1));
            let found =
                launched.and_then(|results| self.readings("", launch, (0, 1), &results).map_err(DeviceError::Kernel));
            found.inspect_err(|error| {
                // It cost no reading, but the card did something that it should not have.
                let _ = self.warm_up_failure.set(error.to_string());
            })
        };
        if let Err(error) = warm_up(again) {
            let _ = self.lost.set(error.to_string());
        }
    }

    /// The device's cost so far.
    pub(super) fn spent(&self) -> DeviceCost {
        let seen_from_here = Duration::from_nanos(self.launching_nanoseconds.load(Ordering::Relaxed));
        DeviceCost {
            launches: self.launches.load(Ordering::Relaxed),
            gpu_time: self.device.gpu_time().unwrap_or(seen_from_here),
        }
    }

    /// Whether the run ends before its end.
    pub(super) fn is_over(&self) -> bool {
        self.lost.get().is_some() || self.interrupt.load(Ordering::SeqCst)
    }

    /// Whether nothing else is tried: the run ends before its end, or a deadline has come.
    pub(super) fn is_over_at(&self, deadline: Option<Instant>) -> bool {
        self.is_over() || deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Ids of the experiments that the readings before a round do not settle, and how many times longer their loops are to run.
    pub(super) fn unsettled(&self, round: u32, folder: &RunFolder) -> Result<HashMap<String, u32>, RunError> {
        let run = StoredRun::load(folder.path())?.before_launch(self.schedule.first_of_round(round));
        let Open { experiments: unsettled, short } = unsettled(&run);
        let unsettled: HashSet<String> = unsettled.into_iter().collect();
        let bits = self.device.information().generation.counters.cycles.read.bits_of_reading();
        let stored = run.experiments.iter().enumerate().filter(|(_, record)| unsettled.contains(&record.experiment));
        let longer = stored.map(|(position, record)| {
            let experiment = &self.plan.experiments[record.place as usize];
            let is_short = short.contains(&record.experiment);
            let longer = lengthening(experiment, &self.plan.kernels, run.readings_of(position), is_short, bits);
            (record.experiment.clone(), longer)
        });
        Ok(longer.collect())
    }

    pub(super) fn id(&self, place: usize) -> &str {
        &self.plan.experiments[place].record.experiment
    }

    /// Whether others rest on an experiment, so that it is tried until it stands.
    pub(super) fn is_depended_on(&self, place: usize) -> bool {
        self.plan.experiments[place].phase != Phase::Last && self.depended_on.contains(self.id(place))
    }

    fn module(&self, launch: &PlannedLaunch) -> &dyn Module {
        &*self.modules[launch.kernel / KERNELS_PER_OBJECT]
    }

    /// What a launch asks of the device. Its loops run so many times longer than planned.
    fn request(&self, launch: &PlannedLaunch, ordinal: u64, longer: u32) -> Launch {
        let kernel = &self.plan.kernels[launch.kernel];
        Launch {
            kernel: kernel.name.clone(),
            groups: launch.groups,
            group_size: launch.group_size,
            lds_bytes: launch.lds_bytes,
            ordinal,
            result_bytes: result_bytes(launch, self.lanes()),
            loop_passes: kernel.loops().filter(|_| longer > 1).map_or(0, |loops| loops.timed * longer),
            scratch_bytes: if kernel.snippet.has_scratch { waves(launch, self.lanes()) * SCRATCH_BYTES } else { 0 },
        }
    }

    /// The readings of an experiment's launch with this number, whose loops ran this many times longer than planned.
    fn readings(
        &self,
        experiment: &str,
        launch: &PlannedLaunch,
        (ordinal, longer): (u32, u32),
        results: &[u32],
    ) -> Result<Vec<Reading>, String> {
        let kernel = &self.plan.kernels[launch.kernel];
        readings(experiment, kernel, launch, (ordinal, longer), self.device.information().waves(), results)
    }

    fn lanes(&self) -> u32 {
        self.device.information().lanes()
    }

    /// Experiments whose launches took the device down, in a row, until now.
    pub(super) fn faults(&self) -> MutexGuard<'_, Vec<String>> {
        // Each change of it is whole.
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tries an experiment, each launch's readings of which are kept before the next launch.
    pub(super) fn experiment(
        &self,
        round: &Round,
        place: usize,
        keep: &mut Keep<'_>,
    ) -> Result<AttemptResult, RunError> {
        let experiment = &self.plan.experiments[place];
        let needs_new_driver = experiment.phase == Phase::Last && !experiment.launches.is_empty();
        if needs_new_driver {
            self.device.renew();
        }
        let tried = self.launches(round, place, keep);
        if needs_new_driver {
            self.device.renew();
        }
        tried
    }

    fn launches(&self, round: &Round, place: usize, keep: &mut Keep<'_>) -> Result<AttemptResult, RunError> {
        let (experiment, first) = (&self.plan.experiments[place], round.first_launch(place));
        let longer = round.longer(place);
        let mut record = Box::new(experiment.record.clone());
        let mut rates = BTreeSet::new();
        for (ordinal, launch) in (first..).zip(&experiment.launches) {
            if self.is_over() {
                return Ok(AttemptResult::Stopped);
            }
            self.launches.fetch_add(1, Ordering::Relaxed);
            let (request, since) = (self.request(launch, ordinal, longer), Instant::now());
            let launched = self.module(launch).launch(&request);
            let nanoseconds = u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.launching_nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
            let result = match launched {
                Ok(results) => {
                    self.faults().clear();
                    let number = u32::try_from(ordinal).unwrap_or(u32::MAX);
                    let found = self.readings(&record.experiment, launch, (number, longer), &results);
                    if found.is_ok() {
                        rates.extend(dp_rates(&results));
                        self.silent.store(0, Ordering::Relaxed);
                    } else if self.silent.fetch_add(1, Ordering::Relaxed) < MOST_SILENT {
                        // AMD's OpenCL driver of ROCm 7.2 says nothing of a queue that a fault has stopped: what follows would fail too.
                        self.device.renew();
                    }
                    found
                }
                Err(DeviceError::Lost(why)) => {
                    // The first reason is the one that counts.
                    let _ = self.lost.set(why);
                    return Ok(AttemptResult::Stopped);
                }
                Err(error) => {
                    if matches!(error, DeviceError::Fault(_)) {
                        self.faults().push(record.experiment.clone());
                    } else {
                        self.faults().clear();
                    }
                    Err(error.to_string())
                }
            };
            match result {
                Ok(readings) => keep(readings)?,
                Err(why) => {
                    record.end(ExperimentStatus::Failed, &why);
                    return Ok(AttemptResult::Ended(record, BTreeSet::new()));
                }
            }
        }
        Ok(AttemptResult::Ended(record, rates))
    }
}
