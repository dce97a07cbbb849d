//! The content of a run's CSV files: each file, and each column with its type, unit and meaning.

use std::sync::LazyLock;

use serde::Deserialize;

/// The files in the order in which they are told of, each in a row without a column, and their columns in their order.
const COLUMNS: &str = include_str!("../../data/columns.csv");

/// A CSV file of a run's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDescription {
    /// Name of the file.
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
    /// Notes on a file, for its reader.
    note: String,
}

/// The descriptions of files, and those of columns.
static DESCRIPTIONS: LazyLock<(Vec<TableDescription>, Vec<ColumnDescription>)> = LazyLock::new(|| {
    let rows = csv::Reader::from_reader(COLUMNS.as_bytes()).into_deserialize::<ColumnDescription>();
    let rows = rows.map(|row| row.expect("the descriptions are part of the program"));
    let (tables, columns): (Vec<_>, Vec<_>) = rows.partition(|row| row.name.is_empty());
    let table = |row: ColumnDescription| {
        let ColumnDescription { table: name, heading, note, description: title, .. } = row;
        TableDescription { name, heading, note, title }
    };
    (tables.into_iter().map(table).collect(), columns)
});

/// All CSV files of a run, those that are derived first.
pub fn table_descriptions() -> &'static [TableDescription] {
    &DESCRIPTIONS.0
}

/// The columns of a file in their order; none if a run has no such file.
pub fn column_descriptions(table: &str) -> impl Iterator<Item = &'static ColumnDescription> {
    DESCRIPTIONS.1.iter().filter(move |column| column.table == table)
}

#[cfg(test)]
mod tests {
    use gcn_model::record::{ExperimentRecord, JournalRecord, Reading, columns};

    use std::path::Path;

    use super::*;
    use crate::one_wave::TimingRow;
    use crate::results::Results;
    use crate::run::{RECORDS, derived};
    use crate::tables::{InFile, csv_text};

    #[test]
    fn every_column_of_every_file_is_described_in_its_order() {
        let kept = |name: &str| match name {
            "run.json" => Some(include_str!("../../../results/reference/tahiti/run.json").to_owned()),
            TimingRow::FILE => Some(csv_text::<TimingRow>(&[])),
            _ => None,
        };
        let mut written = vec![
            ("experiments.csv", columns::<ExperimentRecord>().to_vec()),
            ("readings.csv", columns::<Reading>().to_vec()),
            ("journal.csv", columns::<JournalRecord>().to_vec()),
        ];
        let results = Results::of_kept(Path::new("kept"), kept).unwrap();
        results.for_each_table(|table| written.push((table.file(), table.columns())));
        for (name, columns) in &written {
            let described: Vec<&str> = column_descriptions(name).map(|column| column.name.as_str()).collect();
            assert_eq!(&described, columns, "{name}");
        }
        let sorted = |mut names: Vec<&'static str>| {
            names.sort_unstable();
            names
        };
        let described = sorted(table_descriptions().iter().map(|table| table.name.as_str()).collect());
        assert_eq!(described, sorted(written.iter().map(|(name, _)| *name).collect()));
        let of_a_run = RECORDS.into_iter().chain(derived()).filter(|name| name.ends_with(".csv"));
        assert_eq!(described, sorted(of_a_run.collect()));
    }

    #[test]
    fn column_descriptions_have_known_types_and_one_line() {
        for column in table_descriptions().iter().flat_map(|table| column_descriptions(&table.name)) {
            assert!(["string", "decimal", "nonNegativeInteger"].contains(&column.datatype.as_str()), "{column:?}");
            assert!(!column.description.is_empty() && !column.description.contains(['\n', '|']), "{column:?}");
        }
    }
}
