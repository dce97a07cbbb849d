//! Hazards that S_NOPs do not end: they last until an instruction of some class ends them, or enough of a class have passed, and
//! some of them exist only if a third instruction lies between the two.

use std::collections::HashSet;

use super::class::Wanted;
use super::forwarding;
use super::table::Hazard;
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

/// Where a hazard that begins at a step is met before it ends, on any path from there; `limits` are how many of each counted class are
/// enough.
pub(super) fn met(code: &Code, start: usize, row: &Hazard, limits: &[u32]) -> Option<Met> {
    if row.reads == Wanted::VgprBesideNewer {
        let (exec, consumer) = forwarding::met(code, start, row, limits)?;
        return Some(Met { through: Some(exec), consumer });
    }
    let producer = code.facts(start);
    let mut seen = HashSet::new();
    let first = code.steps[start].next.iter();
    let mut paths: Vec<PathState> =
        first.map(|&step| PathState { step, counts: [0; MOST_COUNTED], through: None }).collect();
    while let Some(path) = paths.pop() {
        let is_enough = limits.iter().zip(path.counts).any(|(limit, count)| count >= *limit);
        if is_enough || !seen.insert(path) {
            continue;
        }
        let facts = code.facts(path.step);
        let mut counts = path.counts;
        for (count, class) in counts.iter_mut().zip(&row.counted) {
            *count += u32::from(facts.is(*class));
        }
        if row.counted.is_empty() && !limits.is_empty() {
            counts[0] += facts.states;
        }
        let mut go_on =
            |through| paths.extend(code.steps[path.step].next.iter().map(|&step| PathState { step, counts, through }));
        // The same instruction again is where the hazard begins anew.
        let is_again = path.through.is_none() && code.steps[path.step].facts == code.steps[start].facts;
        if let (Some(class), Some(finds), None) = (row.through, row.finds, path.through) {
            if facts.is(class) && facts.wants(finds, producer, row.writes) {
                go_on(Some(path.step));
            }
            if !is_again && !row.forgotten_by.iter().any(|class| facts.is(*class)) {
                go_on(None);
            }
            continue;
        }
        let (former, written) = match (path.through, row.leaves) {
            (Some(through), Some(leaves)) => (code.facts(through), leaves),
            _ => (producer, row.writes),
        };
        if facts.is(row.consumer) && facts.wants(row.reads, former, written) {
            return Some(Met { through: path.through, consumer: path.step });
        }
        if !is_again && !row.ended_by.iter().any(|class| facts.is(*class)) {
            go_on(path.through);
        }
    }
    None
}
