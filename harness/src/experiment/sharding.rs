//! Which experiments of a plan a shard measures.

use std::collections::HashMap;

use gcn_model::record::ExperimentKind;

use super::planned::Experiment;
use super::shard::{Shard, ShardError};

impl Shard {
    /// Places of its experiments in the plan: the fillers, which each shard's own estimates rest on, and a stretch of the others with
    /// about as many launches as those of the other shards have.
    ///
    /// # Errors
    /// [`ShardError::TooMany`].
    pub fn places(self, experiments: &[Experiment]) -> Result<Vec<usize>, ShardError> {
        let is_filler = |place: &usize| experiments[*place].record.kind == ExperimentKind::Filler;
        let groups = groups(experiments);
        if groups.len() < self.of() as usize {
            return Err(ShardError::TooMany { shard: self, groups: groups.len() });
        }
        let mut places: Vec<usize> = (0..experiments.len()).filter(is_filler).collect();
        // An experiment without launches takes its time, too: a row is written.
        let weight = |group: &Vec<usize>| -> u64 {
            group.iter().map(|&place| 1 + 8 * experiments[place].launches.len() as u64).sum()
        };
        let whole: u64 = groups.iter().map(weight).sum();
        let (mut before, mut shard) = (0, 0);
        for (index, group) in groups.iter().enumerate() {
            // The next shard begins where its share of the weight does, or where each group that is left is needed for one.
            let is_due = before * u64::from(self.of()) >= whole * u64::from(shard);
            let is_last_chance = groups.len() - index <= (self.of() - shard) as usize;
            if shard < self.of() && (is_due || is_last_chance) {
                shard += 1;
            }
            if shard == self.index() {
                places.extend(group);
            }
            before += weight(group);
        }
        Ok(places)
    }
}

/// The experiments except the fillers, in groups that stay together: those of an instruction, and those with their baseline.
fn groups(experiments: &[Experiment]) -> Vec<Vec<usize>> {
    let ids: HashMap<&str, usize> =
        (0..).zip(experiments).map(|(place, experiment)| (experiment.record.experiment.as_str(), place)).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, experiment) in experiments.iter().enumerate() {
        let record = &experiment.record;
        if record.kind == ExperimentKind::Filler {
            continue;
        }
        let joins = |group: &Vec<usize>| {
            let last = group.last().map(|&last| &experiments[last].record);
            let is_of_one = last.is_some_and(|last| last.instruction == record.instruction && last.rule == record.rule);
            let baseline = ids.get(record.baseline.as_str());
            is_of_one || baseline.is_some_and(|baseline| group.first().is_some_and(|first| first <= baseline))
        };
        match groups.last_mut() {
            Some(group) if joins(group) => group.push(place),
            _ => groups.push(vec![place]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Device, SimulatedDevice};
    use crate::experiment::{MeasureOptions, Plan};
    use gcn_model::gpu::Gpu;

    #[test]
    fn shards_have_each_experiment_once_and_the_fillers_all() {
        let device = SimulatedDevice::new("sim:fiji", &Gpu::named("fiji").unwrap());
        let plan = Plan::new(device.information(), &MeasureOptions::default());
        let groups = groups(&plan.experiments);
        let is_filler = |place: &usize| plan.experiments[*place].record.kind == ExperimentKind::Filler;
        let fillers = (0..plan.experiments.len()).filter(is_filler).count();
        for of in [1, 2, 3, 4, 7, 64] {
            let shards: Vec<_> =
                (1..=of).map(|index| Shard::new(index, of).unwrap().places(&plan.experiments).unwrap()).collect();
            let mut all: Vec<usize> = shards.iter().flatten().filter(|place| !is_filler(place)).copied().collect();
            assert!(all.is_sorted(), "in the order of the plan");
            all.dedup();
            assert_eq!(all.len(), plan.experiments.len() - fillers, "{of}: none is missing");
            for group in &groups {
                let has = |shard: &&Vec<usize>| group.iter().any(|place| shard.contains(place));
                assert_eq!(shards.iter().filter(has).count(), 1, "{of}: a group stays together");
            }
            let launches = |shard: &Vec<usize>| -> usize {
                shard.iter().map(|&place| plan.experiments[place].launches.len()).sum()
            };
            let (least, most) =
                (shards.iter().map(launches).min().unwrap(), shards.iter().map(launches).max().unwrap());
            assert!(of > 7 || most < least + least / 3, "{of}: {least} to {most} launches");
        }
        let of = groups.len() as u32 + 1;
        let error = Shard::new(1, of).unwrap().places(&plan.experiments).unwrap_err();
        assert!(matches!(error, ShardError::TooMany { .. }), "{error}");
    }
}
