//! Measuring: plan, render, assemble, check, launch, store.

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use gcn_model::record::{CodeObjectRecord, ExperimentRecord, ExperimentStatus, Reading, RunRecord};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::assembling::{KERNELS_PER_OBJECT, assemble, mark_unsupported};
use super::results::{dp_rates, readings, result_bytes, waves};
use super::warm_up::warm_up;
use super::{RunError, RunFolder};
use crate::assembler::Assembler;
use crate::device::{Device, DeviceError, DeviceInformation, Launch, Module};
use crate::experiment::{Experiment, MeasureOptions, Plan, PlannedLaunch};
use crate::kernel::{SCRATCH_BYTES, Section, Templates};

/// Version of the run folder's schema.
const SCHEMA: u32 = 1;
/// Times that experiments whose readings do not settle are measured again; what is unsettled then stays `unstable`.
const AGAIN: u32 = 3;
/// Experiments of the reference model between two hand-overs to the disk; those of a card are handed over one by one.
const BATCH: usize = 64;

/// What a run is busy with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Rendering, assembling and checking this many kernels.
    Assembling {
        /// Kernels.
        kernels: usize,
    },
    /// Launching again the experiments whose readings did not settle.
    Again {
        /// Experiments.
        experiments: usize,
    },
    /// Launching the experiments.
    Launching {
        /// Experiments, those without a launch included.
        experiments: usize,
    },
}

/// Is told how a run goes.
pub trait Progress {
    /// The run enters a stage.
    fn enter(&mut self, stage: Stage);
    /// So many of the stage's items are done, since the last call.
    fn advance(&mut self, items: usize);
}

/// Does not want to know.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn enter(&mut self, _: Stage) {}
    fn advance(&mut self, _: usize) {}
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// `run.json` as it is on disk.
    pub record: RunRecord,
    /// Whether the run was interrupted: what is stored is complete, the rest is missing.
    pub interrupted: bool,
    /// Why the device was lost, if it was: what is stored is complete, the rest is missing.
    pub lost: Option<String>,
    /// Launches.
    pub launches: u64,
}

/// Measures a device and stores the readings in `folder`.
///
/// Experiments are stored in the order of the plan with any number of threads; the launches of a device that allows
/// it run side by side. `interrupt` is looked at between launches.
///
/// # Errors
/// Nothing to measure, templates that do not render, assemble or pass the check, a device that does not load, a disk
/// that is full. A kernel that fails is a row with its reason and no error; a device that is lost ends the run.
pub fn measure(
    device: &dyn Device,
    assembler: &Assembler,
    templates: &Templates,
    options: &MeasureOptions,
    folder: &mut RunFolder,
    interrupt: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<Measured, RunError> {
    let information = device.information();
    let mut plan = Plan::new(information, options);
    let is_measurable = |experiment: &&Experiment| options.wants(&experiment.record.instruction);
    if !plan.experiments.iter().any(|experiment| is_measurable(&experiment)) {
        let patterns: Vec<_> = options.only.iter().map(glob::Pattern::as_str).collect();
        return Err(RunError::NothingToMeasure(format!(
            "no instruction of this GPU matches --only {}",
            patterns.join(", ")
        )));
    }
    let mut record = RunRecord {
        schema: SCHEMA,
        tool: format!("gcn-timings {}", env!("CARGO_PKG_VERSION")),
        device: information.record.clone(),
        assembler: format!("LLVM {}, {}", assembler.llvm().version(), short_version(assembler.linker().version())),
        options: options.record(),
        code_objects: Vec::new(),
        start: jiff::Timestamp::now().to_string(),
        dp_rate_field: Vec::new(),
        end: None,
    };
    progress.enter(Stage::Assembling { kernels: plan.kernels.len() });
    let (objects, failed) = assemble(information, assembler, templates, &plan.kernels, progress)?;
    for (index, object) in (0..).zip(&objects) {
        record.code_objects.push(CodeObjectRecord {
            index,
            kernels: object.kernels,
            bytes: object.bytes.len() as u64,
            sha256: Sha256::digest(&object.bytes).iter().map(|byte| format!("{byte:02x}")).collect(),
        });
    }
    mark_unsupported(&mut plan, &failed);
    let modules: Vec<_> = objects.iter().map(|object| device.load(&object.bytes)).collect::<Result<_, _>>()?;
    folder.write_record(&record)?;

    let lost = OnceLock::new();
    let dp_rates = Mutex::new(BTreeSet::new());
    let concurrency = device.concurrency();
    let run =
        Run { plan: &plan, information, modules: &modules, interrupt, lost: &lost, dp_rates: &dp_rates, concurrency };
    if information.record.card.is_some() {
        run.warm_up();
    }
    progress.enter(Stage::Launching { experiments: plan.experiments.len() });
    let mut launches = run.once(&plan.experiments.iter().collect::<Vec<_>>(), 0, folder, progress)?;
    for _ in 0..AGAIN {
        let unsettled = run.unsettled(folder)?;
        if unsettled.is_empty() {
            break;
        }
        progress.enter(Stage::Again { experiments: unsettled.len() });
        launches = run.once(&unsettled, launches, folder, progress)?;
    }
    folder.clear_attempt()?;
    let interrupted = interrupt.load(Ordering::SeqCst);
    let lost = lost.get().cloned();
    if !interrupted && lost.is_none() {
        record.end = Some(jiff::Timestamp::now().to_string());
    }
    record.dp_rate_field = dp_rates.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect();
    folder.write_record(&record)?;
    Ok(Measured { record, interrupted, lost, launches })
}

/// `LLD 22.1.2` of what the linker says of itself, which goes on with where it was built.
fn short_version(version: &str) -> &str {
    version.split(" (").next().unwrap_or(version)
}

struct Run<'a> {
    plan: &'a Plan,
    information: &'a DeviceInformation,
    modules: &'a [Box<dyn Module + 'a>],
    interrupt: &'a AtomicBool,
    lost: &'a OnceLock<String>,
    /// What TRAPSTS.DP_RATE read.
    dp_rates: &'a Mutex<BTreeSet<u32>>,
    concurrency: usize,
}

/// An experiment that has been tried.
type Tried = Result<(ExperimentRecord, Vec<Reading>), DeviceError>;

impl Run<'_> {
    /// Keeps the card busy with the longest launch of the plan until its clock is steady.
    fn warm_up(&self) {
        let launches = self.plan.experiments.iter().flat_map(|experiment| &experiment.launches);
        let length = |launch: &&PlannedLaunch| {
            let section = |section: &Section| section.n * section.loops.map_or(1, |loops| loops.timed);
            let kernel = &self.plan.kernels[launch.kernel];
            kernel.sections.iter().map(section).sum::<u32>() * kernel.samples
        };
        let one_wave = launches.filter(|launch| waves(launch) == 1);
        let Some(launch) = one_wave.max_by_key(length) else { return };
        let again = || {
            let results = self.module(launch).launch(&self.request(launch, 0))?;
            let kernel = &self.plan.kernels[launch.kernel];
            readings("", kernel, launch, 0, self.has_realtime(), &results).map_err(DeviceError::Kernel)
        };
        if let Err(error) = warm_up(again) {
            let _ = self.lost.set(error.to_string());
        }
    }

    /// Whether the run ends before its end.
    fn is_over(&self) -> bool {
        self.lost.get().is_some() || self.interrupt.load(Ordering::SeqCst)
    }

    /// Experiments whose readings on disk do not settle; none after an interruption.
    fn unsettled(&self, folder: &RunFolder) -> Result<Vec<&Experiment>, RunError> {
        if self.is_over() {
            return Ok(Vec::new());
        }
        let analysis = gcn_analysis::analyze(folder.path())?;
        let unsettled: HashSet<&str> = analysis.unsettled().iter().map(String::as_str).collect();
        let is_unsettled = |experiment: &&Experiment| {
            unsettled.contains(experiment.record.experiment.as_str()) && !experiment.launches.is_empty()
        };
        Ok(self.plan.experiments.iter().filter(is_unsettled).collect())
    }

    /// Tries each experiment once and stores its readings; launches are numbered from `first` on in the order of the plan,
    /// whoever runs them. Gives the number of the next launch. A first try, from launch 0 on, also stores the row.
    fn once(
        &self,
        experiments: &[&Experiment],
        first: u64,
        folder: &mut RunFolder,
        progress: &mut dyn Progress,
    ) -> Result<u64, RunError> {
        let mut next = first;
        let mut numbered = Vec::with_capacity(experiments.len());
        for experiment in experiments {
            numbered.push((next, *experiment));
            next += experiment.launches.len() as u64;
        }
        for batch in numbered.chunks(if self.concurrency > 1 { BATCH } else { 1 }) {
            let tries: Vec<_> = batch.iter().map(|(_, experiment)| experiment.record.experiment.as_str()).collect();
            if batch.iter().any(|(_, experiment)| !experiment.launches.is_empty()) {
                folder.note_attempt(batch[0].0, &tries)?;
            }
            let try_one = |(first, experiment): &(u64, &Experiment)| self.experiment(*first, experiment);
            let tried: Vec<Option<Tried>> = if self.concurrency > 1 {
                batch.par_iter().map(try_one).collect()
            } else {
                batch.iter().map(try_one).collect()
            };
            for tried in tried.into_iter().flatten() {
                let (record, readings) = match tried {
                    Err(DeviceError::Lost(why)) => {
                        // The first reason is the one that counts.
                        let _ = self.lost.set(why);
                        continue;
                    }
                    tried => tried?,
                };
                if first == 0 {
                    folder.append(&record, &readings)?;
                } else {
                    folder.append_readings(&readings)?;
                }
            }
            folder.flush()?;
            progress.advance(batch.len());
            if self.is_over() {
                break;
            }
        }
        Ok(next)
    }

    fn module(&self, launch: &PlannedLaunch) -> &dyn Module {
        &*self.modules[launch.kernel / KERNELS_PER_OBJECT]
    }

    fn request(&self, launch: &PlannedLaunch, ordinal: u64) -> Launch {
        let kernel = &self.plan.kernels[launch.kernel];
        Launch {
            kernel: kernel.name.clone(),
            groups: launch.groups,
            group_size: launch.group_size,
            lds_bytes: launch.lds_bytes,
            ordinal,
            result_bytes: result_bytes(launch),
            scratch_bytes: if kernel.target.has_scratch { waves(launch) * SCRATCH_BYTES } else { 0 },
        }
    }

    fn has_realtime(&self) -> bool {
        self.information.generation >= gcn_model::isa::Generation::Gcn12
    }

    /// Tries one experiment; `None` if the run was interrupted before it was complete.
    fn experiment(&self, first: u64, experiment: &Experiment) -> Option<Tried> {
        let mut record = experiment.record.clone();
        let mut stored = Vec::new();
        for (ordinal, launch) in (first..).zip(&experiment.launches) {
            if self.interrupt.load(Ordering::SeqCst) {
                return None;
            }
            let kernel = &self.plan.kernels[launch.kernel];
            let result = match self.module(launch).launch(&self.request(launch, ordinal)) {
                Ok(results) => {
                    let number = u32::try_from(ordinal).unwrap_or(u32::MAX);
                    let found = readings(&record.experiment, kernel, launch, number, self.has_realtime(), &results);
                    if found.is_ok() {
                        let mut rates = self.dp_rates.lock().unwrap_or_else(PoisonError::into_inner);
                        rates.extend(dp_rates(&results));
                    }
                    found
                }
                Err(DeviceError::Lost(why)) => return Some(Err(DeviceError::Lost(why))),
                Err(error) => Err(error.to_string()),
            };
            match result {
                Ok(mut readings) => stored.append(&mut readings),
                Err(detail) => {
                    record.status = ExperimentStatus::Failed;
                    record.detail = detail;
                    // Readings of an experiment that failed half-way are no evidence of anything.
                    return Some(Ok((record, Vec::new())));
                }
            }
        }
        Some(Ok((record, stored)))
    }
}
