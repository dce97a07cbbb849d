//! The picture of what each wave does.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;

use super::look::{NAMES, kind};
use crate::prediction::Prediction;
use crate::timeline::{Timeline, WaveTimeline};

/// Iterations that a picture shows, if they are not too much to draw.
const ITERATIONS: f64 = 2.0;
/// Segments of a picture: more of them make the page slow.
const MOST_SEGMENTS: f64 = 10_000.0;
/// Height of a wave's row, and of its bars: issuing is higher than stalled, for eyes to which the colours are alike.
const ROW: usize = 16;
/// The distance of two marks of the axis is at least this number of cycles.
const LEAST_STEP: u64 = 40;
/// And no picture has more marks than this.
const MOST_MARKS: u64 = 60;

/// Default shader cycles of a run that are drawn for a prediction.
pub fn page_cycles(prediction: &Prediction) -> u64 {
    let waves = f64::from(prediction.question.waves_per_simd * prediction.question.simds);
    let kinds = prediction.instructions.iter().map(|line| 1 + line.stalls.len()).sum::<usize>();
    let iterations = (MOST_SEGMENTS / (waves * kinds.max(1) as f64)).min(ITERATIONS);
    (iterations * prediction.cycles_per_iteration.0).ceil().max(1.0) as u64
}

/// A row for each wave, and an axis.
#[derive(Serialize)]
pub(super) struct Picture {
    start: u64,
    cycles: u64,
    height: usize,
    kinds: Vec<Kind>,
    rows: Vec<Row>,
    marks: Vec<Mark>,
    /// Cycles from one mark to the next.
    step: u64,
    /// The rows as SVG: numbers alone, nothing to escape.
    svg: String,
}

/// A colour that occurs, and its meaning.
#[derive(Serialize)]
struct Kind {
    kind: usize,
    name: &'static str,
}

#[derive(Serialize)]
struct Row {
    wave: u32,
    simd: u32,
}

/// A mark of the axis.
#[derive(Serialize)]
struct Mark {
    cycle: u64,
    /// Of the picture's width.
    percent: String,
}

impl Picture {
    pub(super) fn of(prediction: &Prediction, timeline: &Timeline) -> Self {
        let step = step(timeline.cycles);
        let mark =
            |cycle: u64| Mark { cycle, percent: format!("{:.3}", cycle as f64 / timeline.cycles as f64 * 100.0) };
        let segments = timeline.waves.iter().flat_map(|wave| &wave.segments);
        let kinds: BTreeSet<usize> = segments.map(|segment| kind(segment.stall)).collect();
        Self {
            start: timeline.start,
            cycles: timeline.cycles,
            height: timeline.waves.len() * ROW,
            kinds: kinds.into_iter().map(|kind| Kind { kind, name: NAMES[kind] }).collect(),
            rows: timeline.waves.iter().map(|wave| Row { wave: wave.wave, simd: wave.simd }).collect(),
            marks: (0..timeline.cycles).step_by(step as usize).map(mark).collect(),
            step,
            svg: timeline.waves.iter().enumerate().map(|(row, wave)| drawn(row, wave, prediction)).collect(),
        }
    }
}

/// 1, 2 or 5 of a power of ten.
fn step(cycles: u64) -> u64 {
    let least = LEAST_STEP.max(cycles / MOST_MARKS);
    let steps = (0..).map(|power| 10_u64.pow(power)).flat_map(|power| [power, 2 * power, 5 * power]);
    steps.into_iter().find(|step| *step >= least).unwrap_or(least)
}

fn drawn(row: usize, wave: &WaveTimeline, prediction: &Prediction) -> String {
    let mut svg = String::new();
    let _ = writeln!(svg, "<g data-wave=\"{}\" data-simd=\"{}\">", wave.wave, wave.simd);
    for segment in &wave.segments {
        let found = prediction.instructions.binary_search_by_key(&segment.address, |line| line.address);
        let Ok(line) = found else { continue };
        let (top, height) = if segment.stall.is_none() { (1, 14) } else { (5, 8) };
        let _ = writeln!(
            svg,
            "<rect class=\"k{}\" data-line=\"{line}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{height}\"/>",
            kind(segment.stall),
            segment.start,
            row * ROW + top,
            segment.cycles,
        );
    }
    svg + "</g>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_few_and_at_round_cycles() {
        assert_eq!([1, 400, 3_000, 20_000, 100_000].map(step), [50, 50, 50, 500, 2_000]);
    }
}
