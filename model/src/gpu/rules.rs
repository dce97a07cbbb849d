//! The parameters of the timing rules, and what only the simulated card has.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::quantity::Bytes;

/// Fetch and alignment: where a wave loses cycles because of where its instructions lie.
///
/// Dwords are counted from 0 inside a block. Every rule has a switch; `penalty_cycles` 0 turns all of them off.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontEnd {
    /// Cost of a penalty in shader cycles; 0 if the generation has no penalty.
    pub penalty_cycles: u32,
    /// The block that the program is divided into; a power of two, at most a line of the instruction cache.
    #[serde(rename = "block_bytes")]
    pub block: Bytes,
    /// A 2-dword instruction that starts in one of this many first dwords of its block costs no penalty.
    pub free_dwords: u32,
    /// A 2-dword instruction longer than one issue (4 cycles) makes its block's last `cycles / this` dwords free; 0: no such rule.
    pub long_instruction_cycles_per_free_dword: u32,
    /// A 2-dword instruction of at least this many cycles hides the penalty of a 2-dword instruction at
    /// [`covered_dword`](Self::covered_dword) after it; 0: no such rule.
    pub covering_cycles: u32,
    /// The dword of the block that [`covering_cycles`](Self::covering_cycles) speaks of.
    pub covered_dword: u32,
    /// A jump into one of this many first dwords is free; dword N beyond costs `N - this + 1` penalties.
    pub jump_free_dwords: u32,
    /// A conditional jump in one of this many first dwords is free if not taken; at dword N beyond it costs `N - this + 1` penalties.
    pub untaken_free_dwords: u32,
    /// Whether 2-dword instructions are charged at all.
    pub alignment_penalties: bool,
    /// Whether jumps into the end of a block are charged.
    pub jump_penalties: bool,
    /// Whether backward jumps are charged as forward ones are.
    pub backward_jump_penalties: bool,
    /// Whether conditional jumps that are not taken are charged.
    pub untaken_penalties: bool,
}

/// Cycles of a jump for one wave.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// A conditional jump that is not taken.
    pub not_taken_cycles: u32,
    /// A jump that is taken.
    pub taken_cycles: u32,
}

/// Delays between one instruction and the next of the same wave.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scheduling {
    /// Delay of a scalar ALU instruction after [`vector_to_scalar_producers`](Self::vector_to_scalar_producers).
    pub vector_to_scalar_delay_cycles: u32,
    /// The vector instructions, by name, that delay the scalar ALU.
    pub vector_to_scalar_producers: BTreeSet<String>,
    /// Delay of a conditional jump on VCCZ, EXECZ or SCC directly after a write of its condition.
    pub flag_branch_penalty_cycles: u32,
    /// Whether of the waves that can issue to a unit the oldest does, and not the one that is ready for longest.
    pub oldest_first: bool,
    /// Whether a wave with a higher S_SETPRIO issues before others.
    pub heeds_priority: bool,
}

/// The clock reading.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memtime {
    /// Shader cycles between the readings of two S_MEMTIME that follow each other with only a wait between.
    pub round_trip_cycles: u32,
}

/// Scalar memory.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScalarMemory {
    /// Shader cycles from issue to the result's arrival.
    pub latency_cycles: u32,
}

/// Vector memory.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorMemory {
    /// Shader cycles from issue to the result's arrival.
    pub latency_cycles: u32,
    /// Instructions of a SIMD, or its loads where there are no pipelines, that wait for the unit, while their waves continue; 0: one holds its
    /// wave for the time of the unit.
    #[serde(default)]
    pub queue: u32,
    /// Bytes of loads that come back to one SIMD in a shader cycle; 0: no such limit.
    pub return_bytes: u32,
    /// Likewise for the SIMDs of a compute unit together.
    pub unit_return_bytes: f64,
    /// The level of memory that both are of; `None`: the nearest. A prediction for a level sets it, no file.
    #[serde(skip)]
    pub level: Option<&'static str>,
    /// Shader cycles that GLC adds to an instruction which the CLRX table marks GLC1.
    pub glc1_cycles: u32,
    /// Shader cycles that GLC adds to an instruction which the CLRX table marks GLC2.
    pub glc2_cycles: u32,
}

/// What only the simulated card has.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulation {
    /// Compute units that the simulator has: fewer than the product, so that a whole run takes seconds.
    pub compute_units: u32,
    /// Shader cycles between the starts of two waves on the card.
    pub wave_launch_interval_cycles: u32,
}

/// What disturbs the simulated card, as a busy desktop card is disturbed.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// Seed of the random numbers.
    pub seed: u64,
    /// Each reading is late by 0 to this many shader cycles.
    pub jitter_cycles: u32,
    /// Share of the readings that are outliers, 0 to 1.
    pub outlier_rate: f64,
    /// Shader cycles that an outlier is late by, at least.
    pub outlier_cycles: u32,
    /// An outlier is late by 0 to this many shader cycles more.
    pub outlier_spread_cycles: u32,
    /// Each wave's first readings, these many, are outliers too: its code is cold.
    pub cold_readings: u32,
    /// The counter that kernels read moves in steps of this many shader cycles.
    pub counter_step_cycles: u32,
    /// Share of the readings of S_MEMTIME that show what the wave's last one showed, 0 to 1.
    pub repeated_rate: f64,
    /// Share of the readings of S_MEMTIME that show the cycles of their launch alone, as after a reset, 0 to 1.
    pub reset_rate: f64,
    /// Share of the readings after which the wave is preempted, 0 to 1.
    pub preemption_rate: f64,
    /// Shader cycles for which it is put aside.
    pub preemption_cycles: u32,
    /// Share of the readings after which a neighbour has taken the instruction cache, 0 to 1.
    pub eviction_rate: f64,
    /// Share by which the shader clock has fallen after `drift_launches` launches.
    pub drift_share: f64,
    /// Launches until the clock drifts no further.
    pub drift_launches: u32,
    /// Share by which the shader clock is slower in every other `step_launches` launches.
    pub step_share: f64,
    /// Launches from one clock step to the next; 0 for none.
    pub step_launches: u32,
}

impl Noise {
    /// Whether nothing is disturbed at all.
    pub fn is_none(&self) -> bool {
        self.jitter_cycles == 0
            && self.counter_step_cycles <= 1
            && (self.outlier_rate == 0.0 && self.cold_readings == 0
                || self.outlier_cycles == 0 && self.outlier_spread_cycles == 0)
            && (self.preemption_rate == 0.0 || self.preemption_cycles == 0)
            && [self.repeated_rate, self.reset_rate, self.eviction_rate, self.drift_share, self.step_share] == [0.0; 5]
    }
}
