//! The physical bound, that no wave issues faster than the scheduler looks at it, and the resolution of published figures: a value known less
//! finely has not settled.

use gcn_model::isa::{Encoding, Generation, Instruction};
use gcn_model::quantity::Cycles;
use gcn_model::record::ExperimentRecord;

use crate::run::StoredReading;
use crate::statistics::Estimate;

/// Resolution of a published figure: it is a whole number of cycles, and a quarter cycle is not another one.
pub const CYCLES_RESOLUTION: f64 = 0.25;

/// Resolution of a published throughput, as a share: a fraction like 1/6 is printed for the result of a run of finite length.
pub const THROUGHPUT_RESOLUTION: f64 = 0.02;

/// Half-width beyond which an interval tells nothing of a throughput, as a share of it.
pub const VAGUE_THROUGHPUT: f64 = 0.25;

/// Share of the throughput by which rows may differ that say the same: ramps that no number of launches makes smaller.
pub(crate) const SAME_THROUGHPUT: f64 = 0.005;

/// Half-width, as a share of it, beyond which a throughput confirms no other: it would agree with too many.
pub(crate) const CONFIRMING_THROUGHPUT: f64 = 0.1;

/// Least shader cycles between two instructions of a wave: how often a SIMD issues.
///
/// GCN: each cycle the scheduler considers one of the four SIMDs, and issues at most one instruction of each wave there. Source: AMD's
/// profiler documentation and the GCN whitepaper (`docs/facts.md` §3, S23 and S28).
pub(crate) fn least_issue_cycles(generation: Generation) -> Cycles {
    Cycles(f64::from(generation.waves.issue_interval_cycles))
}

/// Half-width beyond which an interval tells nothing, shader cycles: published cycles differ by an issue interval from each other.
pub(crate) fn vague_cycles(generation: Generation) -> f64 {
    least_issue_cycles(generation).0 / 2.0
}

/// Least shader cycles that a wave needs for a block of an experiment, all of its repeats together.
///
/// Code in a block that the record does not count (the waits of a chase, the jumps of a loop) only adds cycles.
pub(crate) fn least_block_cycles(record: &ExperimentRecord, generation: Generation) -> f64 {
    let instructions = f64::from(record.targets_per_block) + f64::from(record.fillers_per_block);
    least_issue_cycles(generation).0 * instructions * f64::from(record.repeats.max(1))
}

/// Whether a reading says less than that: its first half came late, or the counter was reset.
pub(crate) fn is_below_bound(reading: &StoredReading, least_block: f64) -> bool {
    (reading.elapsed() as f64) < least_block * f64::from(reading.n)
}

/// SIMDs of a compute unit, for an instruction that a unit executes: each SIMD issues one to a unit in an issue slot at most.
///
/// Source: AMD "Graphics Cores Next" white paper (2012): each cycle one SIMD issues up to five instructions, of different types;
/// "RDNA" white paper (2019): each SIMD has its own scalar and vector ALU, and issues to each once a cycle.
pub(crate) fn units_of(instruction: &Instruction, generation: Generation) -> Option<u32> {
    (instruction.encoding != Encoding::Sopp).then_some(generation.waves.simds)
}

/// Whether the vector ALU of its SIMD executes an instruction: waves of other SIMDs do not wait for that.
pub(crate) fn is_of_simd(instruction: &Instruction) -> bool {
    instruction.encoding.unit() == Encoding::Vop3.unit()
}

/// Why cycles of an instruction are impossible, if they are: the whole interval, widened by the resolution of published cycles,
/// lies below the bound.
pub(crate) fn impossible(cycles: &Estimate, least: Cycles) -> Option<String> {
    let (low, high) = (cycles.low(), cycles.high());
    (high + CYCLES_RESOLUTION < least.0).then(|| {
        format!(
            "below the bound: {low:.2} to {high:.2} cycles, and a wave issues at most one instruction in {} cycles",
            least.0
        )
    })
}
