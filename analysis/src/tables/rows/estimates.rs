//! The lines of the numbers.

use gcn_model::record::ExperimentKind;
use serde::{Deserialize, Serialize};

use crate::settle::{DropRule, Dropped, Tally};
use crate::tables::{Measured, printed};

/// A row of `estimates.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EstimateRecord {
    /// Id of the experiment.
    pub experiment: String,
    pub kind: ExperimentKind,
    /// The meaning of the estimate.
    pub quantity: String,
    #[serde(serialize_with = "printed")]
    pub(crate) value: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) high: Option<f64>,
    pub(crate) readings: usize,
    pub(crate) used: usize,
    pub(crate) below_bound: usize,
    pub(crate) doubled: usize,
    pub(crate) late: usize,
    pub(crate) moved: usize,
    pub(crate) misplaced: usize,
    pub(crate) apart: usize,
    pub(crate) uneven: usize,
    pub(crate) late_waves: usize,
    pub(crate) alone: usize,
    pub(crate) no_estimate: usize,
    /// How it ended.
    pub status: String,
    /// Why.
    pub detail: String,
}

impl EstimateRecord {
    pub fn estimate(&self) -> Option<Measured> {
        Measured::of(self.value, self.low, self.high)
    }

    /// What became of the readings.
    pub fn tally(&self) -> Tally {
        let mut dropped = Dropped::default();
        for rule in DropRule::ALL {
            dropped.add(rule, self.dropped_by(rule));
        }
        let Self { readings, used, alone, no_estimate, .. } = *self;
        Tally { readings, used, dropped, alone, no_estimate }
    }

    const fn dropped_by(&self, rule: DropRule) -> usize {
        match rule {
            DropRule::BelowBound => self.below_bound,
            DropRule::Doubled => self.doubled,
            DropRule::Late => self.late,
            DropRule::Moved => self.moved,
            DropRule::Misplaced => self.misplaced,
            DropRule::Apart => self.apart,
            DropRule::Uneven => self.uneven,
            DropRule::LateWave => self.late_waves,
        }
    }
}
