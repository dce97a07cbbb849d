//! Matrix instructions, and their overlap.

use serde::{Deserialize, Serialize};

use crate::tables::{Measured, printed};

/// A row of `matrix.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatrixRecord {
    /// Upper-case name.
    pub instruction: String,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles_high: Option<f64>,
    /// Passes that the cycles stand for.
    pub passes: Option<u8>,
    /// Operations of an instruction.
    pub operations: u64,
    #[serde(serialize_with = "printed")]
    pub(crate) operations_per_cycle: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) operations_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) operations_high: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) accumulators: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) accumulators_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) accumulators_high: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) operand: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) operand_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) operand_high: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) reader: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) reader_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) reader_high: Option<f64>,
    /// Why something is absent.
    pub detail: String,
}

/// A row of `matrix-overlap.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverlapRecord {
    /// The matrix instruction.
    pub instruction: String,
    pub neighbour: String,
    /// How many of these.
    pub amount: u32,
    pub waves_per_simd: u32,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) high: Option<f64>,
    /// Cycles of the matrix instruction alone.
    #[serde(serialize_with = "printed")]
    pub(crate) alone: Option<f64>,
    /// Cycles of the others alone.
    #[serde(serialize_with = "printed")]
    pub(crate) others: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) hidden: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) hidden_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) hidden_high: Option<f64>,
}

impl OverlapRecord {
    /// Shader cycles of a SIMD for a block.
    pub fn cycles(&self) -> Option<Measured> {
        Measured::of(self.cycles, self.low, self.high)
    }

    /// Share of the shorter of the two that is hidden by the longer.
    pub fn hidden(&self) -> Option<Measured> {
        Measured::of(self.hidden, self.hidden_low, self.hidden_high)
    }
}
