//! Barriers of work-groups: waves arrive one after the other, and continue together.

use gcn_model::gpu::Pipelines;

use crate::issue::activity::Activity;
use crate::issue::compute_unit::ComputeUnit;
use crate::lower::shared::Shared;
use crate::state::wave::{State, Wave};

/// What takes the arrivals of all work-groups of a compute unit or work-group processor.
///
/// Thread traces of gfx1100 with groups of 8 waves show one arrival a cycle, and 16 cycles from the last one of a group to the next instruction
/// of its waves (docs/silicon.md).
#[derive(Debug, Clone, Default)]
pub(crate) struct BarrierUnit {
    arrival_cycles: u64,
    opening_cycles: u64,
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

impl ComputeUnit {
    pub(super) fn wait_at_barrier(&mut self, simd: usize, index: u32) {
        self.simds[simd].look(&self.shared_free[simd]);
        self.waves[index as usize].state = State::AtBarrier;
        self.simds[simd].at_barrier += 1;
    }

    /// A wave has reached the barrier at `cycle`: with the last one it opens for those that wait. A group of a single wave has no barrier.
    pub(super) fn arrive(&mut self, index: u32, cycle: u64, shared: &Shared<'_>) {
        let group = &mut self.groups[self.waves[index as usize].group];
        let is_shared = group.waves.len() > 1;
        let taken = if is_shared { self.barriers.take(cycle, 1) } else { cycle };
        group.at_barrier += 1;
        if group.at_barrier < group.alive {
            return;
        }
        group.at_barrier = 0;
        group.openings += 1;
        let is_waiting = |wave: &Wave| wave.state == State::AtBarrier;
        let of_group = group.waves.clone();
        let waiting = self.waves[of_group.clone()].iter().filter(|wave| is_waiting(wave)).map(|wave| wave.ready);
        let ready = waiting.max().unwrap_or(0).max(self.waves[index as usize].ready);
        group.opens = if is_shared { ready.max(taken + self.barriers.opening_cycles) } else { ready };
        let opens = group.opens;
        for index in of_group {
            if is_waiting(&self.waves[index]) {
                self.waves[index].state = State::Running;
                self.simds[self.waves[index].simd as usize].at_barrier -= 1;
                self.waves[index].ready = opens;
                if let Some(recording) = &mut self.recording {
                    recording.spend_on_issued(index as u32, Activity::Barrier, opens);
                }
                self.enter(index as u32, shared);
            }
        }
    }
}
