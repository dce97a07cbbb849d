//! The attempts of a round: each experiment is tried, and what comes of it is stored and told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Instant;

use gcn_analysis::run::BATCH;
use gcn_model::record::{ExperimentRecord, ExperimentStatus, Reading};

use super::attempt::Attempt;
use super::attempt_result::{AttemptResult, SideBySide};
use super::launching::Launching;
use super::schedule::Round;
use super::{Event, Progress, RunError, RunFolder, now};
use crate::device::Device;

/// Experiments that are tried before their rows are stored: those of a card are handed over to the disk one by one.
pub(super) fn batch(device: &dyn Device) -> usize {
    if device.concurrency() > 1 { BATCH } else { 1 }
}

/// Times that a process tries what other experiments rest on until they succeed.
pub(super) const MOST_TRIES: u32 = 5;

/// Attempts of a run, with the folder that keeps their results.
pub(super) struct Attempts<'a> {
    pub(super) run: &'a Launching<'a>,
    pub(super) folder: &'a mut RunFolder,
    pub(super) progress: &'a mut dyn Progress,
}

impl Attempts<'_> {
    /// Tries each of these experiments of a round, before a deadline if there is one, and stores what comes of it.
    pub(super) fn round(&mut self, round: &Round, places: &[usize], deadline: Option<Instant>) -> Result<(), RunError> {
        if batch(self.run.device) > 1 {
            return self.side_by_side(round, places, deadline);
        }
        for &place in places {
            if self.run.is_over_at(deadline) {
                break;
            }
            self.note(round, &[place])?;
            self.retry_until_ok(round, place)?;
            self.progress.advance(1);
        }
        Ok(())
    }

    /// Notes the next attempt, if any.
    fn note(&self, round: &Round, places: &[usize]) -> Result<(), RunError> {
        if places.iter().all(|&place| self.run.plan.experiments[place].launches.is_empty()) {
            return Ok(());
        }
        self.folder.note(&Attempt {
            round: round.number,
            first_launch: round.first_launch(places[0]),
            experiments: places.iter().map(|&place| self.run.id(place).to_owned()).collect(),
            since: now()?.to_string(),
        })
    }

    /// An experiment, repeated in a fresh process if it failed and others depend on it; this often at most.
    fn retry_until_ok(&mut self, round: &Round, place: usize) -> Result<(), RunError> {
        let run = self.run;
        for tried in 1.. {
            self.alone(round, place)?;
            let has_failed = self.folder.history().failed_in(run.id(place)) == Some(round.number);
            if !has_failed || !run.is_depended_on(place) || tried >= MOST_TRIES || run.is_over() {
                break;
            }
            run.device.renew();
        }
        Ok(())
    }

    /// One experiment, each launch of which is on disk before the next one is tried.
    fn alone(&mut self, round: &Round, place: usize) -> Result<(), RunError> {
        let mut keep = |readings: Vec<Reading>| {
            self.folder.add_readings(&readings)?;
            self.folder.store_readings()
        };
        let AttemptResult::Ended(record, rates) = self.run.experiment(round, place, &mut keep)? else {
            return self.folder.roll_back();
        };
        if record.status == ExperimentStatus::Failed {
            // Readings of an experiment that failed half-way are no evidence of anything.
            self.folder.roll_back()?;
        }
        self.end(round.number, place, &record, &rates)
    }

    /// Ends a try that the last process of this run did not survive.
    pub(super) fn give_up(&mut self, attempt: &Attempt, place: usize) -> Result<(), RunError> {
        let mut record = self.run.plan.experiments[place].record.clone();
        let why = format!(
            "the run ended unexpectedly during this attempt, which began at {} (trying.json){}",
            attempt.since,
            if self.run.is_depended_on(place) { "" } else { "; it was not retried" }
        );
        record.end(ExperimentStatus::Failed, &why);
        self.end(attempt.round, place, &record, &BTreeSet::new())
    }

    /// Stores and tells what came of an experiment.
    fn end(
        &mut self,
        round: u32,
        place: usize,
        record: &ExperimentRecord,
        rates: &BTreeSet<u32>,
    ) -> Result<(), RunError> {
        self.folder.end_try(round, record, rates)?;
        self.folder.store()?;
        self.tell(round, place, record);
        Ok(())
    }

    /// Tells what came of an experiment.
    fn tell(&mut self, round: u32, place: usize, experiment: &ExperimentRecord) {
        let launches = self.run.plan.experiments[place].launches.len();
        self.progress.event(&Event::Attempted { round, experiment, launches });
    }

    /// Experiments at the same time, each thread taking the next one. They are stored in their order, while others are tried.
    fn side_by_side(&mut self, round: &Round, places: &[usize], deadline: Option<Instant>) -> Result<(), RunError> {
        let run = self.run;
        let (next, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        let work = |sender: Sender<(usize, SideBySide)>| {
            while !is_stopped.load(Ordering::Relaxed) && !run.is_over_at(deadline) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(&place) = places.get(number) else { return };
                if sender.send((number, overlap_of_others(run, round, place))).is_err() {
                    return;
                }
            }
        };
        // Threads of its own: who measures on a thread of rayon's pool would wait for that very thread.
        thread::scope(|scope| {
            for sender in vec![sender; rayon::current_num_threads()] {
                scope.spawn(|| work(sender));
            }
            let stored = self.store_in_order(round, places, &receiver);
            is_stopped.store(stored.is_err(), Ordering::Relaxed);
            stored
        })
    }

    /// Stores the results of experiments in their order, some at a time. From one that stopped on, nothing is stored: what
    /// is stored is the beginning of the round.
    fn store_in_order(
        &mut self,
        round: &Round,
        places: &[usize],
        tried: &Receiver<(usize, SideBySide)>,
    ) -> Result<(), RunError> {
        let mut waiting = BTreeMap::new();
        let mut numbers = 0..places.len();
        let mut ended = Vec::new();
        for batch in places.chunks(BATCH) {
            self.note(round, batch)?;
            for number in numbers.by_ref().take(batch.len()) {
                let tried = loop {
                    if let Some(tried) = waiting.remove(&number) {
                        break tried;
                    }
                    let Ok((its_number, tried)) = tried.recv() else { return self.folder.store() };
                    waiting.insert(its_number, tried);
                };
                let (AttemptResult::Ended(record, rates), readings) = tried? else { return self.folder.store() };
                if record.status != ExperimentStatus::Failed {
                    self.folder.add_readings(&readings)?;
                }
                self.folder.end_try(round.number, &record, &rates)?;
                ended.push((places[number], record));
            }
            self.folder.store()?;
            for (place, record) in ended.drain(..) {
                self.tell(round.number, place, &record);
            }
            self.progress.advance(batch.len());
        }
        Ok(())
    }
}

fn overlap_of_others(run: &Launching<'_>, round: &Round, place: usize) -> SideBySide {
    let mut kept = Vec::new();
    let mut keep = |mut readings: Vec<Reading>| {
        kept.append(&mut readings);
        Ok(())
    };
    run.experiment(round, place, &mut keep).map(|tried| (tried, kept))
}
