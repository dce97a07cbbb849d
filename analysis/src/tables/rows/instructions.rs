//! A run's values of each instruction.

use serde::{Deserialize, Serialize};

use crate::tables::{Measured, printed};

/// A row of `timings.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimingRecord {
    /// Upper-case name.
    pub instruction: String,
    /// Encoding as it stood in the code.
    pub encoding: String,
    /// Size in the code, bytes.
    pub bytes: u32,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles_high: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) latency: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) latency_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) latency_high: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) throughput: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) throughput_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) throughput_high: Option<f64>,
    /// Waves on each SIMD at the throughput.
    pub waves_per_simd: Option<u32>,
    /// Samples of the cycles.
    pub samples: u64,
    /// How it ended.
    pub status: String,
    /// Why.
    pub detail: String,
    #[serde(default, serialize_with = "printed")]
    pub(crate) cycles_snapped: Option<f64>,
    #[serde(default)]
    pub(crate) dropped: u64,
    #[serde(default, serialize_with = "printed")]
    pub(crate) taken: Option<f64>,
    #[serde(default, serialize_with = "printed")]
    pub(crate) taken_low: Option<f64>,
    #[serde(default, serialize_with = "printed")]
    pub(crate) taken_high: Option<f64>,
}

impl TimingRecord {
    /// Shader cycles of an independent instruction, one wave.
    pub fn cycles(&self) -> Option<Measured> {
        Measured::of(self.cycles, self.cycles_low, self.cycles_high)
    }

    /// Shader cycles of a jump that is taken.
    pub fn taken(&self) -> Option<Measured> {
        Measured::of(self.taken, self.taken_low, self.taken_high)
    }

    /// Shader cycles until a dependent instruction can follow.
    pub fn latency(&self) -> Option<Measured> {
        Measured::of(self.latency, self.latency_low, self.latency_high)
    }

    /// Instructions per cycle per compute unit.
    pub fn throughput(&self) -> Option<Measured> {
        Measured::of(self.throughput, self.throughput_low, self.throughput_high)
    }
}

/// A row of `variants.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VariantRecord {
    /// Upper-case name.
    pub instruction: String,
    /// The form other than the plain one.
    pub case: String,
    pub quantity: String,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) cycles_high: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) difference: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) difference_low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) difference_high: Option<f64>,
    #[serde(default)]
    pub(crate) samples: u64,
    /// How it ended.
    pub status: String,
    /// Why.
    pub detail: String,
}

impl VariantRecord {
    /// Shader cycles in this form.
    pub fn cycles(&self) -> Option<Measured> {
        Measured::of(self.cycles, self.cycles_low, self.cycles_high)
    }

    /// Shader cycles more than in the plain form.
    pub fn difference(&self) -> Option<Measured> {
        Measured::of(self.difference, self.difference_low, self.difference_high)
    }
}

/// A row of `distributions.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DistributionRecord {
    /// Upper-case name.
    pub instruction: String,
    /// The form in which it stood; empty for the plain one.
    pub case: String,
    /// Shader cycles of single executions.
    #[serde(serialize_with = "printed")]
    pub value_cycles: f64,
    /// Executions with these cycles.
    pub count: u64,
    #[serde(serialize_with = "printed")]
    pub share: f64,
}
