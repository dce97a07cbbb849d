//! Which numbers of a simulated card rest on estimates.

use super::{TimingSource, Timings};
use crate::{
    gpu::Gpu,
    isa::{Encoding, Instruction},
};

/// The numbers of an instruction for which no source is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Guess {
    pub cycles: bool,
    /// Of a jump that is taken.
    pub taken: bool,
    /// Also of a load, where the latency of its memory is an estimate.
    pub latency: bool,
    pub throughput: bool,
}

impl Guess {
    /// Of an instruction on a GPU with these timings.
    pub fn of(gpu: &Gpu, timings: &Timings, instruction: &Instruction) -> Self {
        let is_guess = |source: &TimingSource| match source {
            TimingSource::Estimate { .. } => true,
            TimingSource::GpuFile { key } => gpu.is_estimate(key),
            _ => false,
        };
        let timing = timings.get(instruction);
        let cycles = is_guess(&timing.source);
        let of_memory = match instruction.encoding {
            Encoding::Mubuf | Encoding::Mtbuf | Encoding::Flat => Some("vector_memory.latency_cycles"),
            Encoding::Smrd | Encoding::Smem => Some("scalar_memory.latency_cycles"),
            Encoding::Ds => Some("lds.latency_cycles"),
            _ => None,
        };
        let latency = of_memory.map_or(cycles, |key| gpu.is_estimate(key));
        // That of published cycles follows from them.
        let throughput = cycles && is_guess(&timing.throughput_source);
        let taken = timing.taken_cycles.is_some() && gpu.is_estimate("branch.taken_cycles");
        Self { cycles, taken, latency, throughput }
    }
}
