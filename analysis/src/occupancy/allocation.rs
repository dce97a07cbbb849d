//! How a resource is given out: how much there is, and in which granules.

use super::residence::{ResidenceRow, Resource};
use crate::rules::divisor;
use crate::tables::{AllocationRecord, Tabled};

/// A row of `allocation.csv`: what the steps of a sweep say of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// The resource.
    pub resource: Resource,
    /// What was asked for was a multiple of this: a finer granule looks the same.
    pub step: u32,
    /// Granules, multiples of the step, with which every number of waves is explained; of several, the sweep cannot tell which.
    pub granules: Vec<u32>,
    /// Least and most that there can be of it in a SIMD (LDS: in a compute unit), over all of these granules; the most is
    /// absent where nothing bounds it.
    pub total: (u32, Option<u32>),
}

impl Tabled for Allocation {
    type Record = AllocationRecord;

    fn records(&self) -> impl Iterator<Item = AllocationRecord> {
        let granules: Vec<String> = self.granules.iter().map(u32::to_string).collect();
        std::iter::once(AllocationRecord {
            resource: self.resource.to_string(),
            granule: granules.join(" "),
            asked_in_steps_of: self.step,
            total_low: self.total.0,
            total_high: self.total.1,
        })
    }
}

/// The most granules, in steps, that are tried.
const MOST_STEPS: u32 = 64;

impl Allocation {
    /// The granule, if there is one answer and the sweep was finer than it.
    pub fn granule(&self) -> Option<u32> {
        match self.granules[..] {
            [granule] => Some(granule),
            _ => None,
        }
    }

    /// What the rows of a resource's sweep say; `None` if they are fewer than two, or all alike.
    ///
    /// With a total T and a granule g there are `min(limit, T / roundup(amount, g))` waves (groups, for LDS). Every g is tried for
    /// which one T explains all rows. The limit of the wave slots is whatever the most waves of the sweep are: there T only has a
    /// lower bound.
    pub(super) fn of(resource: Resource, rows: &[ResidenceRow]) -> Option<Self> {
        let mut found: Vec<(u32, u32)> = rows
            .iter()
            .filter(|row| row.resource == resource)
            .filter_map(|row| Some((row.amount, row.holders()?)))
            .collect();
        found.sort_unstable();
        let step = found.iter().map(|(amount, _)| *amount).reduce(divisor)?;
        let most = found.iter().map(|(_, holders)| *holders).max()?;
        if found.iter().all(|(_, holders)| *holders == most) {
            return None;
        }
        let explained: Vec<(u32, (u32, Option<u32>))> = (1..=MOST_STEPS)
            .map(|steps| steps * step)
            .filter_map(|granule| Some((granule, total(&found, granule, most)?)))
            .collect();
        let low = explained.iter().map(|(_, (low, _))| *low).min()?;
        let high = explained.iter().map(|(_, (_, high))| *high).max_by_key(|high| high.unwrap_or(u32::MAX)).flatten();
        let granules = explained.iter().map(|(granule, _)| *granule).collect();
        Some(Self { resource, step, granules, total: (low, high) })
    }
}

/// The least and the most of the resource that explain all rows with this granule; `None` if nothing does.
fn total(rows: &[(u32, u32)], granule: u32, limit: u32) -> Option<(u32, Option<u32>)> {
    let mut bounds = (0, u32::MAX);
    for &(amount, holders) in rows {
        let taken = amount.next_multiple_of(granule);
        bounds.0 = bounds.0.max(holders * taken);
        if holders < limit {
            bounds.1 = bounds.1.min((holders + 1) * taken - 1);
        }
    }
    (bounds.0 <= bounds.1).then_some((bounds.0, (bounds.1 < u32::MAX).then_some(bounds.1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settle::Status;
    use crate::settle::Tally;

    fn sweep(total: u32, granule: u32, limit: u32, amounts: impl Iterator<Item = u32>) -> Option<Allocation> {
        let row = |amount: u32| ResidenceRow {
            experiment: String::new(),
            resource: Resource::Vgprs,
            amount,
            waves_per_simd: Some((total / amount.next_multiple_of(granule)).min(limit)),
            waves_per_compute_unit: None,
            tally: Tally::default(),
            status: Status::Ok,
            detail: String::new(),
        };
        Allocation::of(Resource::Vgprs, &amounts.map(row).collect::<Vec<_>>())
    }

    #[test]
    fn granule_and_total_are_found_again() {
        for (total, granule, limit) in [(256, 4, 10), (256, 8, 10), (512, 8, 8), (320, 16, 10), (200, 4, 10)] {
            let found = sweep(total, granule, limit, (24..=256).step_by(4)).unwrap();
            assert_eq!(found.granule(), Some(granule), "{found:?}");
            let (low, high) = found.total;
            assert!(low <= total && high.is_some_and(|high| total <= high && high - low < 2 * granule), "{found:?}");
        }
    }

    #[test]
    fn a_sweep_without_steps_says_nothing() {
        assert_eq!(sweep(4096, 4, 10, (24..=256).step_by(4)), None);
    }

    #[test]
    fn what_cannot_be_told_apart_is_not_told() {
        let found = sweep(800, 16, 10, [80, 112].into_iter()).unwrap();
        assert!(found.granule().is_none() && found.granules.contains(&16), "{found:?}");
    }
}
