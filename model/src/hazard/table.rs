//! The rows of `model/data/hazards/hazards.csv`.

use std::sync::LazyLock;

use serde::de::value::{Error, StrDeserializer};
use serde::{Deserialize, Deserializer};

use super::HazardError;
use super::class::{Class, Wanted, Written};
use crate::data_files;
use crate::isa::{HazardWait, Processor};

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hazard {
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
    /// The instructions that end the hazard before the consumer; empty where only wait states do.
    #[serde(deserialize_with = "classes")]
    pub ended_by: Vec<Class>,
    /// The classes that are counted, with a number for each; empty: all instructions and S_NOP's states.
    #[serde(deserialize_with = "classes")]
    pub counted: Vec<Class>,
    /// What has to lie between the two for the hazard to exist.
    pub through: Option<Class>,
    /// Which of its registers matter to the producer.
    pub finds: Option<Wanted>,
    /// Which of its registers matter to the consumer.
    pub leaves: Option<Written>,
    /// The instructions that end the hazard before `through`.
    #[serde(deserialize_with = "classes")]
    pub forgotten_by: Vec<Class>,
}

impl Hazard {
    /// Whether S_NOPs keep the two apart, and nothing else does.
    pub(super) fn is_of_wait_states(&self) -> bool {
        self.ended_by.is_empty() && self.counted.is_empty() && self.consumer != Class::Itself
    }
}

/// Names of classes with spaces between them.
fn classes<'de, D: Deserializer<'de>>(cell: D) -> Result<Vec<Class>, D::Error> {
    let text = String::deserialize(cell)?;
    let class = |name| Class::deserialize(StrDeserializer::<Error>::new(name)).map_err(serde::de::Error::custom);
    text.split_ascii_whitespace().map(class).collect()
}

/// A hazard of a processor, with how long it wants to be waited for.
pub(super) type Rule = (&'static Hazard, &'static HazardWait);

static TABLE: LazyLock<Vec<Hazard>> = LazyLock::new(|| {
    let text = data_files::text("hazards/hazards.csv");
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let headers = reader.headers().expect("the table begins with its columns").clone();
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let mut record = record?;
        // A row may end before the last columns.
        (record.len()..headers.len()).for_each(|_| record.push_field(""));
        record.deserialize(Some(&headers))
    };
    reader.records().map(|record| row(record).unwrap_or_else(|error| panic!("hazards/hazards.csv: {error}"))).collect()
});

/// All hazards that are described; each generation says which it has.
pub fn hazards() -> &'static [Hazard] {
    &TABLE
}

/// The hazards of a processor.
///
/// # Errors
/// The id of a hazard without a description.
pub(super) fn rules(processor: Processor) -> Result<Vec<Rule>, HazardError> {
    let rule = |wait: &'static HazardWait| {
        let hazard = hazards().iter().find(|hazard| hazard.id == wait.hazard);
        let unknown = || HazardError::Unknown { generation: processor.generation.name(), id: wait.hazard.clone() };
        Ok((hazard.ok_or_else(unknown)?, wait))
    };
    processor.hazards().map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Generation;

    #[test]
    fn every_row_names_itself_and_its_source_and_is_of_a_generation() {
        let generations = Generation::all();
        for (index, row) in hazards().iter().enumerate() {
            let sources = ["facts §3.4", "LLVM 22.1 ", "facts-cdna-rdna §5.1"];
            assert!(sources.iter().any(|source| row.source.starts_with(source)), "{}", row.id);
            assert!(hazards()[..index].iter().all(|other| other.id != row.id), "{}", row.id);
            let has = |generation: &Generation| generation.hazards().iter().any(|wait| wait.hazard == row.id);
            assert!(generations.iter().any(has), "{}", row.id);
            let is_whole = row.through.is_some() == row.finds.is_some() && row.finds.is_some() == row.leaves.is_some();
            assert!(is_whole, "{}: what lies between needs what it finds and what it leaves", row.id);
        }
    }

    #[test]
    fn every_hazard_of_a_generation_is_described() {
        for generation in Generation::all() {
            for wait in generation.hazards() {
                let row = hazards().iter().find(|row| row.id == wait.hazard);
                let row = row.unwrap_or_else(|| panic!("{}: {}", generation.name(), wait.hazard));
                let is_unlimited = wait.limits(None).is_some_and(|limits| limits.is_empty());
                assert!(row.through.is_none() || is_unlimited, "{}: the check counts nothing there", row.id);
                // What has no end but in other instructions needs those, and a number for each class that is counted.
                match wait.limits(None) {
                    Some(limits) if limits.is_empty() => assert!(!row.is_of_wait_states(), "{}", row.id),
                    Some(limits) => assert_eq!(limits.len(), row.counted.len().max(1), "{}", row.id),
                    None => assert!(row.is_of_wait_states(), "{}", row.id),
                }
            }
        }
    }
}
