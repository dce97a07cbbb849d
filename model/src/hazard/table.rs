//! The rows of `model/data/hazards/hazards.csv`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::class::{Class, Wanted, Written};
use crate::isa::Generation;

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
    #[serde(rename = "gcn1.0")]
    gcn10: Option<u8>,
    #[serde(rename = "gcn1.1")]
    gcn11: Option<u8>,
    #[serde(rename = "gcn1.2")]
    gcn12: Option<u8>,
    #[serde(rename = "gcn1.4")]
    gcn14: Option<u8>,
    /// Where the row is from.
    pub source: String,
}

impl Hazard {
    /// Wait states that have to lie between the two in a generation; `None` if none have to.
    pub fn waits(&self, generation: Generation) -> Option<u8> {
        [self.gcn10, self.gcn11, self.gcn12, self.gcn14][generation.index()]
    }
}

static TABLE: LazyLock<Vec<Hazard>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(include_str!("../../data/hazards/hazards.csv").as_bytes());
    // The test below reads every row: one that is wrong does not ship.
    reader.deserialize().filter_map(Result::ok).collect()
});

/// All rows.
pub fn hazards() -> &'static [Hazard] {
    &TABLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_names_itself_and_its_source() {
        let text = include_str!("../../data/hazards/hazards.csv");
        let rows: Vec<Hazard> = csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect();
        assert_eq!(rows, hazards());
        for (index, row) in rows.iter().enumerate() {
            assert!(row.source.starts_with("facts §3.4"), "{}", row.id);
            assert!(rows[..index].iter().all(|other| other.id != row.id), "{}", row.id);
            assert!(Generation::ALL.iter().any(|generation| row.waits(*generation).is_some()), "{}", row.id);
        }
    }
}
