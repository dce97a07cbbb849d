//! The time of the card's memory for the traffic of an iteration.

use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;
use gcn_simulator::BlockInstruction;
use serde::Serialize;

use crate::question::Question;

/// The time of the card's memory for the traffic of an iteration of all its waves, if every byte came from it.
///
/// What caches hold takes less, and addresses that lie apart take more: unlike a [`Bound`](crate::Bound) it limits nothing for sure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MemoryTraffic {
    /// Bytes of an iteration of a wave, all its lanes active.
    pub bytes: u64,
    /// Instructions that are not counted, because only their descriptor tells how many bytes they move.
    pub uncounted: u32,
    /// Bytes that the memory moves in a shader cycle at most, for all compute units.
    pub bytes_per_cycle: f64,
    /// Compute units that do the same at a time: all of the product.
    pub compute_units: u32,
    /// Cycles of an iteration, if nothing else took any.
    pub cycles: Cycles,
    /// Its share of the cycles that are predicted.
    pub share: f64,
}

impl MemoryTraffic {
    /// Of a region with these instructions, whose iterations take `predicted` cycles; `None` where nothing is moved, or the GPU's file
    /// does not say how much its memory moves.
    pub(crate) fn of(
        gpu: &Gpu,
        instructions: &[BlockInstruction],
        question: &Question,
        predicted: Cycles,
    ) -> Option<Self> {
        let bytes_per_cycle = gpu.memory_bytes_per_cycle()?;
        let reached = || instructions.iter().filter(|instruction| instruction.is_reached);
        let bytes: u64 = reached().filter_map(|instruction| instruction.memory_bytes).map(u64::from).sum();
        let uncounted = reached().filter(|instruction| instruction.memory_bytes.is_none()).count() as u32;
        if bytes == 0 && uncounted == 0 {
            return None;
        }
        let compute_units = gpu.compute_units;
        // The SIMDs are those of a compute unit, or of several that a work-group has.
        let places = f64::from(compute_units) / f64::from(gpu.generation.compute_units_of_group(question.group_mode));
        let waves = f64::from(question.waves_per_simd) * f64::from(question.simds) * places;
        let cycles = Cycles(bytes as f64 * waves / bytes_per_cycle);
        Some(Self { bytes, uncounted, bytes_per_cycle, compute_units, cycles, share: cycles.0 / predicted.0 })
    }
}
