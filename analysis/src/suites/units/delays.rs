//! What S_DELAY_ALU between a producer and a consumer changes: rows of `delays.csv`.

use gcn_model::quantity::Cycles;
use gcn_model::record::{DELAYS, ExperimentRecord, UnitCase};

use crate::one_wave::OneWave;
use crate::settle::{Status, told};
use crate::suites::rule::of_rule;
use crate::tables::{Measured, table, words};

table! { "delays.csv":
    /// A row of `delays.csv`.
    pub struct DelayRow {
        /// The unit that brings the result.
        pub producer: String,
        /// The unit that reads it, or does not.
        pub consumer: String,
        /// Operands of the S_DELAY_ALU in front of the consumer.
        pub delay: String,
        pub case: DelayCase,
        /// Shader cycles that the pair takes more than without it; below 0 if it takes fewer.
        pub more: Option<Measured<Cycles>> = "cycles" "low" "high",
        pub status: Status,
        /// Why there are no cycles.
        pub detail: String,
    }
}

words! {
    /// Kinds of operands of an S_DELAY_ALU, as its consumer sees them.
    pub enum DelayCase {
        /// The compiler's values for a consumer that reads the result.
        Right = "right",
        /// Other values.
        Wrong = "wrong",
        /// The consumer waits for nothing.
        Needless = "needless",
    }
}

/// The rows, in the order of the run.
pub(super) fn delays(waves: &OneWave<'_>) -> Vec<DelayRow> {
    let by_id = waves.run.positions();
    let row = |(position, record): (usize, &ExperimentRecord)| {
        let UnitCase { producer, consumer, is_dependent, delay, .. } = UnitCase::read(&record.case)?;
        let (producer, delay) = (producer?, delay?);
        let missing = || (Status::Failed, "the pair without it was not measured".to_owned());
        let baseline = by_id.get(record.baseline.as_str()).copied().ok_or_else(missing);
        let found = baseline.and_then(|baseline| waves.block_difference(position, baseline));
        let (more, status, detail) = told(found.map(|found| Measured::from(&found).of_many()));
        Some(DelayRow {
            producer,
            consumer,
            case: match (is_dependent, delay.is_right) {
                (false, _) => DelayCase::Needless,
                (true, true) => DelayCase::Right,
                (true, false) => DelayCase::Wrong,
            },
            delay: delay.operands,
            more,
            status,
            detail,
        })
    };
    of_rule(waves, DELAYS).filter_map(row).collect()
}
