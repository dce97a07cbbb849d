//! Measuring: plan, render, assemble, check, launch, store.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use gcn_model::record::{CodeObjectRecord, ExperimentRecord, ExperimentStatus, Reading, RunRecord};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::results::{readings, result_bytes, waves};
use super::{RunError, RunFolder};
use crate::assembler::{Assembler, AssemblyError, LineError};
use crate::device::{Device, DeviceError, DeviceInformation, Launch, Module};
use crate::experiment::{Experiment, MeasureOptions, Plan};
use crate::kernel::{KernelPlan, SCRATCH_BYTES, Templates, check};

/// Version of the run folder's schema.
const SCHEMA: u32 = 1;
/// Kernels of one code object.
const KERNELS_PER_OBJECT: usize = 2048;
/// Times that experiments whose readings do not settle are measured again; what is unsettled then stays `unstable`.
const AGAIN: u32 = 3;
/// Experiments between two hand-overs to the disk.
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
    /// Launches.
    pub launches: u64,
}

/// Measures a device and stores the readings in `folder`.
///
/// Experiments are stored in the order of the plan with any number of threads; the launches of a device that allows
/// it run side by side. `interrupt` is looked at between launches.
///
/// # Errors
/// Nothing to measure, templates that do not render, assemble or pass the check, a device that does not load or is
/// lost, a disk that is full. A kernel that fails is a row with its reason and no error.
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

    let run = Run { plan: &plan, information, modules: &modules, interrupt, concurrency: device.concurrency() };
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
    let interrupted = interrupt.load(Ordering::SeqCst);
    if !interrupted {
        record.end = Some(jiff::Timestamp::now().to_string());
        folder.write_record(&record)?;
    }
    Ok(Measured { record, interrupted, launches })
}

/// `LLD 22.1.2` of what the linker says of itself, which goes on with where it was built.
fn short_version(version: &str) -> &str {
    version.split(" (").next().unwrap_or(version)
}

struct Object {
    bytes: Vec<u8>,
    kernels: u32,
}

/// Kernels that do not assemble, by name, with the reason.
type Failures = HashMap<String, String>;

/// Assembles and checks all kernels. Where LLVM refuses lines of some targets, the other kernels go on without them;
/// where it refuses a line of the templates, nothing does.
fn assemble(
    information: &DeviceInformation,
    assembler: &Assembler,
    templates: &Templates,
    kernels: &[KernelPlan],
    progress: &mut dyn Progress,
) -> Result<(Vec<Object>, Failures), RunError> {
    let (target, generation) = (information.target.as_str(), information.generation);
    let mut failures = Failures::new();
    let mut objects = Vec::new();
    for chunk in kernels.chunks(KERNELS_PER_OBJECT) {
        let assemble = |plans: &[KernelPlan]| -> Result<Vec<u8>, RunError> {
            Ok(assembler.assemble(&templates.module(target, generation, plans)?)?)
        };
        let (bytes, chunk) = match assemble(chunk) {
            Err(RunError::Assembly(AssemblyError::Lines(lines))) => {
                let refused = refused(chunk, &lines);
                if refused.is_empty() || refused.len() == chunk.len() {
                    return Err(AssemblyError::Lines(lines).into());
                }
                let rest: Vec<_> = chunk.iter().filter(|plan| !refused.contains_key(&plan.name)).cloned().collect();
                failures.extend(refused);
                (assemble(&rest)?, rest)
            }
            result => (result?, chunk.to_vec()),
        };
        check(&bytes, target, generation, &chunk)?;
        progress.advance(chunk.len());
        objects.push(Object { bytes, kernels: chunk.len() as u32 });
    }
    Ok((objects, failures))
}

/// The kernels whose targets hold one of the refused lines; none if a line is not a target's.
fn refused(kernels: &[KernelPlan], lines: &[LineError]) -> Failures {
    let mut refused = Failures::new();
    for error in lines {
        // The listing's columns are not the copy's.
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = words(&error.line);
        let holds = |plan: &&KernelPlan| {
            let target = &plan.target;
            let own = [&target.copies, &target.before, &target.after, &target.setup];
            own.into_iter().flatten().any(|copy| words(copy) == line)
        };
        let before = refused.len();
        for plan in kernels.iter().filter(holds) {
            refused.insert(plan.name.clone(), format!("LLVM does not assemble `{line}`: {}", error.message));
        }
        if refused.len() == before && !kernels.iter().any(|plan| holds(&plan)) {
            return Failures::new();
        }
    }
    refused
}

/// The generation has these instructions, this target has them not (gfx906 lacks V_MAD_MIX_F32 of gfx900).
fn mark_unsupported(plan: &mut Plan, failures: &Failures) {
    let Plan { kernels, experiments } = plan;
    for experiment in experiments {
        let reason = experiment.launches.iter().find_map(|launch| failures.get(&kernels[launch.kernel].name));
        if let Some(reason) = reason {
            experiment.record.status = ExperimentStatus::Unsupported;
            experiment.record.detail = reason.clone();
            experiment.launches.clear();
        }
    }
}

struct Run<'a> {
    plan: &'a Plan,
    information: &'a DeviceInformation,
    modules: &'a [Box<dyn Module + 'a>],
    interrupt: &'a AtomicBool,
    concurrency: usize,
}

/// An experiment that has been tried.
type Tried = Result<(ExperimentRecord, Vec<Reading>), DeviceError>;

impl Run<'_> {
    /// Experiments whose readings on disk do not settle; none after an interruption.
    fn unsettled(&self, folder: &RunFolder) -> Result<Vec<&Experiment>, RunError> {
        if self.interrupt.load(Ordering::SeqCst) {
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
        for batch in numbered.chunks(BATCH) {
            let try_one = |(first, experiment): &(u64, &Experiment)| self.experiment(*first, experiment);
            let tried: Vec<Option<Tried>> = if self.concurrency > 1 {
                batch.par_iter().map(try_one).collect()
            } else {
                batch.iter().map(try_one).collect()
            };
            for tried in tried.into_iter().flatten() {
                let (record, readings) = tried?;
                if first == 0 {
                    folder.append(&record, &readings)?;
                } else {
                    folder.append_readings(&readings)?;
                }
            }
            folder.flush()?;
            progress.advance(batch.len());
            if self.interrupt.load(Ordering::SeqCst) {
                break;
            }
        }
        Ok(next)
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
            let request = Launch {
                kernel: kernel.name.clone(),
                groups: launch.groups,
                group_size: launch.group_size,
                lds_bytes: launch.lds_bytes,
                ordinal,
                result_bytes: result_bytes(launch),
                scratch_bytes: if kernel.target.has_scratch { waves(launch) * SCRATCH_BYTES } else { 0 },
            };
            let module = &self.modules[launch.kernel / KERNELS_PER_OBJECT];
            let has_realtime = self.information.generation >= gcn_model::isa::Generation::Gcn12;
            let result = match module.launch(&request) {
                Ok(results) => {
                    let number = u32::try_from(ordinal).unwrap_or(u32::MAX);
                    readings(&record.experiment, kernel, launch, number, has_realtime, &results)
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
