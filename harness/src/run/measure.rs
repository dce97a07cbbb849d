//! Measuring: plan, render, assemble, check, launch, store.

use std::sync::atomic::{AtomicBool, Ordering};

use gcn_analysis::run::sha256;
use gcn_model::record::{CodeObjectRecord, RunRecord};
use jiff::Timestamp;

use super::assembling::{end_refused, objects};
use super::attempts::batch;
use super::device_cost::DeviceCost;
use super::launching::Launching;
use super::object_source::{Object, ObjectSource};
use super::resumption::{Done, check_same};
use super::rounds::rounds;
use super::schedule::{Schedule, depended_on};
use super::{Event, Forecast, Progress, RunError, RunFolder, Stage, now};
use crate::device::{Device, DeviceInformation};
use crate::experiment::{Experiment, MeasureOptions, Phase, Plan};
use crate::kernel::Templates;

/// What became of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// `run.json` as it is on disk.
    pub record: RunRecord,
    /// Whether the run was interrupted: the stored data is complete, the rest is missing.
    pub interrupted: bool,
    /// Why the device was lost, if it was: the stored data is complete, the rest is missing.
    pub lost: Option<String>,
    /// What this process asked of the device.
    pub spent: DeviceCost,
}

/// Measures a device and stores the readings in `folder`; resumes the run in there, if there is one.
///
/// Experiments are stored in the order of each sweep with any number of threads; the launches of a device that allows
/// it run side by side. `interrupt` is looked at between launches. With a budget, how often something is measured again depends on
/// how fast the device and this machine are; without one, on nothing but the readings.
///
/// # Errors
/// Nothing to measure, templates that do not render, assemble or pass the check, a device that does not load, a disk
/// that is full, a folder of another run. A kernel that fails is a row with its reason and no error; a device that is lost ends the run.
pub fn measure(
    device: &dyn Device,
    source: &dyn ObjectSource,
    templates: &Templates,
    options: &MeasureOptions,
    folder: &mut RunFolder,
    interrupt: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<Measured, RunError> {
    let information = device.information();
    let mut plan = planned(information, options)?;
    progress.enter(Stage::Assembling { kernels: plan.kernels.len() });
    let (objects, failed) = objects(information, source, templates, &plan.kernels, progress)?;
    end_refused(&mut plan, &failed);
    let schedule = Schedule::new(&plan, options)?;
    let mut record = record(device, source, options, &schedule, &objects, now()?);

    if folder.before().is_none_or(|before| before.run().record.end.is_none()) {
        progress.enter(Stage::Planned(Forecast::of(information, options, &plan, &schedule).expected));
    }
    let mut done = Done::default();
    if let Some(before) = folder.before() {
        check_same(folder.path(), &before.run().record, &record)?;
        done = Done::of(before, folder.path(), &plan, &schedule, batch(device))?;
        record = before.run().record.clone();
        for (round, place) in to_try_again(&plan, &record, options, folder, batch(device)) {
            done.try_again(round, place);
        }
        if record.end.is_some() && done.resuming.retried == 0 {
            return Ok(Measured { record, interrupted: false, lost: None, spent: DeviceCost::default() });
        }
        (record.end, record.tries) = (None, None);
        record.resumed.push(now()?.to_string());
    }
    let modules: Vec<_> = objects.iter().map(|object| device.load(&object.bytes)).collect::<Result<_, _>>()?;
    folder.roll_back()?;
    folder.remove_derived()?;
    folder.write_record(&record)?;
    progress.event(&Event::Begun { folder: folder.path(), record: &record });

    let run = Launching::of(&plan, &schedule, device, &modules, interrupt);
    if let Err(error) = rounds(&run, options.budget, &mut done, folder, progress) {
        // It was not the device's fault. Both may fail for the same reason, and the first is the one to tell.
        let _ = folder.roll_back();
        let _ = folder.clear_note();
        return Err(error);
    }
    folder.clear_note()?;
    let lost = run.lost.get().cloned();
    let interrupted = lost.is_none() && interrupt.load(Ordering::SeqCst);
    if !interrupted && lost.is_none() {
        record.end = Some(now()?.to_string());
        record.tries = Some(folder.history().tries);
    }
    note_failures(&mut record, &run, folder);
    // Somebody may have derived them while the run went on: with its end they would pass for all of it.
    folder.remove_derived()?;
    folder.write_record(&record)?;
    Ok(Measured { record, interrupted, lost, spent: run.spent() })
}

/// The plan, if it has something to measure.
fn planned(information: &DeviceInformation, options: &MeasureOptions) -> Result<Plan, RunError> {
    let plan = Plan::new(information, options);
    let (target, lanes) = (&information.record.target, information.lanes());
    let has_none = !information.instructions().any(|instruction| options.wants(&instruction.name));
    let why = if has_none {
        let patterns: Vec<_> = options.only.iter().map(glob::Pattern::as_str).collect();
        format!("no instruction of this GPU matches --only {}", patterns.join(", "))
    } else if !plan.experiments.iter().any(|experiment| options.wants(&experiment.record.instruction)) {
        format!("the chosen suites measure none of these instructions of {target} in waves of {lanes} lanes")
    } else if plan.parts.is_empty() {
        // Nothing but what others would rest on.
        format!("{target} has nothing that the chosen suites measure in waves of {lanes} lanes")
    } else {
        return Ok(plan);
    };
    Err(RunError::NothingToMeasure(why))
}

/// What failed on the way: the field of DPFACTOR is read in each launch, and a lost card's experiments get one more attempt each.
fn note_failures(record: &mut RunRecord, run: &Launching<'_>, folder: &RunFolder) {
    record.dp_rate_field = folder.history().dp_rates();
    if let Some(why) = run.warm_up_failure.get() {
        record.warm_up_failure = Some(why.clone());
    }
    if run.lost.get().is_some() {
        record.lost.append(&mut run.faults());
    }
    record.lost.sort_unstable();
    record.lost.dedup();
    // A card that is lost in them again would be lost forever.
    record.lost.retain(|id| folder.history().failed_in(id).is_some() && folder.history().failures(id) < 2);
}

/// Failures that a resumed run retries, each with its round: those lost with the device, those that other experiments
/// rest on, and all of it if that is asked for. The simulator would fail again in the same way.
fn to_try_again(
    plan: &Plan,
    record: &RunRecord,
    options: &MeasureOptions,
    folder: &RunFolder,
    batch: usize,
) -> Vec<(u32, usize)> {
    let depended_on = depended_on(plan);
    let is_wanted = |experiment: &Experiment| {
        let id = experiment.record.experiment.as_str();
        let is_needed = batch == 1 && experiment.phase != Phase::Last && depended_on.contains(id);
        options.retry_failed || is_needed || record.lost.iter().any(|lost| lost == id)
    };
    let failed = plan.experiments.iter().enumerate().filter(|(_, experiment)| is_wanted(experiment));
    failed
        .filter_map(|(place, experiment)| Some((folder.history().failed_in(&experiment.record.experiment)?, place)))
        .collect()
}

/// `run.json` of a run that starts.
fn record(
    device: &dyn Device,
    source: &dyn ObjectSource,
    options: &MeasureOptions,
    schedule: &Schedule<'_>,
    objects: &[Object],
    start: Timestamp,
) -> RunRecord {
    let code_object = |(index, object): (u32, &Object)| CodeObjectRecord {
        index,
        kernels: object.kernels,
        bytes: object.bytes.len() as u64,
        sha256: sha256(&[&object.bytes]),
    };
    RunRecord {
        schema: RunRecord::SCHEMA,
        tool: format!("gcn-timings {}", env!("CARGO_PKG_VERSION")),
        device: device.information().record.clone(),
        assembler: source.made_by(),
        options: options.record(),
        code_objects: (0..).zip(objects).map(code_object).collect(),
        start: start.to_string(),
        dp_rate_field: Vec::new(),
        end: None,
        shard: options.shard.map(|shard| schedule.record(shard)),
        shards: Vec::new(),
        resumed: Vec::new(),
        lost: Vec::new(),
        warm_up_failure: None,
        tries: None,
        sha256: String::new(),
    }
}
