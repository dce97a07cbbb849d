//! Results from unit to unit, S_DELAY_ALU, and overlap with transcendental instructions.

use serde::{Deserialize, Serialize};

use crate::tables::{Measured, printed};

/// A row of `units.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnitRecord {
    /// The unit that brings the result.
    pub producer: String,
    pub producer_instruction: String,
    /// The unit that reads it.
    pub consumer: String,
    pub consumer_instruction: String,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) high: Option<f64>,
    /// Shader cycles within which the result is there at the latest, where no more can be seen.
    #[serde(serialize_with = "printed")]
    pub at_most: Option<f64>,
    pub status: String,
    /// Why the cycles are missing, or their parts.
    pub detail: String,
}

impl UnitRecord {
    /// Shader cycles from the issue of the producer to that of the consumer.
    pub fn cycles(&self) -> Option<Measured> {
        Measured::of(self.cycles, self.low, self.high)
    }
}

/// A row of `delays.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DelayRecord {
    /// The unit that brings the result.
    pub producer: String,
    /// The unit after it.
    pub consumer: String,
    /// Operands of S_DELAY_ALU.
    pub delay: String,
    /// `right`, `wrong` or `needless`.
    pub case: String,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) high: Option<f64>,
    pub status: String,
    /// Why there are no cycles.
    pub detail: String,
}

impl DelayRecord {
    /// Shader cycles that the pair takes more than without S_DELAY_ALU.
    pub fn cycles(&self) -> Option<Measured> {
        Measured::of(self.cycles, self.low, self.high)
    }
}

/// A row of `transcendental-overlap.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BesideRecord {
    /// The transcendental instruction.
    pub instruction: String,
    /// The instruction after it.
    pub neighbour: String,
    /// How many of these.
    pub amount: u32,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) high: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) more: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) more_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) more_high: Option<f64>,
    pub status: String,
    /// Why there are no cycles.
    pub detail: String,
}

impl BesideRecord {
    /// Shader cycles of a block.
    pub fn cycles(&self) -> Option<Measured> {
        Measured::of(self.cycles, self.low, self.high)
    }

    /// How many of them are more than the transcendental instruction takes alone.
    pub fn more(&self) -> Option<Measured> {
        Measured::of(self.more, self.more_low, self.more_high)
    }
}
