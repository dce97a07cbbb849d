//! `experiments.csv`: the attempts, one row per experiment, also for those that were skipped or failed.

use serde::{Deserialize, Serialize};

/// The repeated code of an experiment, and the meaning of its slope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExperimentKind {
    /// Fillers alone, one wave: the slope divided by `fillers_per_block` is the filler's cycles.
    Filler,
    /// Independent copies, one wave, each target (with fillers after it, if any) where a front end charges
    /// least for it: cycles = slope − `fillers_per_block` × the cycles of the filler.
    Cycles,
    /// Jumps that are taken, one wave, each to the instruction after it; otherwise as [`ExperimentKind::Cycles`], which
    /// are jumps that are not taken.
    Taken,
    /// A dependent chain of targets back to back, one wave.
    Chain,
    /// Independent copies back to back at the offsets of the chain, one wave: latency = cycles + chain − this.
    #[serde(rename = "packed")]
    ChainBaseline,
    /// A chain of targets whose fillers are moves, each dependent on the one before it, that hand the result of a target on to the next, one
    /// wave: latency = slope − `fillers_per_block` × the cycles of the filler.
    Relay,
    /// Memory instructions, each followed by a wait for its result (and, where the text allows it, with an address that
    /// the one before brought), one wave: the slope is the latency.
    Chase,
    /// Blocks of unlike instructions, one wave: the slope is the cost of a block.
    Block,
    /// Fillers alone in growing amounts, one wave: the cost of a block of each length, where it may no longer fit the cache.
    Footprint,
    /// Waves that stay on their SIMD for a long time, more of them than there is room for: how many are there at the same time
    /// is the result. Each has `amount` of what `case` names.
    Residence,
    /// Blocks of unlike instructions back to back on `waves_per_simd` waves on each SIMD: how many are issued in a cycle.
    Issue,
    /// Independent copies back to back on `waves_per_simd` waves on each SIMD.
    Throughput,
    /// A case that no source settles, one wave: `end` − `begin` of a reading is no time, but the dword that came of it.
    Semantics,
}

/// How an experiment ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExperimentStatus {
    /// Readings are stored.
    Ok,
    /// It was tried and failed; `detail` says why.
    Failed,
    /// It was not tried, on purpose; `detail` says why.
    Skipped,
    /// The device or the assembler lacks a requirement, which `detail` names.
    Unsupported,
}

/// A row of `experiments.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExperimentRecord {
    /// Unique id: `V_ADD_F64/cycles`, `V_ADD_F64/rate@4`.
    pub experiment: String,
    /// Its place in the plan of the whole run, counted from 0. The rows are in the order of the attempts, which differs;
    /// tables are in that of the plan.
    pub place: u32,
    /// The repeated instruction.
    pub kind: ExperimentKind,
    /// Upper-case name of the target instruction (of the filler for [`ExperimentKind::Filler`]).
    pub instruction: String,
    /// In which other form than its plain one the instruction stands here: `glc`, `idxen`, `backward`, `stride 8`; empty for
    /// the plain form, which alone goes into `timings.csv`.
    #[serde(default)]
    pub case: String,
    /// The rule that it is a case of, as `penalties.csv` names it: `alignment`, `jump-forward`; empty for an instruction's own
    /// timings.
    #[serde(default)]
    pub rule: String,
    /// Dword of a line at which the target starts, or is jumped to; empty where that is no part of the case.
    #[serde(default)]
    pub offset_dwords: Option<u32>,
    /// How much of what `case` names the waves have: VGPRs or SGPRs of a wave, or bytes of LDS of a group; empty where no
    /// resource is the case.
    #[serde(default)]
    pub amount: Option<u32>,
    /// Experiment with the same instructions where the rule charges nothing; the difference is the penalty. Empty where there
    /// is no such thing, and for the baselines themselves.
    #[serde(default)]
    pub baseline: String,
    /// Encoding of the target in the code (`VOP2`, …).
    pub encoding: String,
    /// Size of the target in the code, bytes.
    pub bytes: u32,
    /// Waves on each SIMD that were asked for; what ran is in the readings.
    pub waves_per_simd: u32,
    /// Target instructions in a block.
    pub targets_per_block: u32,
    /// Filler instructions in a block.
    pub fillers_per_block: u32,
    /// Experiment of kind `filler` whose slope prices the fillers; empty without fillers.
    pub filler: String,
    /// Times that the `n` blocks ran between the two readings (a loop around them).
    pub repeats: u32,
    /// The target as assembled, first copy: `v_add_f64 v[8:9], v[2:3], v[4:5]`.
    pub assembly: String,
    /// Initial register values: `v[2:3] = 1.5 (f64) …`.
    pub initial_values: String,
    pub status: ExperimentStatus,
    /// Why, if it did not end well, on one line; empty otherwise.
    pub detail: String,
}

impl ExperimentRecord {
    /// Says that it did not end well. The reason is put on one line, so that a row that was cut off while it was written ends with its line.
    pub fn end(&mut self, status: ExperimentStatus, why: &str) {
        let parts: Vec<&str> = why.split(char::is_control).map(str::trim).filter(|part| !part.is_empty()).collect();
        (self.status, self.detail) = (status, parts.join("; "));
    }
}
