//! `unknown.csv`: the instructions whose results the simulator leaves unknown, and why.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::execution::Left;
use gcn_model::isa::Instruction;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/unknown.csv");

/// A row of the file: some instructions of some generations.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Names; that of an encoding stands for all of its instructions.
    instructions: String,
    /// Names; `/wave64` follows a name if the other size of waves is known, and `*` stands for all.
    generations: String,
    leaves: Left,
    reason: String,
}

/// One generation and one name of a row.
struct Entry {
    generation: String,
    name: String,
    left: Left,
}

/// The file's entries, and those that some instruction asked for.
pub(crate) struct List {
    entries: Vec<Entry>,
    used: BTreeSet<usize>,
}

impl List {
    /// The list.
    ///
    /// # Panics
    /// The file is not readable, or a row gives no reason.
    pub(crate) fn read() -> Self {
        let mut entries = Vec::new();
        let mut reader = csv::Reader::from_path(FILE).unwrap_or_else(|error| panic!("{FILE}: {error}"));
        for row in reader.deserialize::<Row>() {
            let row = row.unwrap_or_else(|error| panic!("{FILE}: {error}"));
            assert!(row.reason.len() > 20, "{FILE}: say why {} is unknown", row.instructions);
            for generation in row.generations.split_ascii_whitespace() {
                entries.extend(row.instructions.split_ascii_whitespace().map(|name| Entry {
                    generation: generation.to_owned(),
                    name: name.to_owned(),
                    left: row.leaves,
                }));
            }
        }
        Self { entries, used: BTreeSet::new() }
    }

    /// The list's entry for an instruction in waves of this many lanes: known, unless it is there.
    ///
    /// # Panics
    /// It is there twice.
    pub(crate) fn left(&mut self, generation: &str, lanes: u32, row: &Instruction) -> Left {
        let with_lanes = format!("{generation}/wave{lanes}");
        let is_it = |entry: &Entry| {
            (entry.name == row.name || entry.name == row.encoding.name())
                && (entry.generation == "*" || entry.generation == generation || entry.generation == with_lanes)
        };
        let mut found = self.entries.iter().enumerate().filter(|(_, entry)| is_it(entry));
        let Some((number, entry)) = found.next() else { return Left::Known };
        assert!(found.next().is_none(), "{FILE}: {} of {generation} is there twice", row.name);
        self.used.insert(number);
        entry.left
    }

    /// The entries that no instruction asked for.
    pub(crate) fn unused(&self) -> Vec<String> {
        let numbered = self.entries.iter().enumerate();
        let unused = numbered.filter(|(number, _)| !self.used.contains(number));
        unused.map(|(_, entry)| format!("{} of {}", entry.name, entry.generation)).collect()
    }
}
