//! The one hazard of four instructions: a vector instruction reads a register that was written before a change of EXEC, and another that was
//! written after it.

use std::collections::HashSet;

use super::class::{Class, Written};
use super::table::Hazard;
use super::vectors::Vectors;
use super::walk::Code;

/// The instructions after the producer so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct PathState {
    step: usize,
    /// The remaining registers of the producer.
    older: Vectors,
    /// Vector instructions before the newer one, which are neither of the two.
    between: u32,
    /// The scalar instruction that wrote EXEC.
    exec: Option<usize>,
    /// The registers that a vector instruction wrote after that, and the number of such instructions after it.
    newer: Option<(Vectors, u32)>,
}

/// Where the hazard is met that begins at a step: the change of EXEC, and the instruction that reads both. `limits` are the most vector
/// instructions between the two that write, and the most after them.
///
/// Source: LLVM 22.1 `GCNHazardRecognizer.cpp`, `fixVALUPartialForwardingHazard`.
pub(super) fn met(code: &Code, start: usize, row: &Hazard, limits: &[u32]) -> Option<(usize, usize)> {
    let &[most_between, most_behind] = limits else { return None };
    let older = code.facts(start).vectors_written;
    let first = code.steps[start].next();
    let mut paths: Vec<PathState> =
        first.map(|step| PathState { step, older, between: 0, exec: None, newer: None }).collect();
    let mut seen = HashSet::new();
    while let Some(path) = paths.pop() {
        let is_over = path.between > most_between || path.newer.is_some_and(|(_, behind)| behind > most_behind);
        if is_over || path.older.is_empty() || code.is_branch_target(path.step) && !seen.insert(path) {
            continue;
        }
        let facts = code.facts(path.step);
        let is_valu = facts.is(row.consumer);
        if let (Some(exec), Some((newer, _))) = (path.exec, path.newer) {
            let reads = &facts.vectors_read;
            if is_valu && reads.meets(&path.older) && reads.meets(&newer) {
                return Some((exec, path.step));
            }
        }
        if row.ended_by.iter().any(|class| facts.is(*class)) {
            continue;
        }
        let mut go_on =
            |path: PathState| paths.extend(code.steps[path.step].next().map(|step| PathState { step, ..path }));
        if !is_valu {
            let changes = path.exec.is_none() && facts.is(Class::Salu) && facts.writes(Written::Exec);
            go_on(PathState { exec: path.exec.or(changes.then_some(path.step)), ..path });
            continue;
        }
        let written = &facts.vectors_written;
        let older = path.older.without(written);
        match path.newer {
            Some((newer, behind)) => {
                go_on(PathState { older, newer: Some((newer.without(written), behind + 1)), ..path });
            }
            None => {
                if path.exec.is_some() && !written.is_empty() {
                    go_on(PathState { older, newer: Some((*written, 0)), ..path });
                }
                go_on(PathState { older, between: path.between + 1, ..path });
            }
        }
    }
    None
}
