//! Predictions as CSV: a row for each instruction of each of them.

use gcn_model::csv_cell::no_formula;
use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;
use serde::Serialize;

use crate::line::Line;
use crate::prediction::Prediction;
use crate::stall::Stall;

/// A row. Cycles are those of an iteration of each wave, on average over all waves.
#[derive(Serialize)]
struct Row<'a> {
    gpu: String,
    /// Always: no figure is a measurement.
    simulated: bool,
    region: String,
    simds: u32,
    waves_per_simd: u32,
    address: String,
    bytes: u32,
    text: String,
    unit: &'a str,
    issue_cycles: Cycles,
    stalled_cycles: Cycles,
    no_instruction_available_cycles: Cycles,
    alu_dependency_cycles: Cycles,
    arbiter_not_win_cycles: Cycles,
    waitcnt_cycles: Cycles,
    barrier_wait_cycles: Cycles,
    sleep_wait_cycles: Cycles,
    hidden_cycles: Cycles,
    basis: &'a str,
    source: String,
}

impl<'a> Row<'a> {
    fn of(gpu: &Gpu, prediction: &Prediction, line: &'a Line) -> Self {
        let of = |stall: Stall| line.stalls.get(&stall).copied().unwrap_or(Cycles(0.0));
        Self {
            gpu: no_formula(&gpu.name),
            simulated: true,
            region: no_formula(&prediction.region.name),
            simds: prediction.question.simds,
            waves_per_simd: prediction.question.waves_per_simd,
            address: format!("{:#08x}", line.address),
            bytes: line.bytes.0,
            text: no_formula(&line.text),
            unit: line.unit,
            issue_cycles: line.issue,
            stalled_cycles: line.stalled(),
            no_instruction_available_cycles: of(Stall::NoInstructionAvailable),
            alu_dependency_cycles: of(Stall::AluDependency),
            arbiter_not_win_cycles: of(Stall::ArbiterNotWin),
            waitcnt_cycles: of(Stall::Waitcnt),
            barrier_wait_cycles: of(Stall::BarrierWait),
            sleep_wait_cycles: of(Stall::SleepWait),
            hidden_cycles: line.hidden,
            basis: line.basis.name(),
            source: no_formula(&line.source),
        }
    }
}

/// The instructions of predictions as CSV, with a header; lines end with a line feed.
pub fn rows(gpu: &Gpu, predictions: &[Prediction]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for prediction in predictions {
        for line in &prediction.instructions {
            writer.serialize(Row::of(gpu, prediction, line)).expect("memory takes every row");
        }
    }
    let bytes = writer.into_inner().expect("memory takes every row");
    String::from_utf8(bytes).expect("all fields are text")
}
