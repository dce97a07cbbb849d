//! The user's choices for a run.

use std::time::Duration;

use gcn_model::isa::Generation;
use gcn_model::record::OptionsRecord;
use glob::{MatchOptions, Pattern};

use super::Shard;

/// A group of experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Suite {
    /// Cycles, latency and throughput of the instructions.
    Instructions,
    /// Extra cycles by the address of an instruction, and of a jump's target.
    Alignment,
    /// Stalls between two instructions, by order and dependency.
    Scheduling,
    /// Waves per SIMD by VGPRs, SGPRs and LDS; instructions that issue in the same cycle.
    Occupancy,
    /// LDS bank conflicts by stride, and the lanes that are served together.
    Lds,
    /// Latency of matrix results, and overlap with other instructions.
    Matrix,
    /// Delays between units (RDNA), and overlap with transcendental instructions.
    Units,
    /// Dual issue (VOPD): each pair, the same two in sequence, and register bank conflicts.
    Pairs,
    /// What waves share: bytes that loads return in a cycle, queues in front of units, the order in which waves issue.
    Contention,
    /// Instructions whose result no source states.
    Semantics,
    /// Instructions on which published sources contradict each other.
    Disputed,
    /// DPFACTOR, disputed instructions, one instruction of each class, the front end.
    Quick,
    /// All suites.
    All,
}

/// Options of a measurement.
#[derive(Debug, Clone)]
pub struct MeasureOptions {
    /// Suites; none means all.
    pub suites: Vec<Suite>,
    /// Only instructions whose name matches one of these; none means all.
    pub only: Vec<Pattern>,
    /// Waves per SIMD of the throughput experiments.
    pub waves: Vec<u32>,
    /// Passes kept per length and wave, of all sweeps together.
    pub samples: u32,
    /// Sweeps: times that the plan is gone through, each time in another order.
    pub sweeps: u32,
    /// Seed of these orders.
    pub seed: u64,
    /// Longest time for measuring again what does not settle; none for three times.
    pub budget: Option<Duration>,
    /// Whether dangerous instructions are launched.
    pub dangerous: bool,
    /// Which part of the plan is measured; none means all of it.
    pub shard: Option<Shard>,
    /// Whether a resumed run retries its failures.
    pub retry_failed: bool,
}

impl Default for MeasureOptions {
    fn default() -> Self {
        Self {
            suites: Vec::new(),
            only: Vec::new(),
            waves: vec![1, 2, 4, 8, 10],
            samples: 20,
            sweeps: 2,
            seed: 1,
            budget: None,
            dangerous: false,
            shard: None,
            retry_failed: false,
        }
    }
}

impl MeasureOptions {
    /// Waves per SIMD of the throughput experiments, if none are asked for: powers of two, and the ten that fill a SIMD of GCN or sixteen
    /// where the SIMD has the slots.
    pub fn waves_of(generation: Generation) -> Vec<u32> {
        const MANY: u32 = 16;
        match Self::default().waves.as_slice() {
            [fewer @ .., _] if generation.waves.slots >= MANY => [fewer, &[MANY]].concat(),
            waves => waves.to_vec(),
        }
    }

    /// Whether a suite was asked for.
    pub fn has(&self, suite: Suite) -> bool {
        self.suites.is_empty() || self.suites.iter().any(|asked| matches!(asked, Suite::All) || *asked == suite)
    }

    /// Whether an instruction was asked for.
    pub fn wants(&self, instruction: &str) -> bool {
        let matching = MatchOptions { case_sensitive: false, ..MatchOptions::new() };
        self.only.is_empty() || self.only.iter().any(|pattern| pattern.matches_with(instruction, matching))
    }

    /// Passes kept per length and wave in one sweep.
    pub(super) fn samples_of_sweep(&self) -> u32 {
        self.samples.div_ceil(self.sweeps.max(1)).max(1)
    }

    /// The options as `run.json` keeps them.
    pub fn record(&self) -> OptionsRecord {
        let name = |suite: &Suite| format!("{suite:?}").to_lowercase();
        let suites = if self.suites.is_empty() { vec!["all".into()] } else { self.suites.iter().map(name).collect() };
        OptionsRecord {
            suites,
            only: self.only.iter().map(|pattern| pattern.as_str().to_owned()).collect(),
            waves: self.waves.clone(),
            samples: self.samples,
            sweeps: self.sweeps,
            seed: self.seed,
            budget: self.budget.map(|budget| format!("{budget:?}")),
            dangerous: self.dangerous,
        }
    }
}
