//! The repeated code of an experiment on many waves.

use gcn_model::record::ExperimentKind;

use crate::kernel::{Block, Order};

/// An experiment on many waves.
pub(super) struct Throughput<'a> {
    /// Name of its kernels, below the instruction.
    pub(super) name: &'a str,
    /// Its own name, below the instruction: short, since each of many readings has it.
    pub(super) id: &'a str,
    pub(super) kind: ExperimentKind,
    /// The repeated blocks, and their order.
    pub(super) block: (Block, Order),
    /// Times that a kernel runs the block's copies between the readings.
    pub(super) timed: u32,
    /// Waves on a SIMD, an experiment for each.
    pub(super) waves: &'a [u32],
}
