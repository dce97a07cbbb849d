//! The way of a wave through a block.

use crate::lower::micro_op::MicroOp;
use crate::lower::operation::Operation;

/// The steps that a wave reaches, and those at which it takes a conditional jump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path {
    on_it: Vec<bool>,
    taken: Vec<bool>,
}

impl Path {
    /// The way through the steps of a block to the jump that closes it, or else to its end. A conditional jump is taken only where
    /// nothing else leads there.
    ///
    /// # Errors
    /// None exists: the step at which a wave that takes no conditional jump gets stuck.
    pub(super) fn through(steps: &[MicroOp], edge: Option<usize>) -> Result<Self, usize> {
        let to_edge = edge.and_then(|edge| Self::to(steps, edge));
        to_edge.or_else(|| Self::to(steps, steps.len())).ok_or_else(|| stuck(steps))
    }

    /// Whether a wave reaches a step.
    pub(super) fn has(&self, step: usize) -> bool {
        self.on_it[step]
    }

    /// Whether it takes the jump there.
    pub(super) fn takes(&self, step: usize) -> bool {
        self.taken[step]
    }

    /// Searches in depth: the path without taken conditional jumps is tried first, and each step once.
    fn to(steps: &[MicroOp], goal: usize) -> Option<Self> {
        let mut seen = vec![false; steps.len() + 1];
        let mut way = vec![(0, choices(steps, 0))];
        seen[0] = true;
        while let Some((step, left)) = way.last_mut() {
            if *step == goal {
                break;
            }
            let Some(next) = left.iter_mut().find_map(Option::take) else {
                way.pop();
                continue;
            };
            if !std::mem::replace(&mut seen[next], true) {
                way.push((next, choices(steps, next)));
            }
        }
        let (last, before) = way.split_last()?;
        let mut path = Self { on_it: vec![false; steps.len()], taken: vec![false; steps.len()] };
        for (at, (step, _)) in before.iter().enumerate() {
            path.on_it[*step] = true;
            let next = before.get(at + 1).unwrap_or(last).0;
            path.taken[*step] = matches!(steps[*step].operation, Operation::ConditionalBranch(_)) && next != step + 1;
        }
        if let Some(on_it) = path.on_it.get_mut(goal) {
            *on_it = true;
        }
        Some(path)
    }
}

/// Where a wave may go from a step, inside of the block or to its end; the first is preferred.
fn choices(steps: &[MicroOp], step: usize) -> [Option<usize>; 2] {
    let Some(at) = steps.get(step) else { return [None; 2] };
    let inside = |target: u32| Some(target as usize).filter(|target| *target <= steps.len());
    match at.operation {
        Operation::Branch => [inside(at.target), None],
        Operation::ConditionalBranch(_) => [Some(step + 1), inside(at.target)],
        // One that is the last is the end of the block.
        Operation::EndProgram if step + 1 < steps.len() => [None; 2],
        // Instructions that no block can have are passed, so that the block is refused and not avoided.
        _ => [Some(step + 1), None],
    }
}

fn stuck(steps: &[MicroOp]) -> usize {
    let mut step = 0;
    while let [Some(next), _] = choices(steps, step) {
        if next <= step {
            break;
        }
        step = next;
    }
    step
}
