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
    /// What stands above it for a reader; empty where no reader is shown it.
    pub heading: String,
    /// Notes for the reader.
    pub note: String,
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
    /// What stands above it for a reader; empty where it is shown in its neighbour, or not at all.
    pub heading: String,
    /// Type of CSV on the Web: `string`, `decimal` or `nonNegativeInteger`; a cell that is empty has no value.
    pub datatype: String,
    /// Unit in words; empty for numbers and words that have none.
    pub unit: String,
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
    use crate::estimates::EstimateRow;
    use crate::many_waves::ThroughputRow;
    use crate::matrix::{MatrixRow, OverlapRow};
    use crate::occupancy::{Allocation, IssueRow, OccupancyRow, ResidenceRow};
    use crate::one_wave::{DistributionRow, TimingRow, VariantRow};
    use crate::pairs::PairRow;
    use crate::rules::PenaltyRow;
    use crate::run::{DERIVED, RECORDS};
    use crate::tables::Tabled;
    use crate::units::{DelayRow, TranscendentalOverlapRow, UnitRow};
    use crate::verdict::{DisputeRow, SemanticRow, ValidationRow};

    #[test]
    fn every_column_of_every_file_is_described_in_its_order() {
        let written: [(&str, Vec<&str>); 23] = [
            ("timings.csv", TimingRow::columns()),
            ("estimates.csv", EstimateRow::columns()),
            ("clock.csv", ClockStretch::columns()),
            ("throughput.csv", ThroughputRow::columns()),
            ("variants.csv", VariantRow::columns()),
            ("distributions.csv", DistributionRow::columns()),
            ("occupancy.csv", OccupancyRow::columns()),
            ("residence.csv", ResidenceRow::columns()),
            ("allocation.csv", Allocation::columns()),
            ("issue.csv", IssueRow::columns()),
            ("penalties.csv", PenaltyRow::columns()),
            ("disputes.csv", DisputeRow::columns()),
            ("semantics.csv", SemanticRow::columns()),
            ("matrix.csv", MatrixRow::columns()),
            ("matrix-overlap.csv", OverlapRow::columns()),
            ("units.csv", UnitRow::columns()),
            ("delays.csv", DelayRow::columns()),
            ("transcendental-overlap.csv", TranscendentalOverlapRow::columns()),
            ("pairs.csv", PairRow::columns()),
            ("validation.csv", ValidationRow::columns()),
            ("experiments.csv", columns::<ExperimentRecord>().to_vec()),
            ("readings.csv", columns::<Reading>().to_vec()),
            ("journal.csv", columns::<JournalRecord>().to_vec()),
        ];
        for (name, columns) in &written {
            let described: Vec<&str> = column_descriptions(name).map(|column| column.name.as_str()).collect();
            assert_eq!(&described, columns, "{name}");
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
    fn column_descriptions_have_known_types_and_one_line() {
        for column in table_descriptions().iter().flat_map(|table| column_descriptions(&table.name)) {
            assert!(["string", "decimal", "nonNegativeInteger"].contains(&column.datatype.as_str()), "{column:?}");
            assert!(!column.description.is_empty() && !column.description.contains(['\n', '|']), "{column:?}");
        }
    }
}
