//! Repeating a block until it is steady, and the part of the run that counts.

use std::collections::BTreeMap;

use gcn_model::quantity::Cycles;
use gcn_simulator::{Activity, BlockShape, LoweredBlock, Repetition, SimulationError};

/// Iterations of the first attempt.
const FIRST_ITERATIONS: u32 = 16;
/// A run whose halves take equally long goes on up to this for whole periods.
const PATIENCE: u32 = 8 * FIRST_ITERATIONS;
/// No attempt has more iterations of all waves than this, or more instructions than [`MOST_INSTRUCTIONS`], beyond the first.
const MOST_ITERATIONS: u32 = 1 << 14;
const MOST_INSTRUCTIONS: u64 = 2_000_000;
/// Halves of the part that counts may differ by this share of an iteration.
pub(crate) const STEADY: f64 = 1.0 / 500.0;

/// The part of a run in which all waves repeat the block.
pub(crate) struct Steady<'b> {
    /// Whether it is a whole number of periods, or its two halves take equally long.
    pub(crate) is_steady: bool,
    /// Whether it is a whole number of periods.
    pub(crate) is_periodic: bool,
    /// Iterations of each wave in the whole run.
    pub(crate) iterations: u32,
    /// Iterations of all waves in the part that counts.
    pub(crate) counted: u64,
    /// Cycles of all waves in it, by instruction and activity.
    pub(crate) cycles: BTreeMap<(u64, Activity), u64>,
    /// The whole run, and by wave its part that counts.
    repetition: Repetition<'b>,
    parts: BTreeMap<u32, Part>,
}

impl<'b> Steady<'b> {
    /// Repeats a block with these waves, more often each time, until it is steady or that takes too long.
    pub(crate) fn find(block: &'b LoweredBlock<'b>, shape: BlockShape) -> Result<Self, SimulationError> {
        let waves = u64::from(shape.simds * shape.waves_per_simd);
        let instructions = block.instructions().len() as u64;
        let mut repetition = block.repeat(shape)?;
        let mut iterations = FIRST_ITERATIONS;
        loop {
            repetition.reach(iterations)?;
            let parts = Parts::of(&repetition.iterations().collect::<Vec<_>>(), iterations);
            let next = u64::from(iterations) * 2;
            let is_enough = parts.is_periodic || parts.is_steady && iterations >= PATIENCE;
            if is_enough || next > u64::from(MOST_ITERATIONS) || next * waves * instructions > MOST_INSTRUCTIONS {
                return Ok(Self {
                    is_steady: parts.is_steady,
                    is_periodic: parts.is_periodic,
                    iterations,
                    counted: parts.counted.values().map(|part| part.iterations).sum(),
                    cycles: repetition.spent_within(|wave| parts.counted.get(&wave).map(Part::cycles)),
                    repetition,
                    parts: parts.counted,
                });
            }
            iterations *= 2;
        }
    }

    /// Cycles of all waves in which they are stalled while another wave of the same SIMD issues, by instruction.
    pub(crate) fn hidden(&self) -> BTreeMap<u64, u64> {
        self.repetition.hidden_within(|wave| self.parts.get(&wave).map(Part::cycles))
    }

    /// Cycles from the start of an iteration to that of the next, of a wave, on average over all waves.
    pub(crate) fn cycles_per_iteration(&self) -> Cycles {
        Cycles(self.of_iteration(self.cycles.values().sum()))
    }

    /// Cycles of all waves in the part that counts, as those of an iteration of each.
    pub(crate) fn of_iteration(&self, cycles: u64) -> f64 {
        cycles as f64 / self.counted.max(1) as f64
    }
}

/// The iterations of a wave that lie in a part of a run.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// The cycle at which the first of them begins.
    start: u64,
    /// The cycle at which the last of them ends.
    end: u64,
    iterations: u64,
}

impl Part {
    /// Its first cycle, and the cycle after its last.
    fn cycles(&self) -> (u64, u64) {
        (self.start, self.end)
    }
}

/// What counts of a run, and whether it is steady.
struct Parts {
    is_steady: bool,
    /// Whether what counts is a whole number of periods.
    is_periodic: bool,
    /// By wave.
    counted: BTreeMap<u32, Part>,
}

impl Parts {
    /// Of a run in which each wave begins this many iterations. The waves start and end in sequence: the later half counts
    /// of the time in which all repeat. It begins with the last wave's first iteration, since the fetch before it may take longer
    /// than all iterations, and ends when the first wave begins its last one. A wave that has no whole iteration in it counts with all
    /// of its time: others keep it from issuing.
    fn of(waves: &[&[u64]], iterations: u32) -> Self {
        let last = iterations as usize - 1;
        let all_until = waves.iter().filter_map(|starts| starts.get(last)).min().copied().unwrap_or(0);
        let within = |from: u64, until: u64| -> BTreeMap<u32, Part> {
            let of_wave = |starts: &[u64]| {
                let inside =
                    &starts[starts.partition_point(|at| *at < from)..starts.partition_point(|at| *at <= until)];
                match inside {
                    [start, .., end] => Part { start: *start, end: *end, iterations: inside.len() as u64 - 1 },
                    few => Part { start: from, end: until, iterations: few.len() as u64 },
                }
            };
            (0..).zip(waves).map(|(wave, starts)| (wave, of_wave(starts))).collect()
        };
        let slope = |parts: &BTreeMap<u32, Part>| {
            let iterations: u64 = parts.values().map(|part| part.iterations).sum();
            let cycles: u64 = parts.values().map(|part| part.end - part.start).sum();
            if iterations == 0 { f64::NAN } else { cycles as f64 / iterations as f64 }
        };
        let all_from = waves.iter().filter_map(|starts| starts.first()).max().copied().unwrap_or(0);
        let after = |share: u64| all_from + all_until.saturating_sub(all_from) / share;
        let half = after(2);
        let whole = periods(waves, half, all_until).or_else(|| periods_together(waves, half, all_until));
        if let Some(counted) = whole {
            return Self { is_steady: true, is_periodic: true, counted };
        }
        let counted = within(half, all_until);
        let [earlier, later] = [slope(&within(after(4), half)), slope(&counted)];
        let is_steady = (earlier - later).abs() <= STEADY * later;
        Self { is_steady, is_periodic: false, counted }
    }
}

/// The iterations of each wave that begin within some cycles, as many as whole periods of all waves together have; `None` where what is
/// there does not repeat at least once.
fn periods(waves: &[&[u64]], from: u64, until: u64) -> Option<BTreeMap<u32, Part>> {
    let inside =
        |starts: &&'_ [u64]| starts.partition_point(|at| *at < from)..starts.partition_point(|at| *at <= until);
    let inside: Vec<&[u64]> = waves.iter().map(|starts| &starts[inside(starts)]).collect();
    let repeats = |starts: &[u64], period: usize| {
        let cycles = starts.get(period)? - starts[0];
        let is_twice = starts.len() > 2 * period;
        (is_twice && starts.windows(period + 1).all(|it| it[period] - it[0] == cycles)).then_some(cycles)
    };
    let first = inside.first().filter(|starts| !starts.is_empty())?;
    (1..first.len()).find_map(|period| {
        let cycles = repeats(first, period)?;
        let iterations: Vec<usize> = inside
            .iter()
            .map(|starts| {
                let period = starts.binary_search(&(starts.first()? + cycles)).ok()?;
                repeats(starts, period).map(|_| period)
            })
            .collect::<Option<_>>()?;
        let whole = inside.iter().zip(&iterations).map(|(starts, period)| (starts.len() - 1) / period).min()?;
        let part = |(starts, period): (&&[u64], &usize)| {
            let count = whole * period;
            Part { start: starts[0], end: starts[count], iterations: count as u64 }
        };
        Some((0..).zip(inside.iter().zip(&iterations).map(part)).collect())
    })
}

/// Likewise where waves change their places: what repeats are the starts of all waves together.
fn periods_together(waves: &[&[u64]], from: u64, until: u64) -> Option<BTreeMap<u32, Part>> {
    let mut starts: Vec<u64> = waves.iter().flat_map(|starts| starts.iter().copied()).collect();
    starts.retain(|at| (from..=until).contains(at));
    starts.sort_unstable();
    let (count, first) = (starts.len(), *starts.first()?);
    let period = (1..=count.saturating_sub(1) / 2).find(|period| {
        let cycles = starts[*period] - first;
        cycles > 0 && starts.windows(period + 1).all(|it| it[*period] - it[0] == cycles)
    })?;
    let end = first + (starts[period] - first) * ((count - 1) / period) as u64;
    let part = |starts: &&[u64]| {
        let iterations = starts.iter().filter(|at| (first..end).contains(*at)).count() as u64;
        Part { start: first, end, iterations }
    };
    Some((0..).zip(waves.iter().map(part)).collect())
}

#[cfg(test)]
mod tests {
    use gcn_model::gpu::Gpu;
    use gcn_simulator::{Block, Configuration};

    use super::*;

    #[test]
    fn waves_that_wait_for_all_others_count_with_their_time() {
        // One wave issues at uneven distances, one once, one only at its start: three waves in 4,000 cycles.
        let uneven: Vec<u64> = (0..=40).map(|it| it * 100 + it * it % 7).collect();
        let waves: [&[u64]; 3] = [&uneven, &[0, 3_000], &[0]];
        let parts = Parts::of(&waves, 41);
        assert!(!parts.is_periodic);
        let sum = |of: fn(&Part) -> u64| parts.counted.values().map(of).sum::<u64>();
        let cycles = sum(|part| part.end - part.start) as f64 / sum(|part| part.iterations) as f64;
        // An iteration begins at an edge or not.
        assert!((cycles - 3.0 * 100.0 * 20.0 / 21.0).abs() < 15.0, "{cycles}");
    }

    #[test]
    fn a_fetch_that_takes_longer_than_all_iterations_does_not_count() {
        // v_rcp_f32 v1, v0; v_mul_f32 v1, v0, v0; s_branch to the first.
        let words = [0x7e02_0300 | 0x5400, 0x0a02_0100, 0xbf82_fffd];
        let mut gpu = Gpu::named("fiji").unwrap();
        let found = [100, 1_000_000].map(|miss_cycles| {
            gpu.instruction_cache.miss_cycles = miss_cycles;
            let configuration = Configuration::of(&gpu);
            let block = LoweredBlock::of(&configuration, Block { name: "loop", address: 0, words: &words }).unwrap();
            let shape = BlockShape { simds: 4, waves_per_simd: 2, waves_per_group: 1, iterations: 1 };
            let steady = Steady::find(&block, shape).unwrap();
            (steady.is_periodic, steady.iterations, steady.cycles_per_iteration())
        });
        assert_eq!(found[0], found[1]);
        assert!(found[0].0, "{found:?}");
    }
}
