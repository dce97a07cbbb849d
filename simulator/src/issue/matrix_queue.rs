//! Matrix instructions of a SIMD with pipelines, and the vector instructions after them: they are done in order.

use gcn_model::gpu::Pipelines;

/// Instructions that fit in it: the most that a GPU file may have.
const MOST: usize = 16;

/// The content of the queue, and until when.
///
/// Thread traces of RDNA 3 and 4 show eight matrix instructions in as many cycles; then one instruction, of whichever kind, for each that
/// is done, as many cycles apart as those take.
#[derive(Debug)]
pub(super) struct MatrixQueue {
    places: usize,
    start_cycles: u64,
    result_cycles: u64,
    overwrite_cycles: u64,
    accumulate_cycles: u64,
    /// When those that came last are done: a ring.
    done: [u64; MOST],
    entered: usize,
}

impl MatrixQueue {
    /// An empty one; of a SIMD without pipelines nothing ever comes into it.
    pub(super) fn new(pipelines: Option<&Pipelines>) -> Self {
        let of = |value: fn(&Pipelines) -> u32| pipelines.map_or(0, |pipelines| u64::from(value(pipelines)));
        Self {
            places: of(|of| of.matrix_queue) as usize,
            start_cycles: of(|of| of.matrix_start_cycles),
            result_cycles: of(|of| of.matrix_result_cycles),
            overwrite_cycles: of(|of| of.matrix_overwrite_cycles),
            accumulate_cycles: of(|of| of.matrix_accumulate_cycles),
            done: [0; MOST],
            entered: 0,
        }
    }

    /// First cycle at which there is a place in it.
    pub(super) fn ready(&self) -> u64 {
        self.entered.checked_sub(self.places.max(1)).map_or(0, |leaving| self.done[leaving % MOST] + 1)
    }

    /// When the last one is done.
    pub(super) fn last(&self) -> u64 {
        self.entered.checked_sub(1).map_or(0, |last| self.done[last % MOST])
    }

    fn add(&mut self, done: u64) {
        self.done[self.entered % MOST] = done;
        self.entered += 1;
    }

    /// A matrix instruction of this many cycles, issued at `cycle`, whose registers can be read from `reads` on, and of which those that it
    /// writes can be read as others wrote them from `overwritten` on: the cycle of its start.
    /// One that `accumulates` into its source starts later where it waits for no other.
    pub(super) fn enter_matrix(
        &mut self,
        cycle: u64,
        cycles: u64,
        (reads, overwritten): (u64, u64),
        accumulates: bool,
    ) -> u64 {
        let start_cycles = self.start_cycles + if accumulates { self.accumulate_cycles } else { 0 };
        let overwritten = (overwritten + self.overwrite_cycles).saturating_sub(self.result_cycles);
        let start = (cycle + start_cycles).max(self.last()).max(reads).max(overwritten);
        self.add(start + cycles);
        start
    }

    /// Another vector instruction, whose registers can be read from `reads` on: it goes by if no matrix instruction is under way. If one is,
    /// it waits here for its registers, too, and what its wave issues next does not wait for it.
    pub(super) fn enter(&mut self, cycle: u64, cycles: u64, reads: u64) -> u64 {
        if self.last() <= cycle {
            return cycle;
        }
        let start = self.last().max(reads);
        self.add(start + cycles);
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::Gpu;

    /// The gaps between issues of matrix instructions of this many cycles and five other vector instructions, on a GPU: each matrix
    /// instruction writes the same registers, which the next one reads, or does not.
    fn gaps(gpu: &str, cycles: &[u64], reads: bool) -> Vec<u64> {
        let gpu = Gpu::named(gpu).unwrap();
        let mut queue = MatrixQueue::new(gpu.pipelines.as_ref());
        let (mut cycle, mut written, mut issues) = (100, 0, vec![]);
        for own in cycles.iter().copied().map(Some).chain([None; 5]) {
            cycle = (cycle + 1).max(queue.ready());
            issues.push(cycle);
            match own {
                Some(own) => {
                    let start = queue.enter_matrix(cycle, own, (if reads { written } else { 0 }, written), false);
                    written = start + own + queue.result_cycles;
                }
                None => assert!(queue.enter(cycle, 1, 0) > cycle),
            }
        }
        issues.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    #[test]
    fn the_ninth_instruction_waits_for_the_first() {
        let of_gfx12 = gaps("rx9070xt", &[16, 16, 16, 8, 8, 16, 8, 8, 8, 8, 8], false);
        assert_eq!(of_gfx12, [1, 1, 1, 1, 1, 1, 1, 17, 16, 16, 8, 8, 16, 8, 8]);
        let of_gfx11 = gaps("rx7900xtx", &[32, 32, 32, 32, 16, 32], false);
        assert_eq!(of_gfx11, [1, 1, 1, 1, 1, 1, 1, 34, 34, 34]);
    }

    #[test]
    fn readers_of_the_result_start_later() {
        let gaps = gaps("rx9070xt", &[16; 10], true);
        assert_eq!(gaps, [1, 1, 1, 1, 1, 1, 1, 17, 18, 18, 18, 18, 18, 18]);
    }

    #[test]
    fn other_instructions_go_by_where_no_matrix_instruction_is_under_way() {
        let gpu = Gpu::named("rx9070xt").unwrap();
        let mut queue = MatrixQueue::new(gpu.pipelines.as_ref());
        assert_eq!(queue.enter(100, 1, 0), 100);
        assert_eq!(queue.enter_matrix(101, 16, (0, 0), false), 108);
        assert_eq!(queue.enter(102, 1, 0), 124);
        assert_eq!(queue.enter(125, 1, 0), 125);
        assert_eq!(queue.ready(), 0);
    }
}
