//! What a wave has in the pipelines of its SIMD: scalar instructions that wait for their execution, and masks under way.

use gcn_model::gpu::Pipelines;

/// Scalar instructions of a wave that can wait: what a GPU file may say at most.
const MOST_QUEUED: usize = 16;

/// What a wave has in the pipelines.
#[derive(Debug, Clone)]
pub(crate) struct WavePipelines {
    /// When the scalar instructions that were issued last are executed: a ring.
    executed: [u64; MOST_QUEUED],
    issued: usize,
    queue: usize,
    /// Vector instructions under way that write scalar registers, if it is not [`masks_end`](Self::masks_end) yet.
    masks: u32,
    most_masks: u32,
    mask_latency: u64,
    /// When all of these have ended.
    masks_end: u64,
    /// Results of scalar instructions are there after their latency, and the state of the wave can be read so much later.
    state: u64,
    /// How much later than by other instructions a vector register is read as an address.
    pub(crate) address_delay: u64,
}

impl WavePipelines {
    /// Empty ones.
    pub(crate) fn new(pipelines: &Pipelines) -> Self {
        Self {
            executed: [0; MOST_QUEUED],
            issued: 0,
            queue: pipelines.scalar_queue as usize,
            masks: 0,
            most_masks: pipelines.masks_under_way,
            mask_latency: u64::from(pipelines.mask_latency_cycles),
            masks_end: 0,
            state: u64::from(pipelines.scalar_latency_cycles + pipelines.state_cycles),
            address_delay: u64::from(pipelines.address_latency_cycles - pipelines.vector_latency_cycles),
        }
    }

    /// First cycle at which a scalar instruction finds a place in the queue: behind that in which one leaves it.
    pub(crate) fn scalar_ready(&self) -> u64 {
        match self.issued.checked_sub(self.queue) {
            Some(leaving) => self.executed[leaving % MOST_QUEUED] + 1,
            None => 0,
        }
    }

    /// First cycle at which a hardware register can be read or written: behind all scalar instructions before it.
    pub(crate) fn state_ready(&self) -> u64 {
        self.issued.checked_sub(1).map_or(0, |last| self.executed[last % MOST_QUEUED] + self.state)
    }

    /// How long a vector instruction's scalar result is on its way to others than vector instructions, beyond its own cycles.
    pub(crate) fn mask_latency(&self) -> u64 {
        self.mask_latency
    }

    /// Issues a scalar instruction whose registers are free from cycle `free` on: when it is executed, behind all before it.
    pub(crate) fn issue_scalar(&mut self, cycle: u64, free: u64) -> u64 {
        let behind = self.issued.checked_sub(1).map_or(0, |last| self.executed[last % MOST_QUEUED] + 1);
        let executed = cycle.max(free).max(behind);
        self.executed[self.issued % MOST_QUEUED] = executed;
        self.issued += 1;
        executed
    }

    /// First cycle at which a vector instruction can be issued that writes scalar registers.
    pub(crate) fn mask_ready(&self) -> u64 {
        if self.masks < self.most_masks { 0 } else { self.masks_end }
    }

    /// Issues a vector instruction that writes scalar registers and takes so many cycles.
    pub(crate) fn issue_mask(&mut self, cycle: u64, cycles: u64) {
        if cycle >= self.masks_end {
            self.masks = 0;
        }
        self.masks += 1;
        self.masks_end = self.masks_end.max(cycle + cycles + self.mask_latency);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::Gpu;

    fn pipelines() -> WavePipelines {
        WavePipelines::new(Gpu::named("rx6800").unwrap().pipelines.as_ref().unwrap())
    }

    #[test]
    fn scalar_instructions_wait_in_a_queue_until_it_is_full() {
        let mut pipelines = pipelines();
        let (mut cycle, mut free) = (100, 0);
        let issued: Vec<u64> = (0..12)
            .map(|_| {
                cycle = (cycle + 1).max(pipelines.scalar_ready());
                // Each reads what the one before writes.
                free = pipelines.issue_scalar(cycle, free) + 2;
                cycle - 101
            })
            .collect();
        assert_eq!(issued, [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15]);
    }

    #[test]
    fn the_eighth_mask_waits_for_all_before_it() {
        let mut pipelines = pipelines();
        for cycle in 0..7 {
            assert_eq!(pipelines.mask_ready(), 0);
            pipelines.issue_mask(cycle, 1);
        }
        assert_eq!(pipelines.mask_ready(), 6 + 1 + 8);
        pipelines.issue_mask(15, 2);
        assert_eq!(pipelines.mask_ready(), 0);
    }
}
