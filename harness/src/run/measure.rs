//! Measuring: plan, render, assemble, check, launch, store.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gcn_analysis::run::sha256;
use gcn_model::record::{CodeObjectRecord, RunRecord};
use jiff::Timestamp;

use super::assembling::{end_refused, objects};
use super::attempt::Attempt;
use super::device_cost::DeviceCost;
use super::launching::{Launching, MOST_TRIES, batch};
use super::object_source::{Object, ObjectSource};
use super::resumption::{Done, check_same};
use super::schedule::{Round, Schedule, depended_on};
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
        record.tries = Some(folder.tries());
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
    record.dp_rate_field = folder.dp_rates();
    if let Some(why) = run.warm_up_failure.get() {
        record.warm_up_failure = Some(why.clone());
    }
    if run.lost.get().is_some() {
        record.lost.append(&mut run.faults());
    }
    record.lost.sort_unstable();
    record.lost.dedup();
    // A card that is lost in them again would be lost forever.
    record.lost.retain(|id| folder.failed_in(id).is_some() && folder.failures(id) < 2);
}

/// The longest budget that is counted, 100 years: the clock knows no end of a longer one.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

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
    failed.filter_map(|(place, experiment)| Some((folder.failed_in(&experiment.record.experiment)?, place))).collect()
}

/// Rounds that measure again are this many at least: their code is longer, and a single sample of each length settles nothing.
const LEAST_AGAIN: usize = 2;

/// So few experiments are tried again for the sake of a single one.
const FEW: usize = 20;

/// Whether another round still settles something: a fifth of the last round, or few are left.
fn settles(tried: usize, left: usize) -> bool {
    left <= FEW || 5 * left <= 4 * tried
}

/// The sweeps through the plan, then unsettled experiments, as often and as long as allowed, and dangerous ones last.
fn rounds(
    run: &Launching<'_>,
    budget: Option<Duration>,
    done: &mut Done,
    folder: &mut RunFolder,
    progress: &mut dyn Progress,
) -> Result<(), RunError> {
    let schedule = run.schedule;
    // A card's driver may have taken the machine down with it, and would do so again.
    let tried = folder.tried().filter(|_| batch(run.device) == 1).cloned();
    let mut rounds = Rounds { run, done, tried, is_told: folder.before().is_none(), folder, progress };
    if run.device.information().record.card.is_some() {
        run.warm_up();
    }
    for number in schedule.sweeps() {
        let (round, of) = (rounds.order(number, |_| true), schedule.sweeps().end);
        rounds.round(&round, None, |experiments| Stage::Launching { experiments, sweep: number, of })?;
    }
    let deadline = budget.map(|budget| Instant::now() + budget.min(LONGEST));
    let mut tried_before = None;
    for (begun, number) in schedule.again().enumerate() {
        let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if run.is_over() || is_late || rounds.done.has_begun(schedule.last()) {
            break;
        }
        let unsettled = run.unsettled(number, rounds.folder)?;
        let round = rounds.order(number, |id| unsettled.contains_key(id)).lengthened(|place| unsettled[run.id(place)]);
        let left = round.places().len();
        // Who sets a time wants it to be used.
        let is_worth_it =
            deadline.is_some() || begun < LEAST_AGAIN || tried_before.is_none_or(|before| settles(before, left));
        if left == 0 || !is_worth_it {
            break;
        }
        tried_before = Some(left);
        rounds.round(&round, deadline, |experiments| Stage::Again { experiments })?;
    }
    let last = schedule.round(schedule.last());
    rounds.round(&last, None, |experiments| Stage::Dangerous { experiments })
}

/// A run on its way through its rounds.
struct Rounds<'a> {
    run: &'a Launching<'a>,
    done: &'a mut Done,
    /// The attempt at the time when the run died, until it is found in a round.
    tried: Option<Attempt>,
    /// Whether the resumption was announced.
    is_told: bool,
    folder: &'a mut RunFolder,
    progress: &'a mut dyn Progress,
}

impl Rounds<'_> {
    /// The order of a round with the experiments that are wanted and did not fail before it.
    fn order(&self, number: u32, is_wanted: impl Fn(&str) -> bool) -> Round {
        self.run.schedule.round(number).only(|place| {
            let id = self.run.id(place);
            is_wanted(id) && !self.folder.has_failed(id, number)
        })
    }

    /// Attempts the rest of a round.
    fn round(
        &mut self,
        round: &Round,
        deadline: Option<Instant>,
        stage: impl FnOnce(usize) -> Stage,
    ) -> Result<(), RunError> {
        let follows = self.run.schedule.again().contains(&round.number);
        let left = self.done.left(round, deadline.is_some(), follows, self.folder.path())?;
        let mut left = left.as_slice();
        if left.is_empty() || self.run.is_over() {
            return Ok(());
        }
        if let (Some(attempt), [next, rest @ ..]) = (&self.tried, left) {
            let id = self.run.id(*next);
            if attempt.round == round.number && attempt.experiments == [id] {
                self.run.give_up(attempt, *next, self.folder, self.progress)?;
                // What others rest on is tried once more, unless it took the run down again and again.
                if self.run.is_depended_on(*next) && self.folder.failures(id) < MOST_TRIES {
                    self.done.resuming.retried += 1;
                } else {
                    self.done.resuming.given_up = Some(id.to_owned());
                    left = rest;
                }
            }
            self.tried = None;
        }
        if !self.is_told {
            self.progress.enter(Stage::Resuming(self.done.resuming.clone()));
            self.is_told = true;
        }
        self.progress.enter(stage(left.len()));
        self.run.round(round, left, deadline, self.folder, self.progress)
    }
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

#[cfg(test)]
mod tests {
    use super::settles;

    #[test]
    fn rounds_that_settle_next_to_nothing_end_unless_they_are_short() {
        assert!(settles(1000, 800) && !settles(1000, 801));
        assert!(settles(20, 20) && !settles(30, 29));
    }
}
