//! Hazards that exist only if a third instruction lies between the two: what it leaves to consumers does not depend on the producer.

use std::collections::{HashMap, HashSet};

use super::class::Written;
use super::table::Hazard;
use super::walk::Code;

/// The consumers that were looked for so far, by the row and the step that lies between.
#[derive(Debug, Default)]
pub(super) struct Between {
    consumers: HashMap<(&'static str, usize), Option<usize>>,
}

impl Between {
    /// The first consumer of what a step leaves, on any path from there.
    pub(super) fn consumer(
        &mut self,
        code: &Code,
        row: &'static Hazard,
        leaves: Written,
        through: usize,
    ) -> Option<usize> {
        if let Some(known) = self.consumers.get(&(row.id.as_str(), through)) {
            return *known;
        }
        let found = self.first(code, row, leaves, through);
        self.consumers.insert((&row.id, through), found);
        found
    }

    fn first(&self, code: &Code, row: &'static Hazard, leaves: Written, through: usize) -> Option<usize> {
        let former = code.facts(through);
        let mut seen = HashSet::new();
        let mut paths: Vec<usize> = code.steps[through].next().collect();
        while let Some(step) = paths.pop() {
            if code.is_branch_target(step) && !seen.insert(step) {
                continue;
            }
            let facts = code.facts(step);
            if facts.is(row.consumer) && facts.wants(row.reads, former, leaves) {
                return Some(step);
            }
            if row.ended_by.iter().any(|class| facts.is(*class)) {
                continue;
            }
            // The same instruction leaves the same: where its consumer is known, the path ends there.
            let is_same = code.steps[step].facts == code.steps[through].facts;
            match self.consumers.get(&(row.id.as_str(), step)).filter(|_| is_same) {
                Some(Some(consumer)) => return Some(*consumer),
                Some(None) => {}
                None => paths.extend(code.steps[step].next()),
            }
        }
        None
    }
}
