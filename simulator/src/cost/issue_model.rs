//! The issue model: which cycles the SIMDs of a compute unit issue in, and when results can be read.
//!
//! A generation chooses it. Facts §3.1 (GCN: four SIMDs take turns, each issues every fourth cycle, and a result is there when the
//! wave issues again) and facts-cdna-rdna §3.2 (RDNA: a SIMD issues every cycle, and a dependent instruction waits for the result).

use gcn_model::gpu::Gpu;
use gcn_model::isa::DependencyTracking;

/// SIMDs of a compute unit or a work-group processor that the simulator has room for.
pub(crate) const MOST_SIMDS: usize = 4;
/// Compute units of a work-group processor that it has room for.
pub(crate) const MOST_UNITS: usize = 2;

/// How the SIMDs of a compute unit issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IssueModel {
    /// SIMDs that the waves of a work-group share, at most 4.
    pub simds: u32,
    /// Compute units that these are of, each with shared units and LDS of its own: several where a work-group has a whole work-group processor.
    pub compute_units: u32,
    /// Lanes of a wave, 32 or 64: [`Generation::lanes`](gcn_model::isa::Generation::lanes), as kernels are planned.
    pub wave_size: u32,
    /// Shader cycles between two issues of a SIMD to the same unit.
    pub interval: u32,
    /// When results can be read.
    pub dependency_tracking: DependencyTracking,
    /// Of the waves that can issue to a unit the oldest does, and not the one that is ready for longest.
    pub oldest_first: bool,
    /// A wave with a higher S_SETPRIO goes before others.
    pub heeds_priority: bool,
}

impl IssueModel {
    /// The issue model of a GPU.
    pub fn of(gpu: &Gpu) -> Self {
        let waves = &gpu.generation.waves;
        Self {
            simds: gpu.registers.simds,
            compute_units: 1,
            wave_size: gpu.processor().wave_size(),
            interval: waves.issue_interval_cycles,
            dependency_tracking: waves.dependency_tracking,
            oldest_first: gpu.scheduling.oldest_first,
            heeds_priority: gpu.scheduling.heeds_priority,
        }
    }

    /// SIMDs of a compute unit.
    pub const fn simds_of_unit(&self) -> u32 {
        self.simds / self.compute_units
    }

    /// The compute unit of the processor that a SIMD is in, and its number among the SIMDs of that: neighbours are in the same one.
    pub(crate) const fn place(&self, simd: u32) -> (u32, u32) {
        if self.compute_units == 1 {
            return (0, simd);
        }
        (simd / self.simds_of_unit(), simd % self.simds_of_unit())
    }
}
