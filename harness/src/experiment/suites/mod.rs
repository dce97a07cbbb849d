//! The suites about cases that are no instruction's own timings: a file for each, its line in the list, and its value in [`Suite`].

mod contention;
mod issue;
mod lds;
mod matrix;
mod occupancy;
mod pairs;
mod scheduling;
mod semantics;
mod units;

use crate::experiment::measurement::Measurement;
use crate::experiment::options::Suite;
use crate::experiment::plan::Plan;

/// Adds a suite's experiments.
pub(super) type Part = fn(&mut Plan, Measurement<'_>);

/// The suites in the order of a run.
pub(super) const PARTS: &[(Suite, Part)] = &[
    (Suite::Lds, Plan::lane_groups),
    (Suite::Scheduling, Plan::scheduling),
    (Suite::Occupancy, Plan::occupancy),
    (Suite::Matrix, Plan::matrix),
    (Suite::Units, Plan::units),
    (Suite::Pairs, Plan::pairs),
    (Suite::Contention, Plan::contention),
    (Suite::Semantics, Plan::semantics),
];
