//! Which instructions are of which class of a scheduler: rows of data files, each with its source.

use std::collections::HashMap;

use gcn_model::isa::{Instruction, Processor};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::one_wave::TimingRow;
use crate::results::Results;

/// A row of a file of instructions: one instruction, or all others of an encoding.
#[derive(Debug, Deserialize)]
struct MemberRow {
    instruction: String,
    encoding: String,
    /// Start of its models' names; empty of all. A later row counts before an earlier one.
    #[serde(default)]
    models: String,
    /// Empty where no class is known.
    #[serde(alias = "write")]
    class: String,
}

/// The rows of a data file of this crate.
pub(super) fn rows<T: DeserializeOwned>(text: &str) -> Vec<T> {
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    rows.map(|row| row.expect("the file is part of the program")).collect()
}

/// The instructions of a run by class; those of none by the empty text. What LLVM has no name for is left out where `is_named` asks for one.
/// `model` chooses among rows, and `of_matrix` is the class of a matrix instruction.
pub(super) fn members<'r>(
    text: &str,
    run: &'r Results,
    model: &str,
    is_named: bool,
    of_matrix: impl Fn(Processor, &'static Instruction) -> Option<String>,
) -> HashMap<String, Vec<&'r TimingRow>> {
    let mut of_instruction: HashMap<String, String> = HashMap::new();
    let mut of_encoding: HashMap<String, String> = HashMap::new();
    let is_of_model = |row: &MemberRow| model.starts_with(&row.models);
    for MemberRow { instruction, encoding, class, .. } in rows(text).into_iter().filter(is_of_model) {
        if instruction.is_empty() {
            of_encoding.insert(encoding, class)
        } else {
            of_instruction.insert(instruction, class)
        };
    }
    let processor = Processor::find(&run.record.device.target);
    let mut found: HashMap<String, Vec<&TimingRow>> = HashMap::new();
    for row in &run.timings {
        let known = processor.and_then(|processor| Some((processor, processor.instruction(&row.instruction)?)));
        if is_named && known.is_none_or(|(_, instruction)| instruction.llvm_mnemonic().is_none()) {
            continue;
        }
        // Newer generations have other names for the same.
        let meaning = known.and_then(|(_, instruction)| of_instruction.get(instruction.canonical_name()));
        let of_file = of_instruction.get(&row.instruction).or(meaning).or_else(|| of_encoding.get(&row.encoding));
        let matrix = known.and_then(|(processor, instruction)| of_matrix(processor, instruction));
        found.entry(matrix.or_else(|| of_file.cloned()).unwrap_or_default()).or_default().push(row);
    }
    found
}

/// What has to be said of instructions that are of no class of a scheduler.
pub(super) fn without_class<'r>(rows: impl Iterator<Item = &'r TimingRow>) -> Option<String> {
    let mut names: Vec<&str> = rows.map(|row| row.instruction.as_str()).collect();
    names.sort_unstable();
    let count = names.len();
    match names.as_slice() {
        [] => None,
        [first, second, _, ..] => Some(format!("{count} instructions ({first}, {second}, …)")),
        names => Some(names.join(", ")),
    }
}
