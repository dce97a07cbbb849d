//! One type per table; a field has the name of its column, and further columns are passed over.

use serde::Deserialize;

use crate::settle::{DropRule, Dropped, Tally};

/// A value with the interval around it, in the unit of its column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// The value.
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

/// A row of `timings.csv`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TimingRecord {
    /// Upper-case name.
    pub instruction: String,
    /// Encoding as it stood in the code.
    pub encoding: String,
    /// Size in the code, bytes.
    pub bytes: u32,
    cycles: Option<f64>,
    cycles_low: Option<f64>,
    cycles_high: Option<f64>,
    latency: Option<f64>,
    latency_low: Option<f64>,
    latency_high: Option<f64>,
    throughput: Option<f64>,
    throughput_low: Option<f64>,
    throughput_high: Option<f64>,
    #[serde(default)]
    taken: Option<f64>,
    #[serde(default)]
    taken_low: Option<f64>,
    #[serde(default)]
    taken_high: Option<f64>,
    /// Waves on each SIMD at the throughput.
    pub waves_per_simd: Option<u32>,
    /// Samples behind the cycles.
    pub samples: u64,
    /// How it ended.
    pub status: String,
    /// Why.
    pub detail: String,
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
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ThroughputRecord {
    /// Upper-case name.
    pub instruction: String,
    /// Waves on each SIMD.
    pub waves_per_simd: u32,
    throughput: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
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
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct IssueRecord {
    /// What the block holds.
    pub mix: String,
    /// Waves on each SIMD.
    pub waves_per_simd: u32,
    instructions_per_cycle: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
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
#[derive(Debug, Clone, PartialEq, Deserialize)]
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
}

/// A row of `estimates.csv`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct EstimateRecord {
    /// Id of the experiment.
    pub experiment: String,
    /// What the estimate is.
    pub quantity: String,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    readings: usize,
    used: usize,
    below_bound: usize,
    doubled: usize,
    late: usize,
    moved: usize,
    misplaced: usize,
    apart: usize,
    uneven: usize,
    late_waves: usize,
    alone: usize,
    no_estimate: usize,
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
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct DistributionRecord {
    /// Upper-case name.
    pub instruction: String,
    /// The form in which it stood; empty for the plain one.
    pub case: String,
    /// Shader cycles of single executions.
    pub value_cycles: f64,
    /// Executions that took so long.
    pub count: u64,
    /// Their share.
    pub share: f64,
}

/// A row of `penalties.csv`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PenaltyRecord {
    /// The experiment: `lds-stride`, `alignment-…`, `jump-…`, `scheduling-…`.
    pub experiment: String,
    /// The case, such as the instruction.
    pub case: String,
    /// Where it stood, dwords.
    pub offset_dwords: Option<u32>,
    /// Waves on each SIMD.
    pub waves_per_simd: u32,
    penalty_cycles: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
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
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct OccupancyRecord {
    /// Waves that ran at once on each SIMD.
    pub waves_per_simd: u32,
    /// Scalar registers of a wave.
    pub sgprs: Option<u32>,
    /// Vector registers of a wave.
    pub vgprs: Option<u32>,
    /// LDS of a wave divided by its lanes, dwords.
    pub lds_dwords_per_lane: Option<f64>,
    /// Instructions issued per cycle.
    pub issue: Option<f64>,
}

/// A row of `validation.csv`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
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
    pub measured: Option<f64>,
    /// How the published value fared.
    pub verdict: String,
}

/// A row of `disputes.csv`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct DisputeRecord {
    /// The question's number.
    pub number: String,
    /// The question.
    pub question: String,
    /// The instruction.
    pub instruction: String,
    /// What was measured of it.
    pub quantity: String,
    /// The source that predicts.
    pub source: String,
    /// What it predicts.
    pub predicted: String,
    /// What was measured.
    pub measured: Option<f64>,
    /// How the source fared.
    pub verdict: String,
    /// Why the question was not settled.
    pub detail: String,
}

/// A row of `variants.csv`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct VariantRecord {
    /// Upper-case name.
    pub instruction: String,
    /// The form other than the plain one.
    pub case: String,
    /// What was measured of it.
    pub quantity: String,
    cycles: Option<f64>,
    cycles_low: Option<f64>,
    cycles_high: Option<f64>,
    difference: Option<f64>,
    difference_low: Option<f64>,
    difference_high: Option<f64>,
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

/// `dpfactor.json`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct DpFactorRecord {
    /// The factor.
    pub dpfactor: f64,
    /// Rate of double precision beside single precision.
    pub dp_rate: String,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
    /// Instructions that agree on it.
    pub agreeing: usize,
    /// Instructions that say something of it.
    pub of: usize,
    /// `known`, `new` or `inconsistent`.
    pub class: String,
    /// What each instruction says.
    pub rows: Vec<DpFactorRowRecord>,
}

/// What one instruction says of DPFACTOR.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct DpFactorRowRecord {
    /// Upper-case name.
    pub instruction: String,
    /// Published cycles, as a multiple of DPFACTOR.
    pub multiple: f64,
    /// Measured shader cycles.
    pub cycles: f64,
    /// The factor that follows.
    pub factor: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
    /// Whether it agrees with the others.
    pub agrees: bool,
}
