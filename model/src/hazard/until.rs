//! Hazards that S_NOPs do not end: they last until an instruction of some class ends them, or enough of a class have passed, and
//! some of them exist only if a third instruction lies between the two.

use std::collections::HashSet;

use super::class::Wanted;
use super::facts::Facts;
use super::forwarding;
use super::table::{Hazard, Rule};
use super::walk::Code;

/// The most classes that a hazard counts.
const MOST_COUNTED: usize = 2;

/// What ends where a hazard is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Met {
    /// The step that lies between, where the hazard needs one.
    pub(super) through: Option<usize>,
    pub(super) consumer: usize,
}

/// A path from the producer on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct PathState {
    step: usize,
    /// The number of instructions after it, for each counted class.
    counts: [u32; MOST_COUNTED],
    through: Option<usize>,
}

/// What an instruction does to a hazard.
#[derive(Debug, Clone, Copy)]
struct Role {
    /// How much it adds for each counted class.
    counts: [u32; MOST_COUNTED],
    /// Whether it may lie between the two, where the hazard needs such an instruction.
    is_through: bool,
    /// Whether it ends the hazard before such an instruction.
    forgets: bool,
    /// Whether it is a consumer that wants what the producer wrote.
    is_consumer: bool,
    ends: bool,
}

impl Role {
    fn of(facts: &Facts, producer: &Facts, row: &Hazard, limits: &[u32]) -> Self {
        let mut counts = [0; MOST_COUNTED];
        for (count, class) in counts.iter_mut().zip(&row.counted) {
            *count = u32::from(facts.is(*class));
        }
        if row.counted.is_empty() && !limits.is_empty() {
            counts[0] = facts.states;
        }
        let wants = |class, wanted| facts.is(class) && facts.wants(wanted, producer, row.writes);
        Self {
            counts,
            is_through: row.through.zip(row.finds).is_some_and(|(class, finds)| wants(class, finds)),
            forgets: row.forgotten_by.iter().any(|class| facts.is(*class)),
            is_consumer: wants(row.consumer, row.reads),
            ends: row.ended_by.iter().any(|class| facts.is(*class)),
        }
    }
}

/// A hazard that an instruction may begin.
#[derive(Debug)]
pub(super) struct Open<'c> {
    producer: &'c Facts,
    pub(super) rule: Rule,
    /// The number of each counted class that is enough.
    pub(super) limits: Vec<u32>,
    /// By place among the facts of the code; each is worked out where a path first meets it.
    roles: Vec<Option<Role>>,
}

impl<'c> Open<'c> {
    pub(super) fn new(code: &Code, producer: &'c Facts, rule: Rule, limits: Vec<u32>) -> Self {
        Self { producer, rule, limits, roles: vec![None; code.facts.len()] }
    }

    fn role(&mut self, code: &Code, facts: usize) -> Role {
        *self.roles[facts].get_or_insert_with(|| Role::of(&code.facts[facts], self.producer, self.rule.0, &self.limits))
    }

    /// Where the hazard is met before it ends, on any path from a step that begins it.
    pub(super) fn met(&mut self, code: &Code, start: usize) -> Option<Met> {
        let row = self.rule.0;
        if row.reads == Wanted::VgprBesideNewer {
            let (exec, consumer) = forwarding::met(code, start, row, &self.limits)?;
            return Some(Met { through: Some(exec), consumer });
        }
        let needs_through = row.through.is_some();
        let mut seen = HashSet::new();
        let first = code.steps[start].next.iter();
        let mut paths: Vec<PathState> =
            first.map(|&step| PathState { step, counts: [0; MOST_COUNTED], through: None }).collect();
        while let Some(path) = paths.pop() {
            let is_enough = self.limits.iter().zip(path.counts).any(|(limit, count)| count >= *limit);
            if is_enough || code.is_branch_target(path.step) && !seen.insert(path) {
                continue;
            }
            let step = &code.steps[path.step];
            let role = self.role(code, step.facts);
            let counts = [0, 1].map(|class| path.counts[class] + role.counts[class]);
            let mut continue_with =
                |through| paths.extend(step.next.iter().map(|&step| PathState { step, counts, through }));
            // The same instruction again is where the hazard begins anew.
            let is_again = path.through.is_none() && step.facts == code.steps[start].facts;
            if needs_through && path.through.is_none() {
                if role.is_through {
                    continue_with(Some(path.step));
                }
                if !is_again && !role.forgets {
                    continue_with(None);
                }
                continue;
            }
            let is_consumer = match (path.through, row.leaves) {
                (Some(through), Some(leaves)) => {
                    let facts = code.facts(path.step);
                    facts.is(row.consumer) && facts.wants(row.reads, code.facts(through), leaves)
                }
                _ => role.is_consumer,
            };
            if is_consumer {
                return Some(Met { through: path.through, consumer: path.step });
            }
            if !is_again && !role.ends {
                continue_with(path.through);
            }
        }
        None
    }
}
