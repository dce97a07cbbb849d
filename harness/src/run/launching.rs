//! Trying experiments: launches, and what becomes of their readings.
// Long: a run that is under way; all of it shares its state.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use gcn_analysis::run::{BATCH, StoredRun};
use gcn_analysis::unsettled;
use gcn_model::isa::Generation;
use gcn_model::record::{ExperimentRecord, ExperimentStatus, Reading};

use super::assembling::KERNELS_PER_OBJECT;
use super::attempt::Attempt;
use super::attempt_result::{AttemptResult, SideBySide};
use super::device_cost::DeviceCost;
use super::lengthening::lengthening;
use super::results::{dp_rates, readings, result_bytes, waves};
use super::schedule::{Round, Schedule, depended_on};
use super::warm_up::warm_up;
use super::{Event, Progress, RunError, RunFolder, now};
use crate::device::{Device, DeviceError, Launch, Module};
use crate::experiment::{Experiment, Phase, Plan, PlannedLaunch};
use crate::kernel::{SCRATCH_BYTES, Section};

/// Experiments that are tried before their rows are stored: those of a card are handed over to the disk one by one.
pub(super) fn batch(device: &dyn Device) -> usize {
    if device.concurrency() > 1 { BATCH } else { 1 }
}

/// A run that is under way.
pub(super) struct Launching<'a> {
    pub(super) plan: &'a Plan,
    pub(super) schedule: &'a Schedule<'a>,
    pub(super) device: &'a dyn Device,
    pub(super) modules: &'a [Box<dyn Module + 'a>],
    pub(super) interrupt: &'a AtomicBool,
    /// Why the device is gone, if it is.
    pub(super) lost: OnceLock<String>,
    /// Launches so far.
    pub(super) launches: AtomicU64,
    /// Time that they took, as seen from here.
    pub(super) launching_nanoseconds: AtomicU64,
    /// Ids of the experiments that others rest on: fillers and baselines.
    pub(super) depended_on: HashSet<&'a str>,
    /// Why a launch failed that was to warm the card up.
    pub(super) warm_up_failure: OnceLock<String>,
    /// Experiments whose launches took the device down, in a row.
    pub(super) faults: Mutex<Vec<String>>,
    /// Launches in a row that ended without a word and without all of their results.
    pub(super) silent: AtomicU32,
}

/// Silent launches in a row after which another process of the driver is no hope any more.
const MOST_SILENT: u32 = 3;

/// Times that a process tries what other experiments rest on until it stands.
pub(super) const MOST_TRIES: u32 = 5;

/// Whether it is too late to try anything else.
fn is_late(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

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
            let kernel = &self.plan.kernels[launch.kernel];
            let found = launched.and_then(|results| {
                readings("", kernel, launch, (0, 1), (self.generation(), self.lanes()), &results)
                    .map_err(DeviceError::Kernel)
            });
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

    /// Ids of the experiments that the readings before a round do not settle, and how many times longer their loops are to run.
    pub(super) fn unsettled(&self, round: u32, folder: &RunFolder) -> Result<HashMap<String, u32>, RunError> {
        let run = StoredRun::load(folder.path())?.before_launch(self.schedule.first_of_round(round));
        let unsettled: HashSet<String> = unsettled(&run).into_iter().collect();
        let bits = self.generation().counters.cycles.read.bits_of_reading();
        let stored = run.experiments.iter().enumerate().filter(|(_, record)| unsettled.contains(&record.experiment));
        let longer = stored.map(|(position, record)| {
            let experiment = &self.plan.experiments[record.place as usize];
            let longer = lengthening(experiment, &self.plan.kernels, run.readings_of(position), bits);
            (record.experiment.clone(), longer)
        });
        Ok(longer.collect())
    }

    pub(super) fn id(&self, place: usize) -> &str {
        &self.plan.experiments[place].record.experiment
    }

    /// Tries each of these experiments of a round, before a deadline if there is one, and stores what comes of it.
    pub(super) fn round(
        &self,
        round: &Round,
        places: &[usize],
        deadline: Option<Instant>,
        folder: &mut RunFolder,
        progress: &mut dyn Progress,
    ) -> Result<(), RunError> {
        if batch(self.device) > 1 {
            return self.side_by_side(round, places, deadline, folder, progress);
        }
        for &place in places {
            if self.is_over() || is_late(deadline) {
                break;
            }
            self.note(round, &[place], folder)?;
            self.retry_until_ok(round, place, folder, progress)?;
            progress.advance(1);
        }
        Ok(())
    }

    /// Notes the next attempt, if any.
    fn note(&self, round: &Round, places: &[usize], folder: &RunFolder) -> Result<(), RunError> {
        if places.iter().all(|&place| self.plan.experiments[place].launches.is_empty()) {
            return Ok(());
        }
        folder.note(&Attempt {
            round: round.number,
            first_launch: round.first_launch(places[0]),
            experiments: places.iter().map(|&place| self.id(place).to_owned()).collect(),
            since: now()?.to_string(),
        })
    }

    /// One experiment, each launch of which is on disk before the next one is tried.
    fn alone(
        &self,
        round: &Round,
        place: usize,
        folder: &mut RunFolder,
        progress: &mut dyn Progress,
    ) -> Result<(), RunError> {
        let mut keep = |readings: Vec<Reading>| {
            folder.add_readings(&readings)?;
            folder.store_readings()
        };
        let AttemptResult::Ended(record, rates) = self.experiment(round, place, &mut keep)? else {
            return folder.roll_back();
        };
        if record.status == ExperimentStatus::Failed {
            // Readings of an experiment that failed half-way are no evidence of anything.
            folder.roll_back()?;
        }
        folder.end_try(round.number, &record, &rates)?;
        folder.store()?;
        self.tell(round.number, place, &record, progress);
        Ok(())
    }

    /// Tells what came of an experiment.
    fn tell(&self, round: u32, place: usize, experiment: &ExperimentRecord, progress: &mut dyn Progress) {
        let launches = self.plan.experiments[place].launches.len();
        progress.event(&Event::Attempted { round, experiment, launches });
    }

    /// Whether others rest on an experiment, so that it is tried until it stands.
    pub(super) fn is_depended_on(&self, place: usize) -> bool {
        self.plan.experiments[place].phase != Phase::Last && self.depended_on.contains(self.id(place))
    }

    /// An experiment, repeated in a fresh process if it failed and others depend on it; this often at most.
    fn retry_until_ok(
        &self,
        round: &Round,
        place: usize,
        folder: &mut RunFolder,
        progress: &mut dyn Progress,
    ) -> Result<(), RunError> {
        for tried in 1.. {
            self.alone(round, place, folder, progress)?;
            let has_failed = folder.failed_in(self.id(place)) == Some(round.number);
            if !has_failed || !self.is_depended_on(place) || tried >= MOST_TRIES || self.is_over() {
                break;
            }
            self.device.renew();
        }
        Ok(())
    }

    /// Experiments at the same time, each thread taking the next one. They are stored in their order, while others are tried.
    fn side_by_side(
        &self,
        round: &Round,
        places: &[usize],
        deadline: Option<Instant>,
        folder: &mut RunFolder,
        progress: &mut dyn Progress,
    ) -> Result<(), RunError> {
        let (next, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        let work = |sender: Sender<(usize, SideBySide)>| {
            while !is_stopped.load(Ordering::Relaxed) && !self.is_over() && !is_late(deadline) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(&place) = places.get(number) else { return };
                if sender.send((number, self.overlap_of_others(round, place))).is_err() {
                    return;
                }
            }
        };
        // Threads of its own: who measures on a thread of rayon's pool would wait for that very thread.
        thread::scope(|scope| {
            for sender in vec![sender; rayon::current_num_threads()] {
                scope.spawn(|| work(sender));
            }
            let stored = self.store_in_order(round, places, &receiver, folder, progress);
            is_stopped.store(stored.is_err(), Ordering::Relaxed);
            stored
        })
    }

    fn overlap_of_others(&self, round: &Round, place: usize) -> SideBySide {
        let mut kept = Vec::new();
        let mut keep = |mut readings: Vec<Reading>| {
            kept.append(&mut readings);
            Ok(())
        };
        self.experiment(round, place, &mut keep).map(|tried| (tried, kept))
    }

    /// Stores the results of experiments in their order, some at a time. From one that stopped on, nothing is stored: it
    /// stored is the beginning of the round.
    fn store_in_order(
        &self,
        round: &Round,
        places: &[usize],
        tried: &Receiver<(usize, SideBySide)>,
        folder: &mut RunFolder,
        progress: &mut dyn Progress,
    ) -> Result<(), RunError> {
        let mut waiting = BTreeMap::new();
        let mut numbers = 0..places.len();
        let mut ended = Vec::new();
        for batch in places.chunks(BATCH) {
            self.note(round, batch, folder)?;
            for number in numbers.by_ref().take(batch.len()) {
                let tried = loop {
                    if let Some(tried) = waiting.remove(&number) {
                        break tried;
                    }
                    let Ok((its_number, tried)) = tried.recv() else { return folder.store() };
                    waiting.insert(its_number, tried);
                };
                let (AttemptResult::Ended(record, rates), readings) = tried? else { return folder.store() };
                if record.status != ExperimentStatus::Failed {
                    folder.add_readings(&readings)?;
                }
                folder.end_try(round.number, &record, &rates)?;
                ended.push((places[number], record));
            }
            folder.store()?;
            for (place, record) in ended.drain(..) {
                self.tell(round.number, place, &record, progress);
            }
            progress.advance(batch.len());
        }
        Ok(())
    }

    /// Ends a try that the last process of this run did not survive.
    pub(super) fn give_up(
        &self,
        attempt: &Attempt,
        place: usize,
        folder: &mut RunFolder,
        progress: &mut dyn Progress,
    ) -> Result<(), RunError> {
        let mut record = self.plan.experiments[place].record.clone();
        let why = format!(
            "the run ended unexpectedly during this attempt, which began at {} (trying.json){}",
            attempt.since,
            if self.is_depended_on(place) { "" } else { "; it was not retried" }
        );
        record.end(ExperimentStatus::Failed, &why);
        folder.end_try(attempt.round, &record, &BTreeSet::new())?;
        folder.store()?;
        self.tell(attempt.round, place, &record, progress);
        Ok(())
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

    fn lanes(&self) -> u32 {
        self.device.information().lanes()
    }

    fn generation(&self) -> Generation {
        self.device.information().generation
    }

    /// Experiments whose launches took the device down, in a row, until now.
    pub(super) fn faults(&self) -> MutexGuard<'_, Vec<String>> {
        // Each change of it is whole.
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn experiment(&self, round: &Round, place: usize, keep: &mut Keep<'_>) -> Result<AttemptResult, RunError> {
        let experiment: &Experiment = &self.plan.experiments[place];
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
            let kernel = &self.plan.kernels[launch.kernel];
            self.launches.fetch_add(1, Ordering::Relaxed);
            let (request, since) = (self.request(launch, ordinal, longer), Instant::now());
            let launched = self.module(launch).launch(&request);
            let nanoseconds = u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.launching_nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
            let result = match launched {
                Ok(results) => {
                    self.faults().clear();
                    let number = u32::try_from(ordinal).unwrap_or(u32::MAX);
                    let found = readings(
                        &record.experiment,
                        kernel,
                        launch,
                        (number, longer),
                        (self.generation(), self.lanes()),
                        &results,
                    );
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
