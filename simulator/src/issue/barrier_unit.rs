//! What takes the waves of a compute unit's work-groups at their barriers.

use gcn_model::gpu::Pipelines;

/// What takes the arrivals of all work-groups of a compute unit or work-group processor.
///
/// Thread traces of gfx1100 with groups of 8 waves show one arrival a cycle, and 16 cycles from the last one of a group to the next instruction
/// of its waves (docs/silicon.md).
#[derive(Debug, Clone, Default)]
pub(crate) struct BarrierUnit {
    arrival_cycles: u64,
    /// From the last arrival of a group to the next instruction of its waves.
    pub(crate) opening_cycles: u64,
    /// When it can take the next arrival.
    free: u64,
}

impl BarrierUnit {
    pub(crate) fn new(pipelines: Option<&Pipelines>) -> Self {
        pipelines.map_or_else(Self::default, |pipelines| Self {
            arrival_cycles: pipelines.barrier_arrival_cycles.into(),
            opening_cycles: pipelines.barrier_opening_cycles.into(),
            free: 0,
        })
    }

    /// When it takes a wave that is there at `cycle`.
    pub(crate) fn takes(&self, cycle: u64) -> u64 {
        if self.arrival_cycles == 0 { cycle } else { cycle.max(self.free) }
    }

    /// Takes `waves` that are there at `cycle`: when it has taken the last one.
    pub(crate) fn take(&mut self, cycle: u64, waves: u64) -> u64 {
        let first = self.takes(cycle);
        self.free = first + self.arrival_cycles * waves;
        self.free - self.arrival_cycles
    }
}
