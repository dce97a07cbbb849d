//! The reading that holds where no source settles an instruction's result.

use gcn_model::record::{ExperimentKind, ExperimentRecord, ExperimentStatus};
use gcn_model::semantics::semantic_cases;

use crate::run::StoredRun;
use crate::tables::{Single, table, words};

words! {
    /// How a case ended.
    pub enum SemanticVerdict {
        /// The result is a reading's.
        Holds = "holds",
        /// It is what none of the readings says.
        Neither = "neither",
        /// There is no result.
        Unmeasured = "not measured",
    }
}

/// A dword that an instruction left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dword(pub u32);

impl Single for Dword {
    fn text(&self) -> String {
        format!("{:#010x}", self.0)
    }

    fn of_text(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        u32::from_str_radix(digits, 16).map(Self).map_err(|why| format!("{text:?}: {why}"))
    }
}

table! { "semantics.csv":
    /// A case that was run: a row of `semantics.csv`.
    #[derive(Eq)]
    pub struct SemanticRow {
        pub case: String,
        pub question: String,
        pub instruction: String,
        /// The dword that came of it.
        pub result: Option<Dword>,
        pub verdict: SemanticVerdict,
        /// The reading that holds; empty if none does.
        pub reading: String,
        pub source: String,
        /// `card`, or `simulated`: then the reading is the one that the simulator implements, and says nothing of a card.
        pub device: String,
        /// Why there is no result.
        pub detail: String,
    }
}

/// A row for each case of a run, in its order.
pub(crate) fn semantics(run: &StoredRun) -> Vec<SemanticRow> {
    let cases = run.experiments.iter().enumerate().filter(|(_, record)| record.kind == ExperimentKind::Semantics);
    cases.map(|(position, record)| row(run, position, record)).collect()
}

fn row(run: &StoredRun, position: usize, record: &ExperimentRecord) -> SemanticRow {
    let case = semantic_cases().iter().find(|case| case.name == record.case);
    let mut row = SemanticRow {
        case: record.case.clone(),
        question: case.map(|case| case.question.clone()).unwrap_or_default(),
        instruction: record.instruction.clone(),
        result: None,
        reading: String::new(),
        source: String::new(),
        verdict: SemanticVerdict::Unmeasured,
        device: if run.record.device.is_simulated() { "simulated" } else { "card" }.to_owned(),
        detail: record.detail.clone(),
    };
    if record.status != ExperimentStatus::Ok {
        return row;
    }
    // The dword is stored as the time that the pass took.
    let mut results: Vec<u64> =
        run.readings_of(position).iter().map(|reading| reading.end.wrapping_sub(reading.begin)).collect();
    results.dedup();
    match (case, results[..].first().map(|result| u32::try_from(*result)), results.len()) {
        (None, ..) => "no case of this version has this name".clone_into(&mut row.detail),
        (_, None, _) => "no readings are stored".clone_into(&mut row.detail),
        (_, Some(Ok(_)), 2..) => "not the same in each pass".clone_into(&mut row.detail),
        (_, Some(Err(_)), _) => "the stored value is not a dword".clone_into(&mut row.detail),
        (Some(case), Some(Ok(result)), _) => {
            row.result = Some(Dword(result));
            row.verdict = SemanticVerdict::Neither;
            if let Some(reading) = case.reading(result) {
                row.verdict = SemanticVerdict::Holds;
                (row.reading, row.source) = (reading.says.clone(), reading.source.clone());
            }
        }
    }
    row
}
