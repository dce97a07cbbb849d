//! The content of a run's CSV files: each file, and each column with its type, unit and meaning.

use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The files, in the order in which they are told of.
const TABLES: &str = include_str!("../../data/tables.csv");
/// Their columns, file by file in the order of the columns.
const COLUMNS: &str = include_str!("../../data/columns.csv");

/// A CSV file of a run's folder.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TableDescription {
    /// Name of the file.
    #[serde(rename = "table")]
    pub name: String,
    /// The subject of a row.
    pub title: String,
}

/// A column of a CSV file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ColumnDescription {
    /// Name of the file.
    pub table: String,
    /// Name in the header.
    #[serde(rename = "column")]
    pub name: String,
    /// Type of CSV on the Web: `string`, `decimal` or `nonNegativeInteger`; a cell that is empty has no value.
    pub datatype: String,
    /// Unit in words; empty for numbers and words that have none.
    pub unit: String,
    /// Its content.
    pub description: String,
}

fn read<T: DeserializeOwned>(text: &str) -> Vec<T> {
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect::<Result<Vec<_>, _>>();
    rows.expect("the descriptions are part of the program")
}

/// All CSV files of a run, those that are derived first.
pub fn table_descriptions() -> &'static [TableDescription] {
    static TABLE_DESCRIPTIONS: LazyLock<Vec<TableDescription>> = LazyLock::new(|| read(TABLES));
    &TABLE_DESCRIPTIONS
}

/// The columns of a file in their order; none if a run has no such file.
pub fn column_descriptions(table: &str) -> impl Iterator<Item = &'static ColumnDescription> {
    static COLUMN_DESCRIPTIONS: LazyLock<Vec<ColumnDescription>> = LazyLock::new(|| read(COLUMNS));
    COLUMN_DESCRIPTIONS.iter().filter(move |column| column.table == table)
}

#[cfg(test)]
mod tests {
    use gcn_model::record::{ExperimentRecord, JournalRecord, Reading, columns};

    use super::*;
    use crate::clock::ClockStretch;
    use crate::run::{DERIVED, RECORDS};
    use crate::tables::{
        AllocationRecord, BesideRecord, DelayRecord, DisputeRecord, DistributionRecord, EstimateRecord, IssueRecord,
        MatrixRecord, OccupancyRecord, OverlapRecord, PairRecord, PenaltyRecord, ResidenceRecord, SemanticRecord,
        ThroughputRecord, TimingRecord, UnitRecord, ValidationRecord, VariantRecord,
    };

    #[test]
    fn every_column_of_every_file_is_described_in_its_order() {
        let written: [(&str, &[&str]); 23] = [
            ("timings.csv", columns::<TimingRecord>()),
            ("estimates.csv", columns::<EstimateRecord>()),
            ("clock.csv", columns::<ClockStretch>()),
            ("throughput.csv", columns::<ThroughputRecord>()),
            ("variants.csv", columns::<VariantRecord>()),
            ("distributions.csv", columns::<DistributionRecord>()),
            ("occupancy.csv", columns::<OccupancyRecord>()),
            ("residence.csv", columns::<ResidenceRecord>()),
            ("allocation.csv", columns::<AllocationRecord>()),
            ("issue.csv", columns::<IssueRecord>()),
            ("penalties.csv", columns::<PenaltyRecord>()),
            ("disputes.csv", columns::<DisputeRecord>()),
            ("semantics.csv", columns::<SemanticRecord>()),
            ("matrix.csv", columns::<MatrixRecord>()),
            ("matrix-overlap.csv", columns::<OverlapRecord>()),
            ("units.csv", columns::<UnitRecord>()),
            ("delays.csv", columns::<DelayRecord>()),
            ("transcendental-overlap.csv", columns::<BesideRecord>()),
            ("pairs.csv", columns::<PairRecord>()),
            ("validation.csv", columns::<ValidationRecord>()),
            ("experiments.csv", columns::<ExperimentRecord>()),
            ("readings.csv", columns::<Reading>()),
            ("journal.csv", columns::<JournalRecord>()),
        ];
        for (name, columns) in written {
            let described: Vec<&str> = column_descriptions(name).map(|column| column.name.as_str()).collect();
            assert_eq!(described, columns, "{name}");
        }
        let names: Vec<&str> = table_descriptions().iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, written.map(|(name, _)| name));
        let is_csv = |name: &&str| name.ends_with(".csv");
        let mut of_a_run: Vec<&str> = RECORDS.into_iter().chain(DERIVED).filter(is_csv).collect();
        let mut named = names;
        of_a_run.sort_unstable();
        named.sort_unstable();
        assert_eq!(named, of_a_run);
    }

    #[test]
    fn what_a_column_holds_is_said_in_known_types_and_one_line() {
        for column in table_descriptions().iter().flat_map(|table| column_descriptions(&table.name)) {
            assert!(["string", "decimal", "nonNegativeInteger"].contains(&column.datatype.as_str()), "{column:?}");
            assert!(!column.description.is_empty() && !column.description.contains(['\n', '|']), "{column:?}");
        }
    }
}
