//! Overlap with transcendental instructions: rows of `transcendental-overlap.csv`.

use gcn_model::quantity::Cycles;
use gcn_model::record::{ExperimentRecord, TRANSCENDENTAL_OVERLAP};

use crate::one_wave::OneWave;
use crate::settle::{Status, told};
use crate::suites::rule::of_rule;
use crate::tables::{Measured, table};

table! { "transcendental-overlap.csv":
    /// A row of `transcendental-overlap.csv`: blocks of a transcendental instruction and others after it, on one wave.
    pub struct TranscendentalOverlapRow {
        /// The transcendental instruction.
        pub instruction: String,
        /// The following instruction, upper-case.
        pub neighbour: String,
        pub amount: u32,
        /// Shader cycles of a block.
        pub cycles: Option<Measured<Cycles>> = "cycles" "low" "high",
        /// How many of them are more than the transcendental instruction takes alone.
        pub more: Option<Measured<Cycles>> = "more" "more_low" "more_high",
        pub status: Status,
        /// Why there are no cycles.
        pub detail: String,
    }
}

impl TranscendentalOverlapRow {
    /// Whether the others cost nothing; none where the intervals do not tell.
    pub fn is_free(&self) -> Option<bool> {
        self.more?.is_nothing()
    }
}

/// The rows, in the order of the run.
pub(super) fn beside(waves: &OneWave<'_>) -> Vec<TranscendentalOverlapRow> {
    let alone = |record: &ExperimentRecord| {
        let is_it = |other: &ExperimentRecord| {
            other.instruction == record.instruction && other.case == record.case && other.amount == Some(0)
        };
        of_rule(waves, TRANSCENDENTAL_OVERLAP).find(|(_, other)| is_it(other)).map(|(position, _)| position)
    };
    let row = |(position, record): (usize, &ExperimentRecord)| {
        let base = alone(record)?;
        let found = waves.slope(position);
        let more = found.clone().and_then(|slope| Ok(slope.estimate.minus(&waves.slope(base)?.estimate)));
        let (more, status, detail) = told(more.map(|more| Measured::from(&more)));
        Some(TranscendentalOverlapRow {
            instruction: record.instruction.clone(),
            neighbour: record.case.clone(),
            amount: record.amount?,
            cycles: found.ok().map(|slope| Measured::from(&slope.estimate)),
            more,
            status,
            detail,
        })
    };
    of_rule(waves, TRANSCENDENTAL_OVERLAP).filter_map(row).collect()
}
