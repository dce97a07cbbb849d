//! What each wave does with its cycles, for a part of the time in which all waves repeat a region.

use std::collections::BTreeMap;

use gcn_model::gpu::Gpu;
use gcn_simulator::{Activity, Block, Segment, run_block};

use crate::awaited::{Awaited, Waits};
use crate::code::Code;
use crate::error::PredictError;
use crate::prediction::Prediction;
use crate::stall::Stall;

/// A window of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    /// First shader cycle of the window, counted from the start of the first wave.
    pub start: u64,
    /// Shader cycles of the window; fewer than were asked for where some waves go round much faster than the others.
    pub cycles: u64,
    /// By SIMD, and on each SIMD in the order of their start.
    pub waves: Vec<WaveTimeline>,
}

/// The actions of a wave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaveTimeline {
    /// Waves are counted from 0, as they start.
    pub wave: u32,
    /// The SIMD that it runs on, from 0.
    pub simd: u32,
    /// What fills the window, without gap or overlap; the first and the last segment are cut at its ends.
    pub segments: Vec<WaveSegment>,
    /// What its waits wait for.
    pub flights: Vec<Flight>,
}

/// A part of a wave's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaveSegment {
    /// Address of the instruction that the time is spent on.
    pub address: u64,
    /// Why the wave is stalled; `None` while the instruction holds it.
    pub stall: Option<Stall>,
    /// First shader cycle, counted from the start of the window.
    pub start: u64,
    /// Shader cycles, at least 1.
    pub cycles: u64,
}

/// A memory instruction that a wait waits for; both are in the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flight {
    /// The segment in which the memory instruction issues.
    pub memory: usize,
    /// The segment in which its wave waits, or the one in which the wait issues if there is nothing left to wait for.
    pub wait: usize,
}

/// Repeats the region of a prediction once more, and keeps the waves' actions in `window` shader cycles of the time in which all of them
/// repeat it.
///
/// # Errors
/// Those of [`predict`](crate::predict): the prediction is that of another code or GPU.
pub fn timeline(gpu: &Gpu, code: &Code, prediction: &Prediction, window: u64) -> Result<Timeline, PredictError> {
    let part = code.part(&prediction.region)?;
    let decoded = part.instructions(gpu.processor())?;
    let block = Block { name: &prediction.region.name, address: part.address, words: &part.words };
    // The first half of the run is the way to the steady state.
    let of_window = (window as f64 / prediction.cycles_per_iteration.0.max(1.0)).ceil() as u32;
    // Twice as far as the prediction went: a wave may have waited at the begin of the part that counts there.
    let shape = prediction.question.shape((2 * prediction.iterations).max(2 * (of_window + 1)));
    let run = run_block(&prediction.question.machine(gpu), block, shape)?;
    let waits = Waits::of(&decoded, &run.instructions);

    let mut of_waves: BTreeMap<(u32, u32), Vec<Segment>> = BTreeMap::new();
    for segment in run.segments {
        of_waves.entry((shape.simd_of(segment.wave), segment.wave)).or_default().push(segment);
    }
    // The last iteration of a wave is not repeated.
    let begins = |segment: &&Segment| segment.address == part.address && segment.activity == Activity::Issue;
    let last_start = |segments: &Vec<Segment>| segments.iter().rev().find(begins).map(|segment| segment.start);
    let all_until = of_waves.values().filter_map(last_start).min().unwrap_or(0);
    let start = all_until / 2;
    let cycles = window.min(all_until - start);
    let waves = of_waves
        .into_iter()
        .map(|((simd, wave), segments)| {
            let (segments, flights) = inside(&segments, &waits, start, cycles);
            WaveTimeline { wave, simd, segments, flights }
        })
        .collect();
    Ok(Timeline { start, cycles, waves })
}

/// A wave's action in a window, and the awaited counters there.
fn inside(all: &[Segment], waits: &Waits, start: u64, cycles: u64) -> (Vec<WaveSegment>, Vec<Flight>) {
    let until = start + cycles;
    let first = all.partition_point(|segment| segment.start + segment.cycles <= start);
    let end = all.partition_point(|segment| segment.start < until);
    let segments = all[first..end].iter().map(|segment| {
        let (from, to) = (segment.start.max(start), (segment.start + segment.cycles).min(until));
        let stall = Stall::of(segment.activity);
        WaveSegment { address: segment.address, stall, start: from - start, cycles: to - from }
    });
    let issues: Vec<usize> = (0..all.len()).filter(|at| all[*at].activity == Activity::Issue).collect();
    let issued: Vec<u64> = issues.iter().map(|at| all[*at].address).collect();
    let flights = waits.of_wave(&issued).into_iter().filter_map(|Awaited { memory, wait }| {
        let (memory, wait) = (issues[memory], issues[wait]);
        let waits = all.get(wait + 1).is_some_and(|next| next.activity == Activity::Wait);
        let wait = wait + usize::from(waits);
        (first <= memory && wait < end).then(|| Flight { memory: memory - first, wait: wait - first })
    });
    (segments.collect(), flights.collect())
}
