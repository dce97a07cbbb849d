//! Which experiments of the plan a run tries, in which order, and the numbers of their launches.

use gcn_model::record::{ExperimentKind, ShardRecord};

use crate::experiment::{Experiment, Plan, Shard, ShardError};

/// The order of a run.
///
/// The number of a launch depends on nothing but the plan and how often the experiment was tried: a run that was cut off and gone on
/// with, and the shards of a run, number their launches as the whole run in one go does.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    /// Places in the plan.
    places: Vec<usize>,
    /// Number of the first launch of each experiment of the plan.
    firsts: Vec<u64>,
    /// Launches of the plan.
    launches: u64,
}

impl Schedule {
    /// The order in which a plan, or a shard of it, is tried.
    ///
    /// # Errors
    /// More shards than there can be.
    pub(super) fn new(plan: &Plan, shard: Option<Shard>) -> Result<Self, ShardError> {
        let places = match shard {
            Some(shard) => shard.places(&plan.experiments)?,
            None => (0..plan.experiments.len()).collect(),
        };
        let mut launches = 0;
        let mut first = |experiment: &Experiment| {
            let first = launches;
            launches += experiment.launches.len() as u64;
            first
        };
        let firsts = plan.experiments.iter().map(&mut first).collect();
        Ok(Self { places, firsts, launches })
    }

    /// Places in the plan, in the order of the run.
    pub(super) fn places(&self) -> &[usize] {
        &self.places
    }

    /// Number of an experiment's first launch in a round.
    pub(super) fn first_launch(&self, round: u32, place: usize) -> u64 {
        self.first_of_round(round) + self.firsts[place]
    }

    /// Number of a round's first launch.
    pub(super) fn first_of_round(&self, round: u32) -> u64 {
        u64::from(round) * self.launches
    }

    /// What `run.json` keeps of a shard.
    pub(super) fn record(&self, shard: Shard) -> ShardRecord {
        let mut places: Vec<(u64, u64)> = Vec::new();
        for &place in &self.places {
            match places.last_mut() {
                Some((first, count)) if *first + *count == place as u64 => *count += 1,
                _ => places.push((place as u64, 1)),
            }
        }
        ShardRecord { index: shard.index(), of: shard.of(), experiments: self.firsts.len() as u64, places }
    }
}

/// Whether an experiment is measured by each shard: estimates of others rest on it.
pub(super) fn is_shared(kind: ExperimentKind) -> bool {
    kind == ExperimentKind::Filler
}
