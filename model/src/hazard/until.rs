//! Hazards that S_NOPs do not end: they last until an instruction of some class ends them, or enough of a class have passed.

use std::collections::HashSet;

use super::between::Between;
use super::class::Wanted;
use super::facts::Facts;
use super::forwarding;
use super::table::{Hazard, Rule};
use super::walk::Code;

/// The most classes that a hazard counts.
const MOST_COUNTED: usize = 2;

/// Where a hazard is met.
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
}

/// What an instruction does to a hazard.
#[derive(Debug, Clone, Copy)]
struct Role {
    /// How much it adds for each counted class.
    counts: [u32; MOST_COUNTED],
    /// Whether it wants what the producer wrote: a consumer, or what has to lie between the two.
    wants: bool,
    /// Whether it ends the hazard.
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
        let (class, wanted, ended_by) = match row.through.zip(row.finds) {
            Some((through, finds)) => (through, finds, &row.forgotten_by),
            None => (row.consumer, row.reads, &row.ended_by),
        };
        Self {
            counts,
            wants: facts.is(class) && facts.wants(wanted, producer, row.writes),
            ends: ended_by.iter().any(|class| facts.is(*class)),
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
    /// Steps to look at, each with the wait states before it: kept for its memory.
    paths: Vec<(usize, u32)>,
}

impl<'c> Open<'c> {
    pub(super) fn new(code: &Code, producer: &'c Facts, rule: Rule, limits: Vec<u32>) -> Self {
        Self { producer, rule, limits, roles: vec![None; code.facts.len()], paths: Vec::new() }
    }

    fn role(&mut self, code: &Code, facts: usize) -> Role {
        *self.roles[facts].get_or_insert_with(|| Role::of(&code.facts[facts], self.producer, self.rule.0, &self.limits))
    }

    /// The first consumer that comes before the wait states of the limit have passed, with those before it.
    pub(super) fn too_close(&mut self, code: &Code, start: usize) -> Option<(usize, u32)> {
        let waits = *self.limits.first()?;
        let mut paths = std::mem::take(&mut self.paths);
        paths.clear();
        paths.extend(code.steps[start].next().map(|next| (next, 0)));
        let mut found = None;
        while let Some((at, states)) = paths.pop() {
            if states >= waits {
                continue;
            }
            let step = &code.steps[at];
            if self.role(code, step.facts).wants {
                found = Some((at, states));
                break;
            }
            let states = states + code.facts[step.facts].states;
            paths.extend(step.next().map(|next| (next, states)));
        }
        self.paths = paths;
        found
    }

    /// Where the hazard is met before it ends, on any path from a step that begins it.
    pub(super) fn met(&mut self, code: &Code, start: usize, between: &mut Between) -> Option<Met> {
        let row = self.rule.0;
        if row.reads == Wanted::VgprBesideNewer {
            let (exec, consumer) = forwarding::met(code, start, row, &self.limits)?;
            return Some(Met { through: Some(exec), consumer });
        }
        if let Some(leaves) = row.leaves {
            let throughs = self.found(code, start, true);
            // The last one first: what it leaves is known where an earlier one of the same words is asked.
            return throughs.into_iter().rev().find_map(|through| {
                let consumer = between.consumer(code, row, leaves, through)?;
                Some(Met { through: Some(through), consumer })
            });
        }
        let consumer = self.found(code, start, false).pop()?;
        Some(Met { through: None, consumer })
    }

    /// The steps that want what the producer at a step wrote before the hazard ends: all of them, or the first.
    fn found(&mut self, code: &Code, start: usize, all: bool) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let first = code.steps[start].next();
        let mut paths: Vec<PathState> = first.map(|step| PathState { step, counts: [0; MOST_COUNTED] }).collect();
        while let Some(path) = paths.pop() {
            let is_enough = self.limits.iter().zip(path.counts).any(|(limit, count)| count >= *limit);
            if is_enough || code.is_branch_target(path.step) && !seen.insert(path) {
                continue;
            }
            let step = &code.steps[path.step];
            let role = self.role(code, step.facts);
            if role.wants {
                found.push(path.step);
                if !all {
                    break;
                }
            }
            // The same instruction again is where the hazard begins anew.
            if role.ends || step.facts == code.steps[start].facts {
                continue;
            }
            let counts = [0, 1].map(|class| path.counts[class] + role.counts[class]);
            paths.extend(step.next().map(|step| PathState { step, counts }));
        }
        found
    }
}
