//! A one-wave prediction compared with llvm-mca's.

use std::collections::BTreeMap;

use gcn_model::decode::Decoded;
use gcn_model::gpu::Gpu;
use gcn_model::isa::Encoding;
use gcn_model::quantity::Cycles;
use gcn_predict::{Code, Line, Prediction, Stall};
use serde::Serialize;

use super::cause::McaCause;
use super::error::McaError;
use super::program::LlvmMca;
use super::schedule::{Awaited, Step, iterations, steps};

/// The published tables' name for the GPU's rate of double precision, where a prediction's [`Line::source`] has it.
const RATE_OF_DOUBLE_PRECISION: &str = "DPFACTOR";

/// A one-wave prediction compared with llvm-mca's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Of llvm-mca.
    pub version: String,
    /// Shader cycles of an iteration for llvm-mca: its turns, times the cycles of a turn.
    pub cycles_per_iteration: Cycles,
    /// The prediction's cycles less llvm-mca's.
    pub difference: Cycles,
    /// The causes of the difference, without those of no cycles.
    pub causes: BTreeMap<McaCause, Cycles>,
    /// The rest of the difference.
    pub unexplained: Cycles,
    /// The instructions that llvm-mca was given.
    pub instructions: Vec<McaLine>,
}

/// An instruction for llvm-mca.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct McaLine {
    pub address: u64,
    /// Shader cycles from the issue of the instruction before it.
    pub cycles: Cycles,
    /// Shader cycles until its result can be read.
    pub latency: Cycles,
}

/// A line of a prediction that the wave reaches.
struct Reached<'a> {
    line: &'a Line,
    decoded: &'a Decoded,
}

impl Reached<'_> {
    fn is_jump(&self) -> bool {
        self.decoded.branch_target(self.line.address).is_some()
    }

    /// Whether it is one of those that S_WAITCNT waits for.
    fn is_memory(&self) -> bool {
        let is_scalar = matches!(self.decoded.form, Encoding::Smrd | Encoding::Smem);
        is_scalar || matches!(self.line.unit, "vector memory" | "LDS" | "exports")
    }

    fn is_wait(&self) -> bool {
        self.decoded.generation.waits.contains_key(&self.decoded.instruction.name)
    }
}

impl Comparison {
    /// Lets llvm-mca repeat the instructions of a prediction, without its jumps.
    ///
    /// # Errors
    /// Instructions that llvm-mca refuses; a prediction of another code or GPU.
    pub fn of(mca: &LlvmMca, gpu: &Gpu, code: &Code, prediction: &Prediction) -> Result<Self, McaError> {
        let (start, end) = (prediction.region.start, prediction.region.end);
        let part = Code { address: start, words: code.words_of(start, end).unwrap_or_else(|| Vec::new().into()) };
        let decoded: BTreeMap<u64, Decoded> = part.instructions(gpu.processor())?.into_iter().collect();
        let reached = |line| Some(Reached { line, decoded: decoded.get(&line.address)? });
        let reached: Vec<Reached<'_>> =
            prediction.instructions.iter().filter(|line: &&Line| line.issue.0 > 0.0).filter_map(reached).collect();
        let (jumps, others): (Vec<_>, Vec<_>) = reached.into_iter().partition(Reached::is_jump);
        let texts: Vec<&str> = others.iter().map(|other| other.line.text.as_str()).collect();
        let may_await = |waits: usize, awaited: usize| !others[waits].is_wait() || others[awaited].is_memory();
        let (turns, steps) = if texts.is_empty() {
            (0.0, Vec::new())
        } else {
            let counted = iterations(texts.len());
            let [once, twice] = [counted, 2 * counted].map(|count| mca.run(gpu.processor().name(), &texts, count));
            let (once, twice) = (once?, twice?);
            // Half of the longer run is as long as the shorter one: start-up and the last results are in both.
            let more = twice.summary_view.total_cycles.saturating_sub(once.summary_view.total_cycles);
            (more as f64 / counted as f64, steps(&twice, may_await))
        };
        let turn = f64::from(gpu.generation.waves.issue_interval_cycles);
        let mut causes = Causes::default();
        for jump in &jumps {
            causes.add(McaCause::Jumps, jump.line.issue.0 + jump.line.stalled().0);
        }
        for (other, step) in others.iter().zip(&steps) {
            causes.add_line(other.line, other.decoded, turn);
            causes.add_step(step, &others, turn);
        }
        let cycles = turns * turn;
        let difference = prediction.cycles_per_iteration.0 - cycles;
        let explained: f64 = causes.0.values().sum();
        let lines = others.iter().zip(&steps).map(|(other, step)| McaLine {
            address: other.line.address,
            cycles: Cycles(step.turns * turn),
            latency: Cycles(step.latency as f64 * turn),
        });
        Ok(Self {
            version: mca.version.clone(),
            cycles_per_iteration: Cycles(cycles),
            difference: Cycles(difference),
            unexplained: Cycles(rounded(difference - explained)),
            causes: causes.worth_something(),
            instructions: lines.collect(),
        })
    }
}

/// What causes are worth, in shader cycles.
#[derive(Default)]
struct Causes(BTreeMap<McaCause, f64>);

impl Causes {
    fn add(&mut self, cause: McaCause, cycles: f64) {
        *self.0.entry(cause).or_default() += cycles;
    }

    /// A prediction's cycles of an instruction beyond one turn.
    fn add_line(&mut self, line: &Line, decoded: &Decoded, turn: f64) {
        let issue = match (decoded.instruction.name.as_str(), line.unit) {
            ("S_NOP", _) => McaCause::NopStates,
            ("S_SLEEP", _) => McaCause::Sleep,
            ("S_BARRIER", _) => McaCause::Barrier,
            (_, "vector ALU") if line.source.contains(RATE_OF_DOUBLE_PRECISION) => McaCause::DoublePrecision,
            (_, "vector ALU") => McaCause::VectorRate,
            (_, "vector memory" | "LDS" | "exports") => McaCause::MemoryIssue,
            (_, _) => McaCause::ScalarIssue,
        };
        self.add(issue, line.issue.0 - turn);
        for (stall, cycles) in &line.stalls {
            let cause = match stall {
                Stall::NoInstructionAvailable => McaCause::Fetch,
                Stall::AluDependency => McaCause::Dependency,
                Stall::ArbiterNotWin => McaCause::BusyUnit,
                Stall::Waitcnt => McaCause::MemoryWait,
                Stall::BarrierWait => McaCause::Barrier,
                Stall::SleepWait => McaCause::Sleep,
            };
            self.add(cause, cycles.0);
        }
    }

    /// What llvm-mca has beyond one turn.
    fn add_step(&mut self, step: &Step, others: &[Reached<'_>], turn: f64) {
        self.add(McaCause::MicroOperations, -(step.more_turns as f64) * turn);
        for (awaited, turns) in &step.waits {
            // A wait for nothing that is known stays unexplained.
            let Some(awaited) = awaited else { continue };
            let cause = match awaited {
                Awaited::Unit(_) => McaCause::BusyUnit,
                Awaited::Result(index) if others[*index].is_memory() => McaCause::MemoryWait,
                Awaited::Result(_) => McaCause::Dependency,
            };
            self.add(cause, -turns * turn);
        }
    }

    fn worth_something(self) -> BTreeMap<McaCause, Cycles> {
        let causes = self.0.into_iter().map(|(cause, cycles)| (cause, Cycles(rounded(cycles))));
        causes.filter(|(_, cycles)| cycles.0 != 0.0).collect()
    }
}

/// Without what adding up fractions leaves.
fn rounded(cycles: f64) -> f64 {
    const ROUNDING: f64 = 1e-6;
    if cycles.abs() < ROUNDING { 0.0 } else { cycles }
}
