//! In which order a run tries the experiments of its plan, and the numbers of their launches.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use gcn_model::record::{ExperimentKind, ExperimentRecord, ShardRecord};
use sha2::{Digest, Sha256};

use crate::experiment::{Experiment, MeasureOptions, Phase, Plan, Shard, ShardError};

/// Rounds in which what does not settle is measured again, where no time is set for that.
const AGAIN: u32 = 3;
/// Likewise with one: an experiment that has not settled then never will.
const AGAIN_IN_TIME: u32 = 30;

/// The order of a run: sweeps through the whole plan, rounds in which some of it is measured again, and one for dangerous instructions.
///
/// Each round has an order of its own, so that a card that gets warm, or a clock that steps, disturbs no kind of experiment more than
/// another. The number of a launch depends on nothing but the plan, the seed and the round: a run that was cut off and resumed,
/// and the shards of a run, number their launches as the whole run in one go does.
#[derive(Debug, Clone)]
pub(super) struct Schedule<'p> {
    plan: &'p Plan,
    /// Whether an experiment of the plan is this run's, for each of them.
    is_own: Vec<bool>,
    seed: u64,
    sweeps: u32,
    again: u32,
    /// Launches of the plan.
    launches: u64,
}

/// The order of a round.
#[derive(Debug, Clone)]
pub(super) struct Round {
    /// Counted from 0.
    pub(super) number: u32,
    /// Places in the plan of this run's experiments.
    places: Vec<usize>,
    /// Number of the first launch of each experiment of the plan.
    firsts: Vec<u64>,
    /// How many times longer than planned loops run, by their experiment's place.
    longer: HashMap<usize, u32>,
}

impl<'p> Schedule<'p> {
    /// The order in which a plan, or a shard of it, is tried.
    ///
    /// # Errors
    /// More shards than there can be.
    pub(super) fn new(plan: &'p Plan, options: &MeasureOptions) -> Result<Self, ShardError> {
        let mut is_own = vec![options.shard.is_none(); plan.experiments.len()];
        if let Some(shard) = options.shard {
            shard.places(&plan.experiments)?.into_iter().for_each(|place| is_own[place] = true);
        }
        Ok(Self {
            plan,
            is_own,
            seed: options.seed,
            sweeps: options.sweeps.max(1),
            again: if options.budget.is_some() { AGAIN_IN_TIME } else { AGAIN },
            launches: plan.experiments.iter().map(|experiment| experiment.launches.len() as u64).sum(),
        })
    }

    /// Whether an experiment of the plan is this run's, by its place.
    pub(super) fn is_own(&self, place: usize) -> bool {
        self.is_own[place]
    }

    /// Experiments of this run.
    pub(super) fn experiments(&self) -> usize {
        self.is_own.iter().filter(|&&is_own| is_own).count()
    }

    /// Numbers of the rounds that go through the whole plan.
    pub(super) fn sweeps(&self) -> std::ops::Range<u32> {
        0..self.sweeps
    }

    /// Numbers of the rounds in which something can be measured again.
    pub(super) fn again(&self) -> std::ops::Range<u32> {
        self.sweeps..self.last()
    }

    /// Number of the round of dangerous instructions.
    pub(super) fn last(&self) -> u32 {
        self.sweeps + self.again
    }

    /// Number of a round's first launch.
    pub(super) fn first_of_round(&self, round: u32) -> u64 {
        u64::from(round) * self.launches
    }

    /// The order of a round, with all experiments of this run that it is for.
    pub(super) fn round(&self, number: u32) -> Round {
        let mut order: Vec<usize> = (0..self.plan.experiments.len()).collect();
        order.sort_by_cached_key(|&place| rank(self.seed, number, &self.plan.experiments[place].record));
        let mut firsts = vec![0; order.len()];
        let mut next = self.first_of_round(number);
        for &place in &order {
            firsts[place] = next;
            next += self.plan.experiments[place].launches.len() as u64;
        }
        let has_turn = |experiment: &Experiment| match experiment.phase {
            Phase::Last => number == self.last(),
            _ if number == 0 => true,
            Phase::Once => self.again().contains(&number),
            Phase::EachSweep => number != self.last() && !experiment.launches.is_empty(),
        };
        order.retain(|&place| self.is_own[place] && has_turn(&self.plan.experiments[place]));
        Round { number, places: order, firsts, longer: HashMap::new() }
    }

    /// What `run.json` keeps of a shard.
    pub(super) fn record(&self, shard: Shard) -> ShardRecord {
        ShardRecord { index: shard.index(), of: shard.of(), experiments: self.plan.experiments.len() as u64 }
    }
}

impl Round {
    /// Places in the plan, in the order of the round.
    pub(super) fn places(&self) -> &[usize] {
        &self.places
    }

    /// The same round with some of its experiments only.
    pub(super) fn only(mut self, is_wanted: impl Fn(usize) -> bool) -> Self {
        self.places.retain(|&place| is_wanted(place));
        self
    }

    /// The same round with loops that run this many times longer, by the place of their experiment.
    pub(super) fn lengthened(mut self, longer: impl Fn(usize) -> u32) -> Self {
        self.longer = self.places.iter().map(|&place| (place, longer(place))).collect();
        self
    }

    /// How many times longer than planned an experiment's loops run.
    pub(super) fn longer(&self, place: usize) -> u32 {
        self.longer.get(&place).copied().unwrap_or(1)
    }

    /// Number of an experiment's first launch.
    pub(super) fn first_launch(&self, place: usize) -> u64 {
        self.firsts[place]
    }
}

/// The sort key of a round's experiments: fillers first, since estimates of all others rest on them, and then by a number
/// that the seed gives each of them. It is a digest, so that no other version of a generator of random numbers gives another order, and so
/// that keeps two experiments in the same order whatever else is measured.
pub(super) fn rank(seed: u64, round: u32, experiment: &ExperimentRecord) -> impl Ord + use<> {
    let digest = Sha256::digest(format!("{seed}/{round}/{}", experiment.experiment));
    (Reverse(is_shared(experiment.kind)), digest)
}

/// Whether an experiment is measured by each shard: estimates of others rest on it.
pub(super) fn is_shared(kind: ExperimentKind) -> bool {
    kind == ExperimentKind::Filler
}

/// Ids of the experiments that others rest on: all fillers, and the baselines that the plan's experiments name.
pub(super) fn depended_on(plan: &Plan) -> HashSet<&str> {
    let records = || plan.experiments.iter().map(|experiment| &experiment.record);
    let fillers = records().filter(|record| is_shared(record.kind)).map(|record| record.experiment.as_str());
    let baselines = records().map(|record| record.baseline.as_str()).filter(|id| !id.is_empty());
    fillers.chain(baselines).collect()
}
