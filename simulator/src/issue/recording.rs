//! What each wave does with each of its cycles.
//!
//! From its start to its end a wave's time is cut into spans without gap or overlap: their sum is its lifetime.

use crate::issue::activity::Activity;
use crate::issue::outcome::Outcome;
use crate::issue::spans::{Span, Spans};
use crate::issue::totals::Totals;
use crate::lower::micro_op::MicroOp;
use crate::lower::operation::Operation;

/// The record of the time of a compute unit's waves.
#[derive(Debug)]
pub(crate) enum Kept {
    Spans(Spans),
    Totals(Totals),
}

/// The time of all waves of a compute unit.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) kept: Kept,
    waves: Vec<Recorded>,
}

/// How far the time of a wave is recorded.
#[derive(Debug, Clone, Copy)]
struct Recorded {
    until: u64,
    /// The step that it issued last.
    issued: u32,
}

/// A step that a wave issued.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Issued<'a> {
    /// Its number in the program.
    pub number: u32,
    pub step: &'a MicroOp,
    /// The cycle from which on its wave wanted the unit.
    pub wanted: u64,
    /// The cycle at which it was issued.
    pub cycle: u64,
    /// Cycles that it holds its wave, unless the outcome says otherwise.
    pub cost: u64,
    /// Those of them that are for its place.
    pub penalty: u64,
}

impl Recorded {
    /// Goes on until a cycle: how many cycles that is, if there are any.
    #[inline(always)]
    fn advance(&mut self, until: u64) -> Option<u64> {
        let cycles = until.checked_sub(self.until).filter(|cycles| *cycles > 0)?;
        self.until = until;
        Some(cycles)
    }
}

impl Recording {
    /// Nothing is recorded yet.
    pub(crate) fn new(kept: Kept) -> Self {
        Self { kept, waves: Vec::new() }
    }

    /// Wave `number` of the launch starts, as the next one of the compute unit.
    pub(crate) fn start(&mut self, number: u32, cycle: u64) {
        self.waves.push(Recorded { until: cycle, issued: 0 });
        match &mut self.kept {
            Kept::Spans(spans) => spans.start(number, cycle),
            Kept::Totals(totals) => totals.start(number, cycle),
        }
    }

    /// A wave of the compute unit executed a step with this outcome. It is ready again at cycle `ready`.
    pub(crate) fn executed(&mut self, wave: u32, issued: Issued<'_>, outcome: Outcome, ready: u64) {
        let Issued { number, step, wanted, cycle, cost, penalty } = issued;
        let (held, of_alignment) = match outcome {
            Outcome::Jump { .. } | Outcome::Away { .. } => (u64::from(step.taken_cycles), u64::from(step.jump_penalty)),
            Outcome::NotTaken(_) => (cost - penalty, penalty + u64::from(step.untaken_penalty)),
            // The wait states of S_NOP are its own.
            Outcome::Until(_) if step.operation == Operation::Nop => (ready - cycle, penalty),
            _ => (cost - penalty, penalty),
        };
        let rest = match (outcome, step.operation) {
            (Outcome::Until(_), Operation::Sleep) => Activity::Sleep,
            (Outcome::Until(_), Operation::WaitUnits) => Activity::Dependency,
            (Outcome::Until(_), _) => Activity::Wait,
            // A flag that was written by the instruction before.
            _ => Activity::Dependency,
        };
        let parts = [
            (Activity::Dependency, wanted),
            (Activity::Arbitration, cycle),
            (Activity::Issue, cycle + held),
            (Activity::Alignment, cycle + held + of_alignment),
            (rest, ready),
        ];
        let recorded = &mut self.waves[wave as usize];
        recorded.issued = number;
        match &mut self.kept {
            Kept::Totals(totals) => {
                let mut spender = totals.spender(wave, number);
                if step.operation != Operation::Leave {
                    spender.execute();
                }
                if let Outcome::Local { conflict_cycles } = outcome {
                    spender.conflict(conflict_cycles);
                }
                for (activity, until) in parts {
                    recorded.advance(until).into_iter().for_each(|cycles| spender.spend(activity, cycles));
                }
            }
            Kept::Spans(spans) => {
                spans.execute(wave, number, cycle);
                for (activity, until) in parts {
                    let span = |cycles| Span { step: number, activity, cycles };
                    recorded.advance(until).into_iter().for_each(|cycles| spans.spend(wave, span(cycles)));
                }
            }
        }
    }

    /// A wave's time up to `until`, as far as it is not recorded, was spent on the step of this number.
    pub(crate) fn spend(&mut self, wave: u32, step: u32, activity: Activity, until: u64) {
        let recorded = &mut self.waves[wave as usize];
        let Some(cycles) = recorded.advance(until) else { return };
        match &mut self.kept {
            Kept::Spans(spans) => spans.spend(wave, Span { step, activity, cycles }),
            Kept::Totals(totals) => totals.spender(wave, step).spend(activity, cycles),
        }
    }

    /// Likewise for the instruction that the wave issued last.
    pub(crate) fn spend_on_issued(&mut self, wave: u32, activity: Activity, until: u64) {
        self.spend(wave, self.waves[wave as usize].issued, activity, until);
    }
}
