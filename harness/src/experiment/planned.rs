//! A planned experiment: its row, its launches, when it is tried, and for which suite.

use std::ops::Range;

use gcn_model::record::ExperimentRecord;

use super::options::Suite;

/// One launch of an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedLaunch {
    /// Index of the kernel in the plan.
    pub kernel: usize,
    /// Work-groups.
    pub groups: u32,
    /// Work-items of a group.
    pub group_size: u32,
    /// LDS of a group: steers how many groups share a compute unit.
    pub lds_bytes: u32,
}

/// An experiment and its launches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experiment {
    /// Its row of `experiments.csv`; the status is that of success.
    pub record: ExperimentRecord,
    /// Its launches each time that it is tried, in order; none if it is skipped.
    pub launches: Vec<PlannedLaunch>,
    /// When it is tried.
    pub phase: Phase,
}

/// When an experiment is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// In each sweep through the plan.
    EachSweep,
    /// In the first sweep only: one launch tells all that there is.
    Once,
    /// Behind everything else and in a process of its own, since it can hang the card or damage data.
    Last,
}

/// A stretch of a plan that one suite asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanPart {
    pub suite: Suite,
    /// Its experiments, by their places.
    pub experiments: Range<usize>,
}
