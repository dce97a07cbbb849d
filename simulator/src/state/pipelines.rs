//! A wave's instructions in the pipelines of its SIMD: scalar instructions that wait for their execution, and masks in flight.

use crate::state::bank_caches::BankCaches;
use gcn_model::gpu::Pipelines;

/// Scalar instructions of a wave that can wait: the most that a GPU file may have.
const MOST_QUEUED: usize = 16;

/// A wave's instructions in the pipelines.
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
    /// How much later scalar instructions that read a register are executed.
    constant: u64,
    /// First cycles at which the wave issues instructions that wait for earlier ones.
    after: After,
    late: Late,
    /// Until when matrix instructions of the wave are under way: what it issues meanwhile waits for its registers in their queue.
    pub(crate) queued_until: u64,
    /// First cycle at which the last instruction that the wave put into that queue has its place there.
    queue_entered: u64,
    /// How much later than these results hardware registers are read and written.
    state: u64,
    /// How much later than by other instructions a vector register is read as an address.
    pub(crate) address_delay: u64,
    pub(crate) bank_caches: BankCaches,
}

/// First cycles at which a wave issues instructions of some kinds.
#[derive(Debug, Clone, Copy, Default)]
struct After {
    /// Of no unit.
    internal: u64,
    /// Of memory or LDS.
    memory: u64,
    /// Of the scalar ALU.
    scalar: u64,
    /// When all scalar registers have what vector instructions write there.
    masks: u64,
    /// When memory instructions have read their registers.
    read: u64,
    /// When those that write no register have.
    stores: u64,
}

/// How much later than the issue of one instruction another one is issued.
#[derive(Debug, Clone, Copy)]
struct Late {
    internal: u64,
    memory: u64,
    read: u64,
    scalar: u64,
    scalar_of_mask: u64,
    mask: u64,
    mask_result: u64,
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

/// The times of a scalar instruction: the cycle from which it can read its registers, the cycles of that and of its execution, and its
/// latency.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScalarTimes {
    pub(crate) from: u64,
    pub(crate) reads: u64,
    pub(crate) cycles: u64,
    pub(crate) latency: u64,
    /// It reads registers.
    pub(crate) has_sources: bool,
}

/// What kind of instruction was issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IssuedKind {
    Vector { reads_scalars: bool, writes_scalars: bool },
    VectorMemory { is_store: bool },
    Other,
}

/// What S_WAIT_ALU or S_WAITCNT_DEPCTR waits for: all that is under way of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnitWaits {
    /// Results of vector instructions.
    vectors: bool,
    /// Scalar registers that they write.
    masks: bool,
    /// Scalar registers that they read.
    scalar_sources: bool,
    /// What vector memory instructions read.
    memory_sources: bool,
    /// Results of scalar instructions.
    scalars: bool,
}

impl UnitWaits {
    /// Those of an immediate. A count that is not 0 lets as many be under way; it waits for nothing here.
    ///
    /// Source: LLVM 22.1 `AMDGPUBaseInfo.cpp`, DepCtr: va_vdst in bits 12 to 15, va_sdst in 9 to 11, va_ssrc 8, vm_vsrc 2 to 4, va_vcc 1, sa_sdst 0.
    pub(crate) fn of(immediate: u32) -> Self {
        let is_zero = |first: u32, bits: u32| immediate >> first & ((1 << bits) - 1) == 0;
        Self {
            vectors: is_zero(12, 4),
            masks: is_zero(9, 3) || is_zero(1, 1),
            scalar_sources: is_zero(8, 1),
            memory_sources: is_zero(2, 3),
            scalars: is_zero(0, 1),
        }
    }
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
            constant: u64::from(pipelines.scalar_constant_cycles),
            after: After::default(),
            late: Late {
                internal: u64::from(pipelines.internal_delay_cycles),
                memory: u64::from(pipelines.memory_after_vector_cycles),
                read: u64::from(pipelines.memory_read_cycles),
                scalar: u64::from(pipelines.scalar_after_vector_cycles),
                scalar_of_mask: u64::from(pipelines.scalar_after_mask_cycles),
                mask: u64::from(pipelines.mask_wait_cycles),
                mask_result: u64::from(pipelines.mask_result_cycles),
            },
            queued_until: 0,
            queue_entered: 0,
            state: u64::from(pipelines.state_cycles),
            address_delay: u64::from(pipelines.address_latency_cycles - pipelines.vector_latency_cycles),
            bank_caches: BankCaches::new(pipelines),
        }
    }

    /// First cycle at which the wave issues again: when a scalar instruction finds a place to wait for its registers, and a hardware
    /// register that was written has its value. Vector instructions after a full queue wait, too.
    pub(crate) fn next_ready(&self) -> u64 {
        let read = self.before(self.queue).map_or(0, |scalar| scalar.read);
        let executed = self.before(self.under_way).filter(|scalar| scalar.waited).map_or(0, |of| of.executed + 1);
        read.max(executed).max(self.state_written).max(self.queue_entered)
    }

    /// The scalar instruction that was issued this many before the next one.
    fn before(&self, places: usize) -> Option<&Scalar> {
        self.issued.checked_sub(places).map(|number| &self.scalars[number % MOST_QUEUED])
    }

    /// First cycle at which a hardware register can be read or written: after all scalar instructions before it.
    pub(crate) fn state_ready(&self) -> u64 {
        if self.issued == 0 { 0 } else { self.results + self.state }
    }

    /// How long a vector instruction's scalar result is on its way to others than vector instructions, beyond its own cycles.
    pub(crate) fn mask_result(&self) -> u64 {
        self.late.mask_result
    }

    /// First cycle at which an instruction of no unit is issued.
    pub(crate) fn internal_ready(&self) -> u64 {
        self.after.internal
    }

    /// First cycle at which an instruction is issued that waits until the stores have read their registers.
    pub(crate) fn stores_read(&self) -> u64 {
        self.after.stores
    }

    /// First cycle at which a memory or LDS instruction is issued.
    pub(crate) fn memory_ready(&self) -> u64 {
        self.after.memory
    }

    /// First cycle at which a scalar instruction is issued.
    pub(crate) fn scalar_ready(&self) -> u64 {
        self.after.scalar
    }

    /// First cycle at which a vector instruction is issued that writes scalar registers: after the results of scalar instructions.
    pub(crate) fn results_ready(&self) -> u64 {
        if self.issued == 0 { 0 } else { self.results + self.scalar_delay }
    }

    /// The end of the wait for these.
    pub(crate) fn wait_for(&self, units: UnitWaits) -> u64 {
        let of = |is_waited: bool, until: u64| if is_waited { until } else { 0 };
        of(units.vectors, self.after.memory)
            .max(of(units.masks, self.after.masks))
            .max(of(units.scalar_sources, self.after.scalar))
            .max(of(units.memory_sources, self.after.read))
            .max(of(units.scalars, self.results_ready()))
    }

    /// The wave has put an instruction into the queue of matrix instructions, whose last one ends at a cycle; there is a place for the next
    /// one from another cycle on, and the wave goes on then.
    pub(crate) fn queue(&mut self, until: u64, next: u64) {
        (self.queued_until, self.queue_entered) = (until, next);
    }

    /// Notes what an instruction that is issued at a cycle lets others wait for. If it is a vector one, it is executed at `cycle`; if it is for
    /// vector memory, its registers are read until then.
    pub(crate) fn issue(&mut self, kind: IssuedKind, issued: u64, cycle: u64) {
        self.after.internal = issued + 1 + self.late.internal;
        match kind {
            IssuedKind::Vector { reads_scalars, writes_scalars } => {
                self.after.memory = self.after.memory.max(cycle + self.late.memory);
                if reads_scalars {
                    self.after.scalar = self.after.scalar.max(cycle + self.late.scalar);
                }
                if writes_scalars {
                    self.after.scalar = self.after.scalar.max(cycle + self.late.scalar_of_mask);
                    self.after.masks = self.after.masks.max(cycle + self.late.mask);
                }
            }
            IssuedKind::VectorMemory { is_store } => {
                self.after.read = self.sources_read(cycle);
                if is_store {
                    self.after.stores = self.after.read;
                }
            }
            IssuedKind::Other => {}
        }
    }

    /// First cycle at which the sources of a vector memory instruction, which are read until `cycle`, are overwritten.
    pub(crate) fn sources_read(&self, cycle: u64) -> u64 {
        cycle + self.late.read
    }

    /// Issues a scalar instruction whose awaited results and destinations are free from cycle `free` on: when it is executed, after all before it.
    pub(crate) fn issue_scalar(&mut self, times: ScalarTimes, free: u64) -> u64 {
        let last = self.before(1).copied();
        let read = times.from.max(last.map_or(0, |last| last.read + 1)) + times.reads - 1;
        let read_cycles =
            if times.has_sources { self.read_cycles } else { self.read_cycles.saturating_sub(self.constant) };
        let arrives = (read + read_cycles).max(last.map_or(0, |last| last.executed + 1));
        let start = arrives.max(free);
        let executed = start + times.cycles - 1;
        let scalar = Scalar { read, executed, waited: executed > read + read_cycles };
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

    /// Issues a vector instruction that writes scalar registers and takes this many cycles.
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

    /// The cycles at which scalar instructions are issued that take these, if each reads the result of the one before.
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

    const SHORT: ScalarTimes = ScalarTimes { from: 0, reads: 2, cycles: 1, latency: 2, has_sources: true };

    #[test]
    fn scalar_instructions_wait_in_a_queue_until_it_is_full() {
        assert_eq!(issues(&[SHORT; 12]), [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15]);
    }

    /// Multiplications wait for each other where they are executed, which is further on than where they read their registers.
    #[test]
    fn waiting_instructions_fill_a_longer_queue() {
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
