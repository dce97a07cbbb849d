//! The classes of a scheduler: which tables speak of a target, which instructions are of which class, by rows of data files with their
//! sources, and what these measured.

use std::collections::HashMap;

use gcn_model::isa::{DependencyTracking, Instruction, Processor};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::one_wave::TimingRow;
use crate::results::Results;
use crate::settle::Status;
use crate::tables::{Measured, Number, by_key, plain};

/// A row of a file of instructions: one instruction, or all others of an encoding.
#[derive(Debug, Deserialize)]
struct MemberRow {
    instruction: String,
    encoding: String,
    /// Start of its models' names; empty of all. A later row counts before an earlier one.
    #[serde(default)]
    models: String,
    /// Empty where no class is known.
    #[serde(alias = "write")]
    class: String,
}

/// The rows of a data file of this crate.
pub(super) fn rows<T: DeserializeOwned>(text: &str) -> Vec<T> {
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    rows.map(|row| row.expect("the file is part of the program")).collect()
}

/// The instructions of a run by class; those of none by the empty text. What LLVM has no name for is left out where `is_named` asks for one.
/// `model` chooses among rows, and `of_matrix` is the class of a matrix instruction.
pub(super) fn members<'r>(
    text: &str,
    run: &'r Results,
    model: &str,
    is_named: bool,
    of_matrix: impl Fn(Processor, &'static Instruction) -> Option<String>,
) -> HashMap<String, Vec<&'r TimingRow>> {
    let mut of_instruction: HashMap<String, String> = HashMap::new();
    let mut of_encoding: HashMap<String, String> = HashMap::new();
    let is_of_model = |row: &MemberRow| model.starts_with(&row.models);
    for MemberRow { instruction, encoding, class, .. } in rows(text).into_iter().filter(is_of_model) {
        if instruction.is_empty() {
            of_encoding.insert(encoding, class)
        } else {
            of_instruction.insert(instruction, class)
        };
    }
    let processor = Processor::find(&run.record.device.target);
    let mut found: HashMap<String, Vec<&TimingRow>> = HashMap::new();
    for row in &run.timings {
        let known = processor.and_then(|processor| Some((processor, processor.instruction(&row.instruction)?)));
        if is_named && known.is_none_or(|(_, instruction)| instruction.llvm_mnemonic().is_none()) {
            continue;
        }
        // Newer generations have other names for the same.
        let meaning = known.and_then(|(_, instruction)| of_instruction.get(instruction.canonical_name()));
        let of_file = of_instruction.get(&row.instruction).or(meaning).or_else(|| of_encoding.get(&row.encoding));
        let matrix = known.and_then(|(processor, instruction)| of_matrix(processor, instruction));
        found.entry(matrix.or_else(|| of_file.cloned()).unwrap_or_default()).or_default().push(row);
    }
    found
}

/// What has to be said of instructions that are of no class of a scheduler.
pub(super) fn without_class<'r>(rows: impl Iterator<Item = &'r TimingRow>) -> Option<String> {
    let mut names: Vec<&str> = rows.map(|row| row.instruction.as_str()).collect();
    names.sort_unstable();
    let count = names.len();
    match names.as_slice() {
        [] => None,
        [first, second, _, ..] => Some(format!("{count} instructions ({first}, {second}, …)")),
        names => Some(names.join(", ")),
    }
}

/// A number that some instructions of a class measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Candidate {
    /// Shader cycles, in print.
    pub(super) cycles: String,
    #[serde(skip)]
    pub(super) value: f64,
    pub(super) instructions: Vec<String>,
}

/// Names of a candidate that are written out.
const SHOWN: usize = 4;

impl Candidate {
    /// The number with its instructions: `16 of V_DIV_FIXUP_F32`, `4 of 196 instructions (V_MOV_B32, …)`.
    pub(super) fn words(&self) -> String {
        match self.instructions.len() {
            count if count > SHOWN => {
                format!("{} of {count} instructions ({}, …)", self.cycles, self.instructions[..2].join(", "))
            }
            _ => format!("{} of {}", self.cycles, self.instructions.join(", ")),
        }
    }
}

/// The measurements of a class for a quantity: different numbers, the most frequent first; empty if nothing was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Candidates(pub(super) Vec<Candidate>);

impl Candidates {
    pub(super) fn of<'r>(rows: &[&'r TimingRow], quantity: impl Fn(&'r TimingRow) -> Option<Measured>) -> Self {
        // An unsure number is no candidate.
        let sure = rows.iter().copied().filter(|row| row.status == Status::Ok);
        let spans = sure.filter_map(|row| Some((quantity(row)?, row.instruction.clone())));
        let by_number = by_key(spans.map(|(span, name)| (Number::cycles(span).text, (span.value, name))));
        let candidate = |(cycles, of): (String, Vec<(f64, String)>)| Candidate {
            // The printed number is the one that is computed with.
            value: cycles.parse().unwrap_or(of[0].0),
            cycles,
            instructions: of.into_iter().map(|(_, name)| name).collect(),
        };
        let mut found: Vec<Candidate> = by_number.into_iter().map(candidate).collect();
        found.sort_by(|a, b| b.instructions.len().cmp(&a.instructions.len()).then(a.value.total_cmp(&b.value)));
        Self(found)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number, if all instructions measured the same.
    pub(super) fn one(&self) -> Option<&Candidate> {
        match self.0.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }

    /// All numbers with their instructions.
    pub(super) fn words(&self) -> String {
        self.0.iter().map(Candidate::words).collect::<Vec<_>>().join("; ")
    }
}

/// Which quantity of an instruction a class' latency is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum MeasuredBy {
    /// The latency of dependent instructions; the cycles of independent ones where no instruction of the class has one.
    Latency,
    /// The cycles of independent instructions.
    Cycles,
    /// The cycles of a jump that is taken.
    Taken,
    /// No suite measures it.
    Nothing,
}

/// Latency and cycles of a class' instructions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ClassMeasurement {
    /// How many instructions of the run are of the class.
    pub(super) instructions: usize,
    /// Their latency; of a branch, the cycles when it is taken.
    pub(super) latency_cycles: Candidates,
    /// Cycles of independent instructions.
    pub(super) independent_cycles: Candidates,
    /// Whether the latency is that of independent instructions, for want of dependent ones.
    pub(super) is_independent: bool,
}

impl ClassMeasurement {
    /// Of rows of a run: where waves wait for each result, an instruction's cycles are its latency.
    pub(super) fn of(run: &Results, rows: &[&TimingRow], by: MeasuredBy) -> Self {
        let generation = run.record.device.known_generation();
        let tracking = generation.map_or(DependencyTracking::Blocking, |of| of.waves.dependency_tracking);
        let cycles = Candidates::of(rows, |row| plain(row.cycles));
        let (latency_cycles, is_independent) = match by {
            MeasuredBy::Nothing => (Candidates(Vec::new()), false),
            MeasuredBy::Taken => (Candidates::of(rows, |row| plain(row.taken)), false),
            MeasuredBy::Cycles => (cycles.clone(), true),
            MeasuredBy::Latency => match Candidates::of(rows, |row| plain(row.latency)) {
                none if none.is_empty() && tracking == DependencyTracking::Blocking => (cycles.clone(), true),
                found => (found, false),
            },
        };
        let independent_cycles = if by == MeasuredBy::Nothing { Candidates(Vec::new()) } else { cycles };
        Self { instructions: rows.len(), latency_cycles, independent_cycles, is_independent }
    }
}

const TARGETS: &str = include_str!("../../../data/export/targets.csv");

/// The schedulers' tables for a run's target are not known.
#[derive(Debug, thiserror::Error)]
#[error(
    "{target}: LLVM's and ACO's schedulers for it are not known (analysis/data/export/targets.csv); --format json has its numbers"
)]
pub struct ExportError {
    target: String,
}

/// A row of `targets.csv`.
#[derive(Debug, Deserialize)]
pub(super) struct Schedulers {
    /// LLVM's name of its model.
    pub(super) llvm_model: String,
    /// Cycles of a slot, the unit of the model's latencies: by the comments in `SISchedule.td` 1 / (operations / cycle), before GFX10 / 4.
    pub(super) slot_cycles: f64,
    targets: String,
    /// The part of ACO's table.
    pub(super) aco_table: String,
}

/// The tables that speak of a run's target.
///
/// # Errors
/// None is known.
pub(super) fn schedulers(run: &Results) -> Result<Schedulers, ExportError> {
    let target = run.record.device.target.split(':').next().unwrap_or_default().to_owned();
    let targets: Vec<Schedulers> = rows(TARGETS);
    targets.into_iter().find(|row| row.targets.split(' ').any(|of_row| of_row == target)).ok_or(ExportError { target })
}
