//! The measurements of a scheduling class's instructions.

use serde::Serialize;

use crate::one_wave::TimingRow;
use crate::settle::Status;
use crate::tables::{Measured, Number, plain};

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
        let mut found: Vec<Candidate> = Vec::new();
        // An unsure number is no candidate.
        for &row in rows.iter().filter(|row| row.status == Status::Ok) {
            let Some(span) = quantity(row) else { continue };
            let cycles = Number::cycles(span).text;
            match found.iter_mut().find(|known| known.cycles == cycles) {
                Some(known) => known.instructions.push(row.instruction.clone()),
                None => {
                    // The printed number is the one that is computed with.
                    let value = cycles.parse().unwrap_or(span.value);
                    found.push(Candidate { cycles, value, instructions: vec![row.instruction.clone()] });
                }
            }
        }
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
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
    pub(super) fn of(rows: &[&TimingRow], by: MeasuredBy) -> Self {
        let cycles = Candidates::of(rows, |row| plain(row.cycles));
        let (latency_cycles, is_independent) = match by {
            MeasuredBy::Nothing => (Candidates(Vec::new()), false),
            MeasuredBy::Taken => (Candidates::of(rows, |row| plain(row.taken)), false),
            MeasuredBy::Cycles => (cycles.clone(), true),
            MeasuredBy::Latency => match Candidates::of(rows, |row| plain(row.latency)) {
                none if none.is_empty() => (cycles.clone(), true),
                found => (found, false),
            },
        };
        let independent_cycles = if by == MeasuredBy::Nothing { Candidates(Vec::new()) } else { cycles };
        Self { instructions: rows.len(), latency_cycles, independent_cycles, is_independent }
    }
}
