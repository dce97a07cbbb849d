//! Which instructions are of which class of a scheduler: rows of data files, each with its source.

use std::collections::HashMap;

use gcn_model::isa::Processor;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::error::ExportError;
use crate::one_wave::TimingRow;
use crate::results::Results;

/// A row of a file of instructions: one instruction, or all others of an encoding.
#[derive(Debug, Deserialize)]
struct MemberRow {
    instruction: String,
    encoding: String,
    /// Empty where no class is known.
    #[serde(alias = "write")]
    class: String,
}

/// The rows of a data file.
pub(super) fn rows<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<Vec<T>, ExportError> {
    let rows: Result<Vec<T>, csv::Error> = csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect();
    rows.map_err(|source| ExportError::Data { file, source })
}

/// The instructions of a run by class. What LLVM has no name for is of none where `is_named` asks for one.
pub(super) fn members<'r>(
    file: &'static str,
    text: &str,
    run: &'r Results,
    is_named: bool,
) -> Result<HashMap<String, Vec<&'r TimingRow>>, ExportError> {
    let mut of_instruction: HashMap<String, String> = HashMap::new();
    let mut of_encoding: HashMap<String, String> = HashMap::new();
    for MemberRow { instruction, encoding, class } in rows(file, text)? {
        if instruction.is_empty() {
            of_encoding.insert(encoding, class)
        } else {
            of_instruction.insert(instruction, class)
        };
    }
    let processor = Processor::find(&run.record.device.target);
    let has_name = |row: &TimingRow| {
        let found = processor.and_then(|processor| processor.instruction(&row.instruction));
        found.is_some_and(|instruction| instruction.llvm_mnemonic().is_some())
    };
    let mut found: HashMap<String, Vec<&TimingRow>> = HashMap::new();
    for row in run.timings.iter().filter(|row| !is_named || has_name(row)) {
        let class = of_instruction.get(&row.instruction).or_else(|| of_encoding.get(&row.encoding));
        if let Some(class) = class.filter(|class| !class.is_empty()) {
            found.entry(class.clone()).or_default().push(row);
        }
    }
    Ok(found)
}
