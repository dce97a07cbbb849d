//! The rows of `model/data/hazards/hazards.csv`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::HazardError;
use super::class::{Class, Wanted, Written};
use crate::data_files;
use crate::isa::{Generation, HazardWait};

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hazard {
    /// Its name.
    pub id: String,
    /// What comes first.
    pub producer: Class,
    /// Which of its registers matter.
    pub writes: Written,
    /// What may not come too soon.
    pub consumer: Class,
    /// Which of its registers matter.
    pub reads: Wanted,
    /// Where the row is from.
    pub source: String,
}

/// A hazard of a generation, with how long it wants to be waited for.
pub(super) type Rule = (&'static Hazard, &'static HazardWait);

static TABLE: LazyLock<Vec<Hazard>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(data_files::text("hazards/hazards.csv").as_bytes());
    let rows = reader.deserialize().map(|row| row.unwrap_or_else(|error| panic!("hazards/hazards.csv: {error}")));
    rows.collect()
});

/// All hazards that are described; each generation says which it has.
pub fn hazards() -> &'static [Hazard] {
    &TABLE
}

/// The hazards of a generation.
///
/// # Errors
/// The id of one that nothing describes.
pub(super) fn rules(generation: Generation) -> Result<Vec<Rule>, HazardError> {
    let rule = |wait: &'static HazardWait| {
        let hazard = hazards().iter().find(|hazard| hazard.id == wait.hazard);
        let unknown = || HazardError::Unknown { generation: generation.name(), id: wait.hazard.clone() };
        Ok((hazard.ok_or_else(unknown)?, wait))
    };
    generation.hazards().iter().map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_names_itself_and_its_source_and_is_of_a_generation() {
        let generations = Generation::all();
        for (index, row) in hazards().iter().enumerate() {
            assert!(row.source.starts_with("facts §3.4") || row.source.starts_with("LLVM 22.1 "), "{}", row.id);
            assert!(hazards()[..index].iter().all(|other| other.id != row.id), "{}", row.id);
            let has = |generation: &Generation| generation.hazards().iter().any(|wait| wait.hazard == row.id);
            assert!(generations.iter().any(has), "{}", row.id);
        }
    }

    #[test]
    fn every_hazard_of_a_generation_is_described() {
        for generation in Generation::all() {
            rules(generation).unwrap();
        }
    }
}
