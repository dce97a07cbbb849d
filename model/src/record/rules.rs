//! The rules that experiments are cases of, by which the analysis finds them; and the words of some cases.

/// The rule of a pair that stands less far apart than its baseline: whether it takes as long says whether the baseline is far enough.
pub const DISTANCE: &str = "scheduling-distance";
/// The rule of the probes for the start of a line: an operation costs more in two dwords than in one, a jump less than at the next dword.
pub const LINE_START: &str = "line-start";
/// The rule of instructions at each dword.
pub const ALIGNMENT: &str = "alignment";
/// The rule of code that no longer fits the instruction cache.
pub const INSTRUCTION_CACHE: &str = "instruction-cache";

/// The rule of matrix instructions that depend on each other, or that something else reads; the case says how: one of the next four.
pub const MATRIX_CHAIN: &str = "matrix-chain";
/// Copies of a matrix instruction that do not depend on each other.
pub const INDEPENDENT: &str = "independent";
/// Each accumulates into the result of the one before it.
pub const ACCUMULATORS: &str = "accumulators";
/// Each takes its A from the result of the one before it.
pub const OPERANDS: &str = "operands";
/// A vector instruction after each reads its result.
pub const READER: &str = "reader";
/// The rule of blocks of a matrix instruction and `amount` others, which `case` names; of the others alone where there is no `amount`.
pub const MATRIX_OVERLAP: &str = "matrix-overlap";

/// The rule of two groups of four lanes that access the LDS; its cases are [`LaneGroupsCase`](super::LaneGroupsCase)s.
pub const LDS_LANES: &str = "lds-lanes";

/// The rule of `amount` loads, and a wait for the last of them.
pub const RETURNS: &str = "returns";
/// The rule of `amount` instructions in a row, and a pause in which their unit executes what waits.
pub const QUEUE: &str = "queue";
/// The rule of two waves on a SIMD that run the same code; the case says whether they have the same priority: one of the next two.
pub const WAVE_ORDER: &str = "wave-order";
/// Both waves have the priority that they were launched with.
pub const ALIKE: &str = "alike";
/// Waves in odd slots have the highest priority, by S_SETPRIO.
pub const RAISED: &str = "odd slots raised";

/// The rule of two instructions in one; the case is the second one's name.
pub const PAIR: &str = "pair";
/// The rule of the two that do the same one after the other; the case is the second one's name.
pub const PAIR_IN_SEQUENCE: &str = "pair-apart";
/// The rule of dual issue with sources in one bank of registers; its cases are [`PairCase`](super::PairCase)s.
pub const PAIR_BANK: &str = "pair-bank";

/// The rule of a result that one unit brings and another reads. The baseline is the consumer alone.
pub const UNITS: &str = "units";
/// The rule of the same with S_DELAY_ALU between the two. The baseline lacks it.
pub const DELAYS: &str = "delays";
/// The rule of blocks of a transcendental instruction and `amount` others, which `case` names.
pub const TRANSCENDENTAL_OVERLAP: &str = "transcendental-overlap";
