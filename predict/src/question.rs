//! The question that a prediction answers: how many waves repeat a region, and where.

use std::num::NonZeroU32;

use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_simulator::{BlockShape, Configuration};
use serde::Serialize;

/// How a region is to be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Question {
    /// Waves of each SIMD.
    pub waves_per_simd: u32,
    /// SIMDs of the compute unit that have waves.
    pub simds: u32,
    /// Waves of a work-group, which wait for each other at S_BARRIER; all waves that there are if it is `None`.
    pub waves_per_group: Option<NonZeroU32>,
    /// Where the waves of a work-group may run.
    pub group_mode: GroupMode,
}

impl Default for Question {
    /// One wave on each of four SIMDs.
    fn default() -> Self {
        Self { waves_per_simd: 1, simds: 4, waves_per_group: None, group_mode: GroupMode::ComputeUnit }
    }
}

impl Question {
    /// The simulator that answers it: a compute unit of the GPU, or a work-group processor.
    pub(crate) fn machine(&self, gpu: &Gpu) -> Configuration {
        Configuration::of(gpu).for_groups_in(self.group_mode).into_owned()
    }

    /// The shape of the block that answers it.
    pub(crate) fn shape(&self, iterations: u32) -> BlockShape {
        BlockShape {
            simds: self.simds,
            waves_per_simd: self.waves_per_simd,
            waves_per_group: self.waves_per_group.map_or(self.simds * self.waves_per_simd, NonZeroU32::get),
            iterations,
        }
    }
}
