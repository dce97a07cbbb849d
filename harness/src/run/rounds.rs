//! The rounds of a run: sweeps through the plan, rounds that measure again, and the dangerous experiments last.

use std::time::{Duration, Instant};

use super::attempt::Attempt;
use super::attempts::{Attempts, MOST_TRIES, batch};
use super::launching::Launching;
use super::resumption::Done;
use super::schedule::Round;
use super::{Progress, RunError, RunFolder, Stage};

/// The longest budget that is counted, 100 years: the clock knows no end of a longer one.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// Rounds that measure again are this many at least: their code is longer, and a single sample of each length settles nothing.
const LEAST_AGAIN: usize = 2;

/// So few experiments are tried again for the sake of a single one.
const FEW: usize = 20;

/// Whether another round still settles something: a fifth of the last round, or few are left.
fn settles(tried: usize, left: usize) -> bool {
    left <= FEW || 5 * left <= 4 * tried
}

/// The sweeps through the plan, then unsettled experiments, as often and as long as allowed, and dangerous ones last.
pub(super) fn rounds(
    run: &Launching<'_>,
    budget: Option<Duration>,
    done: &mut Done,
    folder: &mut RunFolder,
    progress: &mut dyn Progress,
) -> Result<(), RunError> {
    let schedule = run.schedule;
    // A card's driver may have taken the machine down with it, and would do so again.
    let tried = folder.tried().filter(|_| batch(run.device) == 1).cloned();
    let is_told = folder.before().is_none();
    let mut rounds = Rounds { done, tried, is_told, attempts: Attempts { run, folder, progress } };
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
        if run.is_over_at(deadline) || rounds.done.has_begun(schedule.last()) {
            break;
        }
        let unsettled = run.unsettled(number, rounds.attempts.folder)?;
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
    done: &'a mut Done,
    /// The attempt at the time when the run died, until it is found in a round.
    tried: Option<Attempt>,
    /// Whether the resumption was announced.
    is_told: bool,
    attempts: Attempts<'a>,
}

impl Rounds<'_> {
    /// The order of a round with the experiments that are wanted and did not fail before it.
    fn order(&self, number: u32, is_wanted: impl Fn(&str) -> bool) -> Round {
        let Attempts { run, folder, .. } = &self.attempts;
        run.schedule.round(number).only(|place| {
            let id = run.id(place);
            is_wanted(id) && !folder.history().has_failed(id, number)
        })
    }

    /// Attempts the rest of a round.
    fn round(
        &mut self,
        round: &Round,
        deadline: Option<Instant>,
        stage: impl FnOnce(usize) -> Stage,
    ) -> Result<(), RunError> {
        let run = self.attempts.run;
        let follows = run.schedule.again().contains(&round.number);
        let left = self.done.left(round, deadline.is_some(), follows, self.attempts.folder.path())?;
        let mut left = left.as_slice();
        if left.is_empty() || run.is_over() {
            return Ok(());
        }
        if let (Some(attempt), [next, rest @ ..]) = (&self.tried, left) {
            let id = run.id(*next);
            if attempt.round == round.number && attempt.experiments == [id] {
                self.attempts.give_up(attempt, *next)?;
                // What others rest on is tried once more, unless it took the run down again and again.
                if run.is_depended_on(*next) && self.attempts.folder.history().failures(id) < MOST_TRIES {
                    self.done.resuming.retried += 1;
                } else {
                    self.done.resuming.given_up = Some(id.to_owned());
                    left = rest;
                }
            }
            self.tried = None;
        }
        if !self.is_told {
            self.attempts.progress.enter(Stage::Resuming(self.done.resuming.clone()));
            self.is_told = true;
        }
        self.attempts.progress.enter(stage(left.len()));
        self.attempts.round(round, left, deadline)
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
