//! How a resource is given out: how much there is, and in which granules.

use std::fmt;

use gcn_model::record::DeviceRecord;

use super::fit::{Fit, Held};
use super::residence::{ResidenceRow, Resource};
use crate::statistics::divisor;
use crate::tables::{Single, from_to, table};

table! { "allocation.csv":
    /// A row of `allocation.csv`: a sweep's statement about a resource.
    pub struct Allocation {
        pub resource: Resource,
        /// Granules without a 20 times as likely rival; of several, the sweep cannot tell which.
        pub granules: Vec<u32> = "granule",
        /// Granules that explain the rows as well and do not go with the steps, in which a kernel asks for a reason.
        pub uneven_granules: Vec<u32> = "uneven_granule",
        /// The requests were multiples of this: a finer granule looks the same.
        pub step: u32 = "asked_in_steps_of",
        /// Least and most that there can be of it in a SIMD (LDS: in a compute unit), over all of these granules; the most is
        /// absent where nothing bounds it.
        pub total: (u32, Option<u32>) = "total_low" "total_high",
        /// Odds of these against the best other granule; absent if all are left.
        pub odds: Option<Odds>,
    }
}

/// Odds to one, as the table has them: with a decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Odds(pub u32);

impl Single for Odds {
    const IS_NUMERIC: bool = true;

    fn text(&self) -> String {
        format!("{}.0", self.0)
    }

    fn of_text(text: &str) -> Result<Self, String> {
        f64::of_text(text).map(|odds| Self(odds as u32))
    }

    fn words(&self, _: &DeviceRecord) -> String {
        self.0.to_string()
    }
}

/// The most granules, in steps, that are tried.
const MOST_STEPS: u32 = 64;
/// Granules of LDS that are tried are multiples of this, bytes.
const LDS_UNIT: u32 = 32;
/// Odds are not printed beyond this.
const MOST_ODDS: f64 = 1e6;
/// Granules that are named one by one.
const MOST_NAMED: usize = 4;

/// A sweep's statement about a resource.
pub(super) struct Sweep {
    /// The remaining hypotheses, if any explains the rows.
    pub(super) fit: Option<Fit>,
    step: u32,
    /// Whether the amounts made a difference.
    has_steps: bool,
}

impl Sweep {
    /// Of the rows of a resource that settled; `None` without any.
    pub(super) fn of(resource: Resource, rows: &[ResidenceRow]) -> Option<Self> {
        let found: Vec<Held> = rows.iter().filter(|row| row.resource == resource).filter_map(held).collect();
        let step = found.iter().map(|row| row.amount).reduce(divisor)?;
        let has_steps = found.iter().any(|row| row.holders != found[0].holders);
        let unit = if resource.is_shared() { LDS_UNIT.min(step) } else { 1 };
        Some(Self { fit: Fit::of(&found, step, unit, MOST_STEPS * step), step, has_steps })
    }

    /// Whether the other amounts contradict a row of this resource.
    pub(super) fn contradicts(&self, row: &ResidenceRow) -> bool {
        self.fit.as_ref().zip(held(row)).is_some_and(|(fit, row)| !fit.explains(&row))
    }
}

fn held(row: &ResidenceRow) -> Option<Held> {
    Some(Held { amount: row.amount, holders: row.holders().filter(|holders| *holders > 0)?, margin: row.margin })
}

impl Allocation {
    /// The granule, if all that are left and go with the steps look like one: one, or one and its parts, which a sweep in its steps cannot tell from it.
    pub fn granule(&self) -> Option<u32> {
        let most = *self.granules.last()?;
        (self.is_alone() || self.is_or_less()).then_some(most)
    }

    fn is_alone(&self) -> bool {
        self.granules.len() == 1
    }

    /// Whether all that are left are parts of the largest, which the sweep's steps are multiples of.
    fn is_or_less(&self) -> bool {
        let most = self.granules.last().copied().unwrap_or_default();
        most > 0 && self.step.is_multiple_of(most) && self.granules.iter().all(|granule| most.is_multiple_of(*granule))
    }

    /// A sweep's statement about a resource; `None` if the rows are fewer than two, or all alike.
    pub(super) fn of(resource: Resource, sweep: &Sweep) -> Option<Self> {
        if !sweep.has_steps {
            return None;
        }
        let step = sweep.step;
        Some(match &sweep.fit {
            Some(fit) => Self {
                resource,
                step,
                granules: fit.granules(),
                uneven_granules: fit.uneven_granules(),
                odds: fit.odds.map(|odds| Odds(odds.min(MOST_ODDS).round() as u32)),
                total: fit.total(),
            },
            None => {
                Self { resource, step, granules: Vec::new(), uneven_granules: Vec::new(), odds: None, total: (0, None) }
            }
        })
    }

    /// The granules that are left, in words.
    pub(crate) fn granules_in_words(&self) -> String {
        let names = |granules: &[u32]| granules.iter().map(u32::to_string).collect::<Vec<_>>().join(" or ");
        let even = match self.granules[..] {
            [.., most] if self.is_or_less() => format!("{most} or less"),
            [] => return "undecided".to_owned(),
            _ if self.granules.len() <= MOST_NAMED => names(&self.granules),
            _ => return "undecided".to_owned(),
        };
        match self.uneven_granules.len() {
            0 => even,
            1..=MOST_NAMED => format!("{even} (or {}, against steps of {})", names(&self.uneven_granules), self.step),
            _ => format!("{even} (or others, against steps of {})", self.step),
        }
    }

    /// How much there can be of it, in words.
    pub(crate) fn total_in_words(&self) -> String {
        if self.total.0 == 0 { "an unknown amount".to_owned() } else { from_to(self.total) }
    }
}

/// `VGPRs in granules of 4 or less, 256 to 259 in all`.
impl fmt::Display for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.resource {
            Resource::Vgprs => "VGPRs",
            Resource::Sgprs => "SGPRs",
            Resource::LdsOfWave | Resource::LdsOfTwoWaves | Resource::LdsOfFourWaves => "LDS",
        };
        match self.granules_in_words().as_str() {
            "undecided" => write!(f, "{name} in granules of unknown size")?,
            granules => write!(f, "{name} in granules of {granules}")?,
        }
        write!(f, ", {} in all", self.total_in_words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(total: u32, granule: u32, limit: u32, amounts: impl Iterator<Item = u32>) -> Option<Allocation> {
        let row = |amount: u32| ResidenceRow {
            amount,
            waves_per_simd: Some((total / amount.next_multiple_of(granule)).min(limit)),
            margin: 4,
            ..ResidenceRow::default()
        };
        Allocation::of(Resource::Vgprs, &Sweep::of(Resource::Vgprs, &amounts.map(row).collect::<Vec<_>>())?)
    }

    #[test]
    fn granule_and_total_are_found_again() {
        for (total, granule, limit) in
            [(256, 4, 10), (256, 8, 10), (512, 8, 8), (320, 16, 10), (200, 4, 10), (250, 6, 10), (130, 8, 16)]
        {
            let found = sweep(total, granule, limit, (8..=256).step_by(4)).unwrap();
            assert!(found.granules.contains(&granule), "{granule}: {found:?}");
            assert!(found.granule().is_none_or(|found| found == granule), "{found:?}");
            assert!(granule == 6 || found.granule() == Some(granule), "{found}");
            let (low, high) = found.total;
            assert!(low <= total && high.is_some_and(|high| total <= high && high - low < 2 * granule), "{found:?}");
        }
    }

    #[test]
    fn words_state_known_facts_only() {
        let fine = sweep(256, 2, 10, (8..=256).step_by(4)).unwrap();
        assert_eq!(fine.to_string(), "VGPRs in granules of 4 or less, 256 to 259 in all");
        let coarse = sweep(256, 16, 10, (8..=256).step_by(4)).unwrap();
        assert!(coarse.to_string().starts_with("VGPRs in granules of 16, 256 to "), "{coarse}");
        let open = sweep(800, 16, 10, [80, 112].into_iter()).unwrap();
        assert!(open.to_string().starts_with("VGPRs in granules of unknown size, "), "{open}");
    }

    #[test]
    fn a_sweep_without_steps_says_nothing() {
        assert_eq!(sweep(4096, 4, 10, (24..=256).step_by(4)), None);
    }

    #[test]
    fn indistinguishable_granules_are_not_stated() {
        let found = sweep(800, 16, 10, [80, 112].into_iter()).unwrap();
        assert!(found.granule().is_none() && found.granules.contains(&16), "{found:?}");
    }
}
