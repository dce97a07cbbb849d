//! The requirements of an instruction, so that repeating it faults, traps, hangs or changes nothing.

use std::collections::HashMap;
use std::sync::LazyLock;

use gcn_model::isa::Instruction;
use serde::Deserialize;

/// The treatment of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// It is never launched.
    Skip,
    /// It is launched with `--dangerous` only.
    Dangerous,
    /// Its operands are written like this; `{dst}` is the destination, `{source}` the first source.
    Operands,
    /// A line before each pass, outside of the timed code.
    Before,
    /// A line after each pass, outside of the timed code.
    After,
    /// Its single executions are measured one at a time too: they differ.
    Spread,
    /// Bytes of a lane's element in LDS, where the operands do not show them.
    LaneBytes,
    /// The offset of a DS instruction.
    Offset,
    /// Its operands are written like this; `{pair}` is the register pair with the address that it jumps to.
    Address,
    /// Two of them need this many wait states between them: they are never repeated back to back.
    Isolated,
    /// A line before each pass after which a jump is not taken.
    NotTaken,
    /// A line before each pass after which a jump is taken.
    Taken,
}

/// A row of `constraints.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraints {
    pub instruction: String,
    pub action: Action,
    pub value: String,
    pub reason: String,
    /// What that rests on.
    pub source: String,
}

static ROWS: LazyLock<HashMap<String, Vec<Constraints>>> = LazyLock::new(|| {
    let mut rows: HashMap<String, Vec<Constraints>> = HashMap::new();
    for row in csv::Reader::from_reader(include_str!("../../data/constraints.csv").as_bytes()).deserialize() {
        let row: Constraints = row.unwrap_or_else(|error| panic!("built-in file: constraints.csv: {error}"));
        rows.entry(row.instruction.clone()).or_default().push(row);
    }
    rows
});

/// The rows of an instruction; none for most.
///
/// # Panics
/// If the file that is built in is wrong, which a test rules out.
pub fn constraints(instruction: &str) -> &'static [Constraints] {
    ROWS.get(instruction).map_or(&[], Vec::as_slice)
}

/// The rows of an instruction, or of the one that does the same under its earlier name.
pub fn handling_of(instruction: &Instruction) -> &'static [Constraints] {
    match constraints(&instruction.name) {
        [] => constraints(instruction.canonical_name()),
        rows => rows,
    }
}

/// Those of its rows that have a treatment.
pub(super) fn rows_of(instruction: &Instruction, action: Action) -> impl Iterator<Item = &'static Constraints> {
    handling_of(instruction).iter().filter(move |row| row.action == action)
}

/// Whether an instruction has a treatment.
pub fn is_handled(instruction: &Instruction, action: Action) -> bool {
    rows_of(instruction, action).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::isa;

    #[test]
    fn every_row_names_an_instruction_and_a_reason() {
        assert!(ROWS.len() > 10);
        for row in ROWS.values().flatten() {
            let exists = isa::exists(&row.instruction);
            assert!(exists, "{} is no instruction", row.instruction);
            assert!(!row.reason.is_empty() && !row.source.is_empty(), "{} has no reason", row.instruction);
            let needs_text = !matches!(row.action, Action::Skip | Action::Dangerous | Action::Spread);
            assert_eq!(needs_text, !row.value.is_empty(), "{}", row.instruction);
        }
    }
}
