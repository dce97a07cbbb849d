//! Repeating a block until it is steady, and the part of the run that counts.

use std::collections::BTreeMap;

use gcn_model::quantity::Cycles;
use gcn_simulator::{
    Activity, Block, BlockInstruction, BlockShape, Configuration, Segment, SimulationError, run_block,
};

/// Iterations of the first attempt.
const FIRST_ITERATIONS: u32 = 16;
/// No attempt has more iterations of all waves than this, or more instructions than [`MOST_INSTRUCTIONS`], beyond the first.
const MOST_ITERATIONS: u32 = 1 << 14;
const MOST_INSTRUCTIONS: u64 = 2_000_000;
/// Halves of the part that counts may differ by this share of an iteration.
pub(crate) const STEADY: f64 = 1.0 / 500.0;

/// The part of a run in which all waves repeat the block.
pub(crate) struct Steady {
    pub(crate) instructions: Vec<BlockInstruction>,
    /// Whether its two halves take equally long.
    pub(crate) is_steady: bool,
    /// Iterations of each wave in the whole run.
    pub(crate) iterations: u32,
    /// Iterations of all waves in the part that counts.
    pub(crate) counted: u64,
    /// Cycles of all waves in it, by instruction and activity.
    pub(crate) cycles: BTreeMap<(u64, Activity), u64>,
}

impl Steady {
    /// Repeats a block with these waves, more often each time, until it is steady or that takes too long.
    pub(crate) fn find(
        configuration: &Configuration,
        block: Block<'_>,
        mut shape: BlockShape,
    ) -> Result<Self, SimulationError> {
        shape.iterations = FIRST_ITERATIONS;
        loop {
            let run = run_block(configuration, block, shape)?;
            let instructions = run.instructions.len() as u64;
            let steady = Self::of(run.instructions, &run.segments, block.address, shape.iterations);
            let waves = u64::from(shape.simds * shape.waves_per_simd);
            let next = u64::from(shape.iterations) * 2;
            if steady.is_steady || next > u64::from(MOST_ITERATIONS) || next * waves * instructions > MOST_INSTRUCTIONS
            {
                return Ok(steady);
            }
            shape.iterations *= 2;
        }
    }

    /// Cycles from the start of an iteration to that of the next, of one wave, on average over all waves.
    pub(crate) fn cycles_per_iteration(&self) -> Cycles {
        Cycles(self.cycles.values().sum::<u64>() as f64 / self.counted.max(1) as f64)
    }

    fn of(instructions: Vec<BlockInstruction>, segments: &[Segment], first: u64, iterations: u32) -> Self {
        let mut starts: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for segment in segments {
            if segment.address == first && segment.activity == Activity::Issue {
                starts.entry(segment.wave).or_default().push(segment.start);
            }
        }
        // The waves start and end one after the other: what counts is the later part of the time in which all repeat.
        let all_until = starts.values().filter_map(|starts| starts.last()).min().copied().unwrap_or(0);
        let within = |from: u64, until: u64| -> BTreeMap<u32, (u64, u64, u64)> {
            let of_wave = |starts: &Vec<u64>| {
                let inside: Vec<u64> = starts.iter().copied().filter(|at| (from..=until).contains(at)).collect();
                let (start, end) = (*inside.first()?, *inside.last()?);
                (end > start).then_some((start, end, inside.len() as u64 - 1))
            };
            starts.iter().filter_map(|(wave, starts)| Some((*wave, of_wave(starts)?))).collect()
        };
        let slope = |parts: &BTreeMap<u32, (u64, u64, u64)>| {
            let iterations: u64 = parts.values().map(|(_, _, iterations)| iterations).sum();
            let cycles: u64 = parts.values().map(|(start, end, _)| end - start).sum();
            if iterations == 0 { f64::NAN } else { cycles as f64 / iterations as f64 }
        };
        let half = all_until / 2;
        let counts = within(half, all_until);
        let [earlier, later] = [within(half / 2, half), within(half, all_until)].map(|parts| slope(&parts));
        let mut cycles: BTreeMap<(u64, Activity), u64> = BTreeMap::new();
        for segment in segments {
            let Some((start, end, _)) = counts.get(&segment.wave) else { continue };
            if (*start..*end).contains(&segment.start) {
                *cycles.entry((segment.address, segment.activity)).or_default() += segment.cycles;
            }
        }
        Self {
            instructions,
            is_steady: counts.len() == starts.len() && (earlier - later).abs() <= STEADY * later,
            iterations,
            counted: counts.values().map(|(_, _, iterations)| iterations).sum(),
            cycles,
        }
    }
}
