//! Everything that a run holds and that can be compared, each with its interval.

use serde::Serialize;

use crate::results::Results;
use crate::rules::{LDS_STRIDE, PenaltyRow};
use crate::tables::{Measured, Quantity, plain, plural, words};

words! {
    /// A group of values, as they are counted and listed.
    pub enum ValueKind {
        /// `dpfactor.json`.
        DpFactor = "DPFACTOR",
        /// `timings.csv`.
        Instructions = "instructions",
        /// `variants.csv`: forms other than the plain one, such as those with GLC.
        Forms = "forms",
        /// `throughput.csv`: each number of waves.
        Throughput = "throughput",
        /// `penalties.csv`: places in a block, jumps, lines of the instruction cache.
        FrontEnd = "front end",
        /// `penalties.csv`: the wait of an instruction for the one before.
        Scheduling = "scheduling",
        /// `penalties.csv`: bank conflicts of LDS.
        Lds = "LDS banks",
        /// `issue.csv`: blocks of unlike instructions.
        Issue = "issue",
        /// `occupancy.csv`.
        Occupancy = "occupancy",
        /// Granules and readings, which are words.
        Answers = "answers",
    }
}

impl ValueKind {
    /// The word on a command line: the suite that measures it, where there is one.
    pub const fn option(self) -> &'static str {
        match self {
            Self::DpFactor => "dpfactor",
            Self::FrontEnd => "alignment",
            Self::Lds => "lds",
            _ => self.name(),
        }
    }
}

/// A value's unit, which decides how near two of them are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueUnit {
    /// Shader cycles: fewer are better.
    Cycles,
    /// Instructions per cycle: more are better.
    PerCycle,
    /// Registers, dwords, a factor: neither is better.
    Number,
}

words! {
    /// A value in two runs.
    pub enum Outcome {
        /// Both runs have it, and they differ significantly.
        Differs = "differs",
        /// Both runs have it, and they do not differ significantly.
        Same = "same",
        /// Only run A has it.
        OnlyA = "only A",
        /// Only run B has it.
        OnlyB = "only B",
    }
}

/// One value in both runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonRow {
    pub kind: ValueKind,
    /// Its subject: an instruction, a place, a block.
    pub subject: String,
    /// The column of its table.
    pub quantity: &'static str,
    #[serde(skip)]
    pub unit: ValueUnit,
    pub a: Option<Measured>,
    pub b: Option<Measured>,
    /// B less A, with its interval, where both have it.
    pub difference: Option<Measured>,
    /// B divided by A; absent where A is zero or a sign differs.
    pub ratio: Option<f64>,
    pub outcome: Outcome,
}

/// The values of a run, in the order of its tables, each as that of a run A alone.
pub(super) fn run_values(run: &Results) -> Vec<ComparisonRow> {
    let mut values = Vec::new();
    let mut add = |kind, subject: String, quantity, unit, span: Option<Measured>| {
        let outcome = Outcome::OnlyA;
        let row =
            |a| ComparisonRow { kind, subject, quantity, unit, a, b: None, difference: None, ratio: None, outcome };
        values.extend(span.map(|span| row(Some(span))));
    };
    if let Ok(found) = &run.dpfactor {
        let ends = found.low.is_finite() && found.high.is_finite();
        let span = Measured { value: found.measured, low: found.low, high: found.high };
        add(ValueKind::DpFactor, "DPFACTOR".into(), "dpfactor", ValueUnit::Number, ends.then_some(span));
    }
    for row in &run.timings {
        for (quantity, span) in row.numbers() {
            let unit = if quantity == Quantity::Throughput { ValueUnit::PerCycle } else { ValueUnit::Cycles };
            add(ValueKind::Instructions, row.instruction.clone(), quantity.column(), unit, span);
        }
    }
    for row in &run.variants {
        let subject = format!("{} {}", row.instruction, row.case);
        let quantity = if row.quantity.0 == Quantity::TakenCycles { "taken" } else { "cycles" };
        add(ValueKind::Forms, subject, quantity, ValueUnit::Cycles, plain(row.cycles));
    }
    for row in &run.throughputs {
        let form = if row.case.is_empty() { String::new() } else { format!(" {}", row.case) };
        let subject = format!("{}{form}, {}", row.instruction, waves(row.waves_per_simd));
        add(ValueKind::Throughput, subject, "throughput", ValueUnit::PerCycle, plain(row.throughput));
    }
    for row in &run.penalties {
        add(kind(row), penalty_subject(row), "penalty_cycles", ValueUnit::Cycles, plain(row.penalty));
    }
    for row in &run.occupancy.issue {
        let subject = format!("{}, {}", row.mix, waves(row.waves_per_simd));
        add(ValueKind::Issue, subject, "instructions_per_cycle", ValueUnit::PerCycle, plain(row.issue));
    }
    for row in &run.occupancy.table {
        let numbers = [
            ("sgprs", row.sgprs.map(f64::from)),
            ("vgprs", row.vgprs.map(f64::from)),
            ("lds_dwords_per_lane", row.lds_dwords_per_lane),
        ];
        for (quantity, number) in numbers {
            add(
                ValueKind::Occupancy,
                waves(row.waves_per_simd),
                quantity,
                ValueUnit::Number,
                number.map(Measured::exactly),
            );
        }
    }
    values
}

fn kind(row: &PenaltyRow) -> ValueKind {
    match row.experiment.as_str() {
        LDS_STRIDE => ValueKind::Lds,
        "scheduling" => ValueKind::Scheduling,
        _ => ValueKind::FrontEnd,
    }
}

fn penalty_subject(row: &PenaltyRow) -> String {
    // A stride is named by its case.
    let place = row.offset_dwords.filter(|_| kind(row) != ValueKind::Lds);
    let place = place.map_or_else(String::new, |offset| format!(" at dword {offset}"));
    format!("{}: {}{place}, {}", row.experiment, row.case, waves(row.waves_per_simd))
}

/// How many waves are on a SIMD.
fn waves(number: u32) -> String {
    plural(number, "wave")
}
