//! What a wave has in the pipelines of its SIMD: scalar instructions that wait for their execution, and masks under way.

use gcn_model::gpu::Pipelines;

/// Scalar instructions of a wave that can wait: what a GPU file may say at most.
const MOST_QUEUED: usize = 16;

/// What a wave has in the pipelines.
#[derive(Debug, Clone)]
pub(crate) struct WavePipelines {
    /// The scalar instructions that were issued last: a ring.
    scalars: [Scalar; MOST_QUEUED],
    issued: usize,
    queue: usize,
    under_way: usize,
    read_cycles: u64,
    /// When all results of scalar instructions are there.
    results: u64,
    /// When a hardware register that was written last has its value.
    state_written: u64,
    state_write: u64,
    /// Vector instructions under way that write scalar registers, if it is not [`masks_end`](Self::masks_end) yet.
    masks: u32,
    most_masks: u32,
    mask_latency: u64,
    /// When all of these have ended.
    masks_end: u64,
    /// How much later results of scalar instructions are there for others.
    pub(crate) scalar_delay: u64,
    /// How much later than that they are in the registers.
    pub(crate) scalar_write: u64,
    /// How much later than these results hardware registers are read and written.
    state: u64,
    /// How much later than by other instructions a vector register is read as an address.
    pub(crate) address_delay: u64,
}

/// A scalar instruction that was issued.
#[derive(Debug, Clone, Copy, Default)]
struct Scalar {
    /// The last cycle in which it reads registers.
    read: u64,
    /// The last cycle of its execution.
    executed: u64,
    /// It waited for results, or takes more than a cycle.
    waited: bool,
}

/// What a scalar instruction takes: the cycle from which it can read its registers, the cycles of that and of its execution, and its
/// latency.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScalarTimes {
    pub(crate) from: u64,
    pub(crate) reads: u64,
    pub(crate) cycles: u64,
    pub(crate) latency: u64,
}

impl WavePipelines {
    /// Empty ones.
    pub(crate) fn new(pipelines: &Pipelines) -> Self {
        Self {
            scalars: [Scalar::default(); MOST_QUEUED],
            issued: 0,
            queue: pipelines.scalar_queue as usize,
            under_way: pipelines.scalar_under_way as usize,
            read_cycles: u64::from(pipelines.scalar_read_cycles),
            results: 0,
            state_written: 0,
            state_write: u64::from(pipelines.state_write_cycles),
            masks: 0,
            most_masks: pipelines.masks_under_way,
            mask_latency: u64::from(pipelines.mask_latency_cycles),
            masks_end: 0,
            scalar_delay: u64::from(pipelines.scalar_result_cycles),
            scalar_write: u64::from(pipelines.scalar_write_cycles),
            state: u64::from(pipelines.state_cycles),
            address_delay: u64::from(pipelines.address_latency_cycles - pipelines.vector_latency_cycles),
        }
    }

    /// First cycle at which the wave issues again: when a scalar instruction finds a place to wait for its registers, and a hardware
    /// register that was written has its value. Vector instructions behind a full queue wait, too.
    pub(crate) fn next_ready(&self) -> u64 {
        let read = self.before(self.queue).map_or(0, |scalar| scalar.read);
        let executed = self.before(self.under_way).filter(|scalar| scalar.waited).map_or(0, |of| of.executed + 1);
        read.max(executed).max(self.state_written)
    }

    /// The scalar instruction that was issued so many before the next one.
    fn before(&self, places: usize) -> Option<&Scalar> {
        self.issued.checked_sub(places).map(|number| &self.scalars[number % MOST_QUEUED])
    }

    /// First cycle at which a hardware register can be read or written: behind all scalar instructions before it.
    pub(crate) fn state_ready(&self) -> u64 {
        if self.issued == 0 { 0 } else { self.results + self.state }
    }

    /// How long a vector instruction's scalar result is on its way to others than vector instructions, beyond its own cycles.
    pub(crate) fn mask_latency(&self) -> u64 {
        self.mask_latency
    }

    /// Issues a scalar instruction whose results that it waits for, and whose registers that it writes, are free from cycle `free` on: when it is executed, behind all before it.
    pub(crate) fn issue_scalar(&mut self, times: ScalarTimes, free: u64) -> u64 {
        let last = self.before(1).copied();
        let read = times.from.max(last.map_or(0, |last| last.read + 1)) + times.reads - 1;
        let arrives = (read + self.read_cycles).max(last.map_or(0, |last| last.executed + 1));
        let start = arrives.max(free);
        let executed = start + times.cycles - 1;
        let scalar = Scalar { read, executed, waited: executed > read + self.read_cycles };
        self.scalars[self.issued % MOST_QUEUED] = scalar;
        self.issued += 1;
        self.results = self.results.max(start + times.latency);
        start
    }

    /// The scalar instruction that is executed at a cycle writes a hardware register.
    pub(crate) fn write_state(&mut self, executed: u64) {
        self.state_written = executed + self.state_write;
        self.results = self.results.max(self.state_written);
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

    /// The cycles at which scalar instructions are issued that take these, if each reads what the one before writes.
    fn issues(of: &[ScalarTimes]) -> Vec<u64> {
        let mut pipelines = pipelines();
        let (mut cycle, mut free) = (100, 0);
        of.iter()
            .map(|times| {
                cycle = (cycle + 1).max(pipelines.next_ready());
                free = pipelines.issue_scalar(ScalarTimes { from: cycle, ..*times }, free) + times.latency;
                cycle - 101
            })
            .collect()
    }

    const SHORT: ScalarTimes = ScalarTimes { from: 0, reads: 2, cycles: 1, latency: 2 };

    #[test]
    fn scalar_instructions_wait_in_a_queue_until_it_is_full() {
        assert_eq!(issues(&[SHORT; 12]), [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15]);
    }

    /// Multiplications wait for each other where they are executed, which is further on than where they read their registers.
    #[test]
    fn what_waits_for_results_fills_a_longer_queue() {
        let mut of = [SHORT; 20];
        of[8..12].fill(ScalarTimes { cycles: 2, latency: 3, ..SHORT });
        let issues = issues(&of);
        let gaps: Vec<u64> = issues.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(gaps[12..], [2, 2, 2, 3, 3, 3, 2]);
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
