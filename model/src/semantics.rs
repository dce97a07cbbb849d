//! Open questions of the sources: cases that a card can run, and the result by each reading (`model/data/semantics.toml`).
//!
//! The suite `semantics` runs the cases, and the analysis compares. The simulator knows nothing of this file.

use std::sync::LazyLock;

use serde::Deserialize;

/// A case of a question that no source settles.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SemanticCase {
    /// Name in tables: `max-i32-scc`.
    pub name: String,
    /// The question in a few words.
    pub question: String,
    /// The instruction, upper case.
    pub instruction: String,
    /// Dwords of v6 and up.
    #[serde(default)]
    pub vector: Vec<String>,
    /// Dwords of s24 and up.
    #[serde(default)]
    pub scalar: Vec<String>,
    /// Lines in front of the instruction.
    #[serde(default)]
    pub before: Vec<String>,
    /// The instruction as assembled.
    pub line: String,
    /// Lines that bring a dword of the result into s20.
    pub result: Vec<String>,
    /// What each reading says that the dword is.
    pub readings: Vec<SemanticReading>,
}

/// The result by a reading of the sources.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SemanticReading {
    /// The dword.
    pub value: u32,
    /// The reading in a few words.
    pub says: String,
    /// Its proponent, or why it is possible; `none` without one.
    pub source: String,
}

impl SemanticCase {
    /// The reading that a dword agrees with, if there is one.
    pub fn reading(&self, value: u32) -> Option<&SemanticReading> {
        self.readings.iter().find(|reading| reading.value == value)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    cases: Vec<SemanticCase>,
}

/// All cases, in the order of their file.
///
/// # Panics
/// If the file that is built in is wrong, which the tests rule out.
pub fn semantic_cases() -> &'static [SemanticCase] {
    static CASES: LazyLock<Vec<SemanticCase>> = LazyLock::new(|| {
        let file: Result<File, _> = toml::from_str(include_str!("../data/semantics.toml"));
        file.unwrap_or_else(|error| panic!("built-in file: semantics.toml: {error}")).cases
    });
    &CASES
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::isa;

    #[test]
    fn each_case_has_readings_that_differ_and_an_instruction() {
        let mut names = BTreeSet::new();
        for case in semantic_cases() {
            assert!(names.insert(&case.name), "{} stands there twice", case.name);
            assert!(isa::exists(&case.instruction), "{}", case.instruction);
            let values: BTreeSet<u32> = case.readings.iter().map(|reading| reading.value).collect();
            assert!(values.len() > 1 && values.len() == case.readings.len(), "{}: {values:x?}", case.name);
            assert!(case.readings.iter().all(|reading| !reading.source.is_empty()), "{}", case.name);
        }
        assert!(names.len() > 10);
    }
}
