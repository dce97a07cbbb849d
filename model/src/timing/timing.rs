//! The timing of an instruction on a GPU.

use super::{LdsException, LdsTiming};
use crate::quantity::Passes;

/// Where a timing comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimingSource {
    /// The GPU's file, under this key: `cycles.V_ADD_F64`, `branch.taken_cycles`.
    GpuFile {
        /// The dotted key.
        key: String,
    },
    /// A row of a published table.
    Row {
        /// The source: `clrx`.
        source: String,
        /// The table: `VOP3`.
        section: String,
        /// The value as printed.
        printed: String,
    },
    /// A sentence of a published source.
    Rule {
        /// The source: `clrx`.
        source: String,
        /// The rule's id.
        id: String,
        /// The value as printed.
        printed: String,
    },
    /// The LDS bus model, from the instruction's operands and the GPU's LDS.
    LdsBusModel {
        /// Where the instruction departs from it.
        exception: Option<&'static LdsException>,
    },
    /// The passes of a matrix instruction, in `matrix.csv` of its generation.
    Passes {
        passes: Passes,
        /// The provenance of the row.
        source: String,
    },
    /// No source has it.
    Estimate {
        /// Why this value.
        reason: String,
        /// The provenance of the reason.
        source: String,
    },
}

/// Cycles and throughput of an instruction on a GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct InstructionTiming {
    /// Shader cycles for one wave; of a conditional jump, when it is not taken.
    pub cycles: u32,
    /// Shader cycles from its issue to that of an instruction that reads its result; where waves wait for each result, its cycles.
    pub latency: u32,
    /// Shader cycles of a taken jump; `None` for other instructions.
    pub taken_cycles: Option<u32>,
    /// Shader cycles that the GLC modifier adds.
    pub glc_cycles: u32,
    /// Instructions per cycle and compute unit.
    pub throughput: f64,
    /// The reservations of an LDS instruction; `None` for all others.
    pub lds: Option<LdsTiming>,
    /// Where the cycles come from.
    pub source: TimingSource,
    /// Where the throughput comes from.
    pub throughput_source: TimingSource,
}
