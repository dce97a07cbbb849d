//! One type per table, by which it is written and read: a field is a column. Further columns are passed over.

use gcn_model::record::ExperimentKind;
use serde::{Deserialize, Serialize, Serializer};

use super::measured::decimal;
use crate::settle::{DropRule, Dropped, Tally};

/// A value with the interval around it, in the unit of its column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    pub value: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
}

impl Span {
    /// The three columns together; absent if one of them is empty or no number.
    pub(crate) fn of(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Option<Self> {
        let span = Self { value: value?, low: low?, high: high? };
        (span.value.is_finite() && span.low.is_finite() && span.high.is_finite()).then_some(span)
    }
}

/// A number as tables print it; nothing where there is none.
pub(crate) fn printed<N: Copy + Into<Option<f64>>, S: Serializer>(
    number: &N,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&(*number).into().map(decimal).unwrap_or_default())
}

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
    /// Samples behind the cycles.
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
    pub fn cycles(&self) -> Option<Span> {
        Span::of(self.cycles, self.cycles_low, self.cycles_high)
    }

    /// Shader cycles of a jump that is taken.
    pub fn taken(&self) -> Option<Span> {
        Span::of(self.taken, self.taken_low, self.taken_high)
    }

    /// Shader cycles until a dependent instruction can follow.
    pub fn latency(&self) -> Option<Span> {
        Span::of(self.latency, self.latency_low, self.latency_high)
    }

    /// Instructions per cycle per compute unit.
    pub fn throughput(&self) -> Option<Span> {
        Span::of(self.throughput, self.throughput_low, self.throughput_high)
    }
}

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
    pub fn throughput(&self) -> Option<Span> {
        Span::of(self.throughput, self.low, self.high)
    }
}

/// A row of `issue.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IssueRecord {
    /// What the block holds.
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
    pub fn issue(&self) -> Option<Span> {
        Span::of(self.instructions_per_cycle, self.low, self.high)
    }
}

/// A row of `allocation.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AllocationRecord {
    /// What is given out.
    pub resource: String,
    /// Granules that explain all steps, separated by spaces.
    pub granule: String,
    /// What the sweep's amounts were multiples of.
    pub asked_in_steps_of: u32,
    /// Least that there can be of it.
    pub total_low: u32,
    /// Most that there can be of it.
    pub total_high: Option<u32>,
    /// Odds of these granules against the best other one, a million at most; absent if none is ruled out.
    #[serde(default)]
    pub odds: Option<f64>,
}

/// A row of `estimates.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EstimateRecord {
    /// Id of the experiment.
    pub experiment: String,
    pub kind: ExperimentKind,
    /// What the estimate is.
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
    /// The estimate.
    pub fn estimate(&self) -> Option<Span> {
        Span::of(self.value, self.low, self.high)
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
    /// Executions that took so long.
    pub count: u64,
    #[serde(serialize_with = "printed")]
    pub share: f64,
}

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
    /// What a source says of it.
    pub expected: String,
    /// How that fared.
    pub verdict: String,
}

impl PenaltyRecord {
    /// Shader cycles more than without the penalty.
    pub fn penalty(&self) -> Option<Span> {
        Span::of(self.penalty_cycles, self.low, self.high)
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

/// A row of `validation.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ValidationRecord {
    /// The source's short name.
    pub source: String,
    /// Upper-case name.
    pub instruction: String,
    /// What it is a value of.
    pub quantity: String,
    /// As printed.
    pub published: String,
    /// What that comes to on this GPU.
    pub expected: String,
    /// What was measured.
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
    /// What was measured of it.
    pub quantity: String,
    /// The source that predicts.
    pub source: String,
    /// What it predicts.
    pub predicted: String,
    /// What was measured.
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
    /// The case.
    pub case: String,
    /// The question.
    pub question: String,
    /// Upper-case name.
    pub instruction: String,
    /// The dword that came of it; empty if there is none.
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

/// A row of `variants.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VariantRecord {
    /// Upper-case name.
    pub instruction: String,
    /// The form other than the plain one.
    pub case: String,
    /// What was measured of it.
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
    pub fn cycles(&self) -> Option<Span> {
        Span::of(self.cycles, self.cycles_low, self.cycles_high)
    }

    /// Shader cycles more than in the plain form.
    pub fn difference(&self) -> Option<Span> {
        Span::of(self.difference, self.difference_low, self.difference_high)
    }
}

/// A row of `residence.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResidenceRecord {
    /// What the waves have.
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
