//! Two instructions in one.

use serde::{Deserialize, Serialize};

use crate::tables::{Measured, printed};

/// A row of `pairs.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// The first of the two.
    pub first: String,
    /// The second of the two.
    pub second: String,
    /// Which sources are in one bank of registers.
    pub shared: String,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) high: Option<f64>,
    /// Cycles of the two one after the other.
    #[serde(serialize_with = "printed")]
    pub(crate) apart: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) apart_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) apart_high: Option<f64>,
    /// Cycles more than with sources in different banks.
    #[serde(serialize_with = "printed")]
    pub(crate) more: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) more_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) more_high: Option<f64>,
    pub status: String,
    /// Why something is absent.
    pub detail: String,
}

impl PairRecord {
    /// Shader cycles from one pair to the next.
    pub fn cycles(&self) -> Option<Measured> {
        Measured::of(self.cycles, self.low, self.high)
    }

    /// Those of the two instructions one after the other.
    pub fn apart(&self) -> Option<Measured> {
        Measured::of(self.apart, self.apart_low, self.apart_high)
    }

    /// Those that sources in one bank cost.
    pub fn more(&self) -> Option<Measured> {
        Measured::of(self.more, self.more_low, self.more_high)
    }
}
