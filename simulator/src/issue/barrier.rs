//! Barriers of work-groups: waves arrive one after the other, and continue together.

use crate::issue::activity::Activity;
use crate::issue::compute_unit::ComputeUnit;
use crate::lower::shared::Shared;
use crate::state::wave::{State, Wave};

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
