//! What S_DELAY_ALU between a producer and a consumer changes: rows of `delays.csv`.

use gcn_model::quantity::Cycles;
use gcn_model::record::{DELAYS, UnitCase};

use super::cells::positions;
use crate::one_wave::OneWave;
use crate::settle::Status;
use crate::tables::{DelayRecord, Measured, Tabled};

/// A row of `delays.csv`.
#[derive(Debug, Clone, PartialEq)]
pub struct DelayRow {
    /// The unit that brings the result.
    pub producer: String,
    /// The unit that reads it, or does not.
    pub consumer: String,
    /// Whether it reads it.
    pub is_dependent: bool,
    /// Operands of the S_DELAY_ALU in front of the consumer.
    pub delay: String,
    /// Whether these are the compiler's values for a consumer that reads the result.
    pub is_right: bool,
    /// Shader cycles that the pair takes more than without it; below 0 if it takes fewer.
    pub more: Option<Measured<Cycles>>,
    /// How it ended.
    pub status: Status,
    /// Why there are no cycles.
    pub detail: String,
}

impl DelayRow {
    /// The case in a word: `right`, `wrong`, or `needless` where the consumer waits for nothing.
    pub fn word(&self) -> &'static str {
        match (self.is_dependent, self.is_right) {
            (false, _) => "needless",
            (true, true) => "right",
            (true, false) => "wrong",
        }
    }
}

impl Tabled for DelayRow {
    type Record = DelayRecord;

    fn records(&self) -> impl Iterator<Item = DelayRecord> {
        let [cycles, low, high] = Measured::columns(self.more);
        std::iter::once(DelayRecord {
            producer: self.producer.clone(),
            consumer: self.consumer.clone(),
            delay: self.delay.clone(),
            case: self.word().to_owned(),
            cycles,
            low,
            high,
            status: self.status.to_string(),
            detail: self.detail.clone(),
        })
    }
}

/// The rows, in the order of the run.
pub(super) fn delays(waves: &OneWave<'_>) -> Vec<DelayRow> {
    let by_id = positions(waves);
    let of_rule = waves.experiments().iter().enumerate().filter(|(_, record)| record.rule == DELAYS);
    let row = |(position, record): (usize, &gcn_model::record::ExperimentRecord)| {
        let UnitCase { producer, consumer, is_dependent, delay, .. } = UnitCase::read(&record.case)?;
        let (producer, delay) = (producer?, delay?);
        let missing = || (Status::Failed, "the pair without it was not measured".to_owned());
        let baseline = by_id.get(record.baseline.as_str()).copied().ok_or_else(missing);
        let found = baseline.and_then(|baseline| waves.block_difference(position, baseline));
        let (more, status, detail) = match found {
            Ok(found) => (Some(Measured::from(&found).of_many()), Status::Ok, String::new()),
            Err((status, why)) => (None, status, why),
        };
        Some(DelayRow {
            producer,
            consumer,
            is_dependent,
            delay: delay.operands,
            is_right: delay.is_right,
            more,
            status,
            detail,
        })
    };
    of_rule.filter_map(row).collect()
}
