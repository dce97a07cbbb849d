//! Measurements compared with sources.

use serde::{Deserialize, Serialize};

use crate::tables::{Measured, printed};

/// A row of `penalties.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PenaltyRecord {
    /// The experiment: `lds-stride`, `alignment-…`, `jump-…`, `scheduling-…`.
    pub experiment: String,
    /// The case, such as the instruction.
    pub case: String,
    /// Where it stood, dwords.
    pub offset_dwords: Option<u32>,
    pub waves_per_simd: u32,
    #[serde(serialize_with = "printed")]
    pub(crate) penalty_cycles: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) high: Option<f64>,
    /// A source's statement.
    pub expected: String,
    /// How that fared.
    pub verdict: String,
}

impl PenaltyRecord {
    /// Shader cycles more than without the penalty.
    pub fn penalty(&self) -> Option<Measured> {
        Measured::of(self.penalty_cycles, self.low, self.high)
    }
}

/// A row of `validation.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ValidationRecord {
    /// The source's short name.
    pub source: String,
    /// Upper-case name.
    pub instruction: String,
    pub quantity: String,
    /// As printed.
    pub published: String,
    /// Its value on this GPU.
    pub expected: String,
    /// The measurement.
    #[serde(serialize_with = "printed")]
    pub measured: Option<f64>,
    /// How the published value fared.
    pub verdict: String,
}

/// A row of `disputes.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DisputeRecord {
    /// The question's number.
    pub number: String,
    pub question: String,
    pub instruction: String,
    pub quantity: String,
    /// The source that predicts.
    pub source: String,
    pub predicted: String,
    /// The measurement.
    #[serde(serialize_with = "printed")]
    pub measured: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) high: Option<f64>,
    /// How the source fared.
    pub verdict: String,
    /// Why the question was not settled.
    pub detail: String,
}

/// A row of `semantics.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SemanticRecord {
    pub case: String,
    pub question: String,
    /// Upper-case name.
    pub instruction: String,
    /// The resulting dword; empty without one.
    pub result: String,
    /// `holds`, `neither` or `not measured`.
    pub verdict: String,
    /// The reading that holds.
    pub reading: String,
    /// Who says so.
    pub source: String,
    /// `card`, or `simulated`: then the reading is the one that the simulator implements.
    pub device: String,
    /// Why there is no result.
    pub detail: String,
}
