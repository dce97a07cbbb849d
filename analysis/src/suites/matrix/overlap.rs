//! Overlap with matrix instructions: rows of `matrix-overlap.csv`.

use std::collections::HashMap;

use gcn_model::quantity::Cycles;
use gcn_model::record::{ExperimentKind, ExperimentRecord, MATRIX_OVERLAP};

use crate::many_waves::ThroughputRow;
use crate::one_wave::{OneWave, UNKNOWN_CHARGE};
use crate::settle::CYCLES_RESOLUTION;
use crate::suites::rule::of_rule;
use crate::tables::{Measured, table};

table! { "matrix-overlap.csv":
    /// A row of `matrix-overlap.csv`: blocks of a matrix instruction and others.
    pub struct OverlapRow {
        /// The matrix instruction.
        pub instruction: String,
        /// The neighbour, upper-case.
        pub neighbour: String,
        pub amount: u32,
        /// Waves on each SIMD that repeat the block: a wave overlaps with its own matrix instructions, several also with others'.
        pub waves_per_simd: u32,
        /// Shader cycles of a SIMD for a block.
        pub cycles: Measured<Cycles> = "cycles" "low" "high",
        /// Those of the matrix instruction alone.
        pub alone: Measured<Cycles>,
        /// Those of the others alone.
        pub others: Measured<Cycles>,
        /// The share of the shorter of the two that is hidden by the longer; below 0 if both take longer together than in sequence.
        pub hidden: Measured = "hidden" "hidden_low" "hidden_high",
        /// What the cycles contain besides.
        pub detail: String,
    }
}

impl OverlapRow {
    /// Cycles for which the matrix instruction occupies the vector ALU, or the others' unit, if there are enough others that it is
    /// they who decide.
    pub fn held(&self) -> Option<Measured<Cycles>> {
        let is_decided_by_others = self.cycles.low.0 > self.alone.high.0 + CYCLES_RESOLUTION;
        is_decided_by_others.then(|| self.cycles.minus(self.others))
    }

    /// Whether the others cost nothing; none where the intervals do not tell.
    pub fn is_free(&self) -> Option<bool> {
        self.cycles.minus(self.alone).is_nothing()
    }
}

fn hidden_share(cycles: Measured<Cycles>, alone: Measured<Cycles>, others: Measured<Cycles>) -> Measured {
    let half = cycles.half_width().hypot(alone.half_width()).hypot(others.half_width());
    let hidden = alone.value.0 + others.value.0 - cycles.value.0;
    let share = |hidden: f64| hidden / alone.value.0.min(others.value.0);
    Measured { value: share(hidden), low: share(hidden - half), high: share(hidden + half) }
}

/// The rows of all blocks that settled, with their content, in the order of the run.
pub(super) fn overlaps(waves: &OneWave<'_>, cases: &[ThroughputRow]) -> Vec<OverlapRow> {
    let by_experiment: HashMap<&str, &ThroughputRow> = cases.iter().map(|row| (row.experiment.as_str(), row)).collect();
    let simds = f64::from(waves.run.generation.waves.simds);
    let block = |position: usize, record: &ExperimentRecord| -> Option<Measured<Cycles>> {
        if record.kind == ExperimentKind::Block {
            return waves.slope(position).ok().map(|slope| Measured::from(&slope.estimate));
        }
        let cost = by_experiment.get(record.experiment.as_str())?.cost()?;
        Some(cost.scaled(simds * f64::from(record.targets_per_block)))
    };
    let found: Vec<(&ExperimentRecord, Measured<Cycles>)> = of_rule(waves, MATRIX_OVERLAP)
        .filter_map(|(position, record)| Some((record, block(position, record)?)))
        .collect();
    let by_itself = |name: &str, waves_per_simd: u32, amount: Option<u32>| {
        let is_it = |record: &ExperimentRecord| {
            record.instruction == name && record.waves_per_simd == waves_per_simd && record.amount == amount
        };
        found.iter().find(|(record, _)| is_it(record)).copied()
    };
    let charge = waves.charge;
    let [of_copies, most] = charge.map_or([Cycles(0.0); 2], |charge| [charge.of_copies, charge.most_of_copies]);
    let row = |record: &ExperimentRecord, cycles: Measured<Cycles>| {
        let amount = record.amount.filter(|amount| *amount > 0)?;
        let (neighbour, one) = by_itself(&record.case, record.waves_per_simd, None)?;
        let (_, alone) = by_itself(&record.instruction, record.waves_per_simd, Some(0))?;
        // How much of the front end's charge is hidden, the blocks do not tell.
        let alone = if waves.hides_charge(alone.low.0) { alone } else { alone.less_up_to(of_copies) };
        let is_charged = neighbour.bytes > 4;
        let others = if is_charged { one.less_up_to(of_copies) } else { one }.scaled(f64::from(amount));
        let charged = if is_charged { amount + 1 } else { 1 };
        let cycles = cycles.less_up_to(Cycles(most.0 * f64::from(charged)));
        Some(OverlapRow {
            instruction: record.instruction.clone(),
            neighbour: record.case.clone(),
            amount,
            waves_per_simd: record.waves_per_simd,
            cycles,
            alone,
            others,
            hidden: hidden_share(cycles, alone, others),
            detail: if charge.is_none() { UNKNOWN_CHARGE.to_owned() } else { String::new() },
        })
    };
    found.iter().filter_map(|&(record, cycles)| row(record, cycles)).collect()
}
