//! What many waves do together.

use serde::{Deserialize, Serialize};

use crate::tables::{Measured, printed};

/// A row of `throughput.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThroughputRecord {
    /// Upper-case name.
    pub instruction: String,
    pub waves_per_simd: u32,
    #[serde(serialize_with = "printed")]
    pub(crate) throughput: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) high: Option<f64>,
    /// How it ended.
    pub status: String,
    /// Why.
    pub detail: String,
    /// The form in which the instruction stood; empty for the plain one.
    #[serde(default)]
    pub case: String,
}

impl ThroughputRecord {
    /// Instructions per cycle per compute unit.
    pub fn throughput(&self) -> Option<Measured> {
        Measured::of(self.throughput, self.low, self.high)
    }
}

/// A row of `issue.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IssueRecord {
    /// The content of the block.
    pub mix: String,
    pub waves_per_simd: u32,
    #[serde(serialize_with = "printed")]
    pub(crate) instructions_per_cycle: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) low: Option<f64>,
    #[serde(serialize_with = "printed")]
    pub(crate) high: Option<f64>,
    /// How it ended.
    pub status: String,
    /// Why.
    pub detail: String,
}

impl IssueRecord {
    /// Instructions per cycle per compute unit.
    pub fn issue(&self) -> Option<Measured> {
        Measured::of(self.instructions_per_cycle, self.low, self.high)
    }
}

/// A row of `occupancy.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OccupancyRecord {
    /// Waves that ran at once on each SIMD.
    pub waves_per_simd: u32,
    /// Scalar registers of a wave.
    pub sgprs: Option<u32>,
    /// Vector registers of a wave.
    pub vgprs: Option<u32>,
    /// LDS of a wave divided by its lanes, dwords.
    #[serde(serialize_with = "printed")]
    pub lds_dwords_per_lane: Option<f64>,
    /// Instructions issued per cycle.
    #[serde(serialize_with = "printed")]
    pub issue: Option<f64>,
}

/// A row of `residence.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResidenceRecord {
    /// The waves' allocation.
    pub resource: String,
    /// How much of it.
    pub amount: u32,
    /// Waves at the same time on one SIMD.
    pub waves_per_simd: Option<u32>,
    /// Waves at the same time on one compute unit.
    pub waves_per_compute_unit: Option<u32>,
    /// How it ended.
    pub status: String,
    /// Why.
    pub detail: String,
}

/// A row of `allocation.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AllocationRecord {
    /// The allocated resource.
    pub resource: String,
    /// Granules that explain all steps, separated by spaces.
    pub granule: String,
    /// The common divisor of the sweep's amounts.
    pub asked_in_steps_of: u32,
    /// Least that there can be of it.
    pub total_low: u32,
    /// Most that there can be of it.
    pub total_high: Option<u32>,
    /// Odds of these granules against the best other one, a million at most; absent if none is ruled out.
    #[serde(default)]
    pub odds: Option<f64>,
}
