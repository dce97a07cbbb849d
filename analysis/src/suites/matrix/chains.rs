//! Cycles of matrix instructions, and how soon their results can be used: rows of `matrix.csv`.

use gcn_model::isa::Generation;
use gcn_model::quantity::{Cycles, Passes};
use gcn_model::record::{ACCUMULATORS, ExperimentRecord, INDEPENDENT, MATRIX_CHAIN, OPERANDS, READER};

use crate::one_wave::{OneWave, UNKNOWN_CHARGE, at_most, charge_note};
use crate::settle::{CYCLES_RESOLUTION, Status, least_issue_cycles};
use crate::statistics::Estimate;
use crate::suites::rule::of_rule;
use crate::tables::{Measured, table};

table! { "matrix.csv":
    /// A row of `matrix.csv`.
    #[derive(Default)]
    pub struct MatrixRow {
        pub instruction: String,
        /// Shader cycles from one to the next that does not depend on it, one wave.
        pub cycles: Option<Measured<Cycles>> = "cycles" "cycles_low" "cycles_high",
        /// The passes that these cycles stand for, where they stand for a whole number of them.
        pub passes: Option<Passes>,
        /// Operations of an instruction; a multiplication with its addition counts as two: from its shape.
        pub operations: u32,
        /// Operations per shader cycle and compute unit, when all SIMDs do nothing else.
        pub operations_per_cycle: Option<Measured> = "operations_per_cycle" "operations_low" "operations_high",
        /// From its issue to that of an instruction that accumulates into the same registers.
        pub to_accumulators: Option<Measured<Cycles>> = "accumulators" "accumulators_low" "accumulators_high",
        /// From its issue to that of an instruction that takes its A from the result.
        pub to_operand: Option<Measured<Cycles>> = "operand" "operand_low" "operand_high",
        /// From its issue to that of a vector instruction that reads the result.
        pub to_reader: Option<Measured<Cycles>> = "reader" "reader_low" "reader_high",
        /// Why something is absent.
        pub detail: String,
    } beside {
        /// Cycles within which A can be taken, or the result be read, at the latest, where no more can be seen.
        pub operand_at_most: Option<f64>,
        pub reader_at_most: Option<f64>,
    }
}

impl MatrixRow {
    /// A row without measurements.
    fn of(name: &str, generation: Generation) -> Self {
        let operation = generation.instruction(name).and_then(|found| generation.matrix_operation(found));
        Self {
            instruction: name.to_owned(),
            operations: operation.map_or(0, |operation| operation.operations() as u32),
            ..Self::default()
        }
    }
}

/// The rows, in the order of the run.
pub(super) fn chains(waves: &OneWave<'_>) -> Vec<MatrixRow> {
    let generation = waves.run.generation;
    let chains = || of_rule(waves, MATRIX_CHAIN);
    let is_alone = |record: &ExperimentRecord| record.case == READER && record.targets_per_block == 1;
    // All readers are one instruction.
    let reader_alone = chains().find(|(_, record)| is_alone(record)).map(|(position, _)| waves.slope(position));
    let mut rows: Vec<MatrixRow> = Vec::new();
    for (position, record) in chains().filter(|(_, record)| !is_alone(record)) {
        if rows.last().is_none_or(|row| row.instruction != record.instruction) {
            rows.push(MatrixRow::of(&record.instruction, generation));
        }
        let Some(row) = rows.last_mut() else { continue };
        let found = waves.slope(position).map(|slope| slope.estimate);
        let found = match (record.case.as_str(), &reader_alone) {
            // Readers alone are charged like all copies.
            (READER, Some(Ok(alone))) => {
                let charge = waves.charge_of_copies().unwrap_or(Estimate::exactly(0.0));
                found.map(|found| found.minus(&alone.estimate.minus(&charge)))
            }
            (READER, Some(Err(why))) => Err(why.clone()),
            _ => found,
        };
        let mut say = |what: String| {
            let separator = if row.detail.is_empty() { "" } else { "; " };
            row.detail += &format!("{separator}{}: {what}", record.case);
        };
        let bound = found.as_ref().map(|found| found.value).ok();
        let found = found.and_then(|found| spaced(waves, record, found));
        let bound = bound.filter(|_| matches!(&found, Err((Status::Unsupported, _))));
        let found = match found {
            Ok(found) => {
                let (found, note) = less_charge(waves, record, Measured::from(&found));
                note.into_iter().for_each(&mut say);
                Some(found)
            }
            Err((status, why)) => {
                say(format!("{status}: {why}"));
                None
            }
        };
        match record.case.as_str() {
            INDEPENDENT => {
                row.cycles = found;
                let operations = f64::from(row.operations) * f64::from(generation.waves.simds);
                row.operations_per_cycle = found.and_then(|cycles| cycles.dividing(operations, |rate| rate));
                row.passes = found.and_then(|found| passes(found.snapped(least_issue_cycles(generation))?));
            }
            ACCUMULATORS => row.to_accumulators = found,
            OPERANDS => (row.to_operand, row.operand_at_most) = (found, bound),
            READER => (row.to_reader, row.reader_at_most) = (found, bound),
            _ => {}
        }
    }
    rows
}

/// The passes that cycles stand for, if they are whole ones.
fn passes(cycles: Cycles) -> Option<Passes> {
    let passes = cycles.0 / Passes(1).cycles().0;
    (passes.fract() == 0.0).then_some(Passes(passes as u8))
}

/// A block's cycles without the front end's charge, and what has to be said of it.
///
/// A long wait for a unit or a result hides the charge. A reader's issue comes after the wait: it and the next matrix instruction show theirs.
fn less_charge(
    waves: &OneWave<'_>,
    record: &ExperimentRecord,
    found: Measured<Cycles>,
) -> (Measured<Cycles>, Option<String>) {
    if waves.charge.is_none() {
        return (found, Some(UNKNOWN_CHARGE.to_owned()));
    }
    let up_to = most_charged(waves, record);
    if up_to.0 == 0.0 || record.case != READER && waves.hides_charge(found.low.0) {
        return (found, None);
    }
    (found.less_up_to(up_to), Some(charge_note(up_to)))
}

/// The most that the front end charges for a block.
fn most_charged(waves: &OneWave<'_>, record: &ExperimentRecord) -> Cycles {
    let most = waves.charge.map_or(0.0, |charge| charge.most_of_copies.0);
    Cycles(if record.case == READER { 2.0 * most } else { most })
}

/// Cycles of a block with S_NOPs in it, where the hardware needs wait states: taken off independent copies, and a part of a dependent
/// instruction waits for, unless it waits for nothing else.
fn spaced(waves: &OneWave<'_>, record: &ExperimentRecord, found: Estimate) -> Result<Estimate, (Status, String)> {
    if record.fillers_per_block == 0 {
        return Ok(found);
    }
    let issued = found.minus(&waves.fillers_of(record)?);
    if record.case == INDEPENDENT {
        return Ok(issued);
    }
    // Only its own issue, apart from the S_NOPs and what the front end may charge.
    let own = least_issue_cycles(waves.run.generation).0 + most_charged(waves, record).0;
    if issued.value - own <= CYCLES_RESOLUTION {
        return Err((Status::Unsupported, at_most(found.value, record)));
    }
    Ok(found)
}
