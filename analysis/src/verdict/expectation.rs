//! The published sources' statements about the instructions of a run.

use std::collections::HashSet;

use crate::tables::Quantity;
use gcn_model::isa::{self, Generation, Instruction, Processor};
use gcn_model::published::{Expectation, Expected, Expression, Place, Published};

/// A published value, evaluated on this GPU.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PublishedValue {
    /// The source's short name: `clrx`.
    pub(crate) source: String,
    /// Its table, or the encoding of its rule.
    pub(crate) section: String,
    pub(crate) instruction: String,
    pub(crate) quantity: Quantity,
    pub(crate) printed: String,
    /// Its value; `None` where it takes a DPFACTOR that is not known.
    pub(crate) expected: Option<Expected>,
}

/// The GPU that a source is asked about, as far as a run tells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) generation: Generation,
    /// Its LLVM target.
    pub(crate) target: &'a str,
    /// Its DPFACTOR, if that was measured.
    pub(crate) dp_factor: Option<f64>,
}

impl Subject<'_> {
    /// The instruction of a name, where its target has it.
    pub(crate) fn instruction(self, name: &str) -> Option<&'static Instruction> {
        Processor::find(self.target)?.instruction(name)
    }
}

/// The values of a source that concern a GPU: every row of its tables, and for each instruction in `measured` what its rules say.
///
/// A row is left out if the target lacks the instruction; a row whose name no generation has stays, so that it
/// is seen to be unmeasured. Of two rows with the same name the first counts.
pub(crate) fn values_of(source: &Published, gpu: Subject<'_>, measured: &[&str]) -> Vec<PublishedValue> {
    let mut values = Vec::new();
    let mut seen = HashSet::new();
    for row in source.rows_on(gpu.target) {
        if !seen.insert(row.instruction.as_str()) {
            continue;
        }
        match gpu.instruction(&row.instruction) {
            Some(instruction) => push(&mut values, source, instruction, gpu, true),
            None if isa::exists(&row.instruction) => {}
            None => {
                for (quantity, expression) in [(Quantity::Cycles, row.cycles), (Quantity::Throughput, row.throughput)] {
                    values.extend(expression.map(|expression| PublishedValue {
                        source: source.name().to_owned(),
                        section: row.section.clone(),
                        instruction: row.instruction.clone(),
                        quantity,
                        printed: expression.to_string(),
                        expected: evaluate_alone(expression, gpu),
                    }));
                }
            }
        }
    }
    for name in measured {
        if let Some(instruction) = gpu.instruction(name) {
            push(&mut values, source, instruction, gpu, false);
        }
    }
    values
}

/// The values of a source for one instruction, whether from a row or from rules.
pub(crate) fn values_for(source: &Published, gpu: Subject<'_>, instruction: &Instruction) -> Vec<PublishedValue> {
    let mut values = Vec::new();
    push(&mut values, source, instruction, gpu, true);
    push(&mut values, source, instruction, gpu, false);
    values
}

/// Adds an instruction's values, those of rows or those of rules.
fn push(
    values: &mut Vec<PublishedValue>,
    source: &Published,
    instruction: &Instruction,
    gpu: Subject<'_>,
    of_rows: bool,
) {
    let expectations = source.expectations_on(instruction, gpu.target);
    let cycles = expectations.cycles.as_ref().map(|cycles| cycles.expression);
    for (quantity, expectation) in [
        (Quantity::Cycles, &expectations.cycles),
        (Quantity::TakenCycles, &expectations.taken_cycles),
        (Quantity::Throughput, &expectations.throughput),
        (Quantity::Latency, &expectations.latency),
    ] {
        let Some(expectation) = expectation else { continue };
        let (is_row, section) = match &expectation.from {
            Place::Row { section } => (true, section.clone()),
            Place::Rule { .. } => (false, section_of(source, instruction, gpu.target)),
        };
        if is_row != of_rows {
            continue;
        }
        let value = PublishedValue {
            source: source.name().to_owned(),
            section,
            instruction: instruction.name.clone(),
            quantity,
            printed: expectation.printed(),
            expected: evaluate(expectation, cycles, gpu),
        };
        // One printed value, two that can be measured: without the modifier and with it.
        let with_glc = match value.expected {
            Some(Expected::WithGlc { with, .. }) => Some(Expected::Exactly(with)),
            _ => None,
        };
        let with_glc = with_glc.map(|with| PublishedValue {
            quantity: Quantity::GlcCycles,
            expected: Some(with),
            ..value.clone()
        });
        values.push(value);
        values.extend(with_glc);
    }
}

/// The table of the source that lists an instruction, or else its encoding.
fn section_of(source: &Published, instruction: &Instruction, target: &str) -> String {
    let row = source.row(&instruction.name, Some(target));
    row.map_or_else(|| instruction.encoding.name().to_owned(), |row| row.section.clone())
}

/// A value on a GPU whose DPFACTOR may be a fraction, which no published table has, or unknown.
fn evaluate(expectation: &Expectation<'_>, cycles: Option<Expression>, gpu: Subject<'_>) -> Option<Expected> {
    match (expectation.expression, cycles) {
        (Expression::DpFactor { multiple }, _) => cycles_of(multiple, gpu).map(Expected::Exactly),
        (Expression::OfCycles { numerator }, Some(Expression::DpFactor { multiple })) => {
            cycles_of(multiple, gpu).map(|cycles| Expected::Exactly(f64::from(numerator) / cycles))
        }
        // The footnote names factors; without one, either value may hold.
        (expression @ Expression::Alternatives { .. }, _)
        | (expression @ Expression::OfCycles { .. }, Some(Expression::Alternatives { .. })) => {
            gpu.dp_factor.map_or(Some(expression.evaluate(1)), |factor| Some(expectation.evaluate(factor)))
        }
        _ => Some(expectation.evaluate(1)),
    }
}

/// A value of a row whose instruction no generation has.
fn evaluate_alone(expression: Expression, gpu: Subject<'_>) -> Option<Expected> {
    match expression {
        Expression::DpFactor { multiple } => cycles_of(multiple, gpu).map(Expected::Exactly),
        other => Some(other.evaluate(1)),
    }
}

/// Cycles of `DPFACTOR*multiple`: no instruction is faster than a SIMD issues.
fn cycles_of(multiple: u32, gpu: Subject<'_>) -> Option<f64> {
    let least = f64::from(gpu.generation.waves.issue_interval_cycles);
    gpu.dp_factor.map(|factor| (factor * f64::from(multiple)).max(least))
}
