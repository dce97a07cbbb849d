//! The content of a run's CSV files: each file, and each column with its type, unit and meaning.

use std::sync::LazyLock;

use serde::Deserialize;

/// The files in the order in which they are told of, each in a row without a column, and their columns in their order.
const COLUMNS: &str = include_str!("../../data/columns.csv");

/// A CSV file of a run's folder, or a column of one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Description {
    /// Name of the file.
    #[serde(rename = "table")]
    pub(crate) file: String,
    /// Name in the header; empty for the file itself.
    pub(crate) column: String,
    /// Its heading for a reader; empty where no reader is shown it, or it is shown in its neighbour.
    pub(crate) heading: String,
    /// Type of a column in CSV on the Web: `string`, `decimal` or `nonNegativeInteger`; a cell that is empty has no value.
    pub(crate) datatype: String,
    /// Unit in words; empty for numbers and words that have none.
    pub(crate) unit: String,
    /// The subject of a file's rows, or the meaning of a column.
    pub(crate) description: String,
    /// Notes on a file, for its reader.
    pub(crate) note: String,
}

static DESCRIPTIONS: LazyLock<Vec<Description>> = LazyLock::new(|| {
    let rows = csv::Reader::from_reader(COLUMNS.as_bytes()).into_deserialize();
    rows.map(|row| row.expect("the descriptions are part of the program")).collect()
});

/// All CSV files of a run, those that are derived first.
pub(crate) fn described_files() -> impl Iterator<Item = &'static Description> {
    DESCRIPTIONS.iter().filter(|told| told.column.is_empty())
}

/// The columns of a file in their order; none if a run has no such file.
pub(crate) fn described_columns(file: &str) -> impl Iterator<Item = &'static Description> {
    DESCRIPTIONS.iter().filter(move |told| told.file == file && !told.column.is_empty())
}

#[cfg(test)]
mod tests {
    use gcn_model::record::{ExperimentRecord, JournalRecord, Reading, columns};

    use std::path::Path;

    use super::*;
    use crate::one_wave::TimingRow;
    use crate::results::Results;
    use crate::run::{RECORDS, derived};
    use crate::tables::{Tabled, csv_text};

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
            let described: Vec<&str> = described_columns(name).map(|told| told.column.as_str()).collect();
            assert_eq!(&described, columns, "{name}");
        }
        let sorted = |mut names: Vec<&'static str>| {
            names.sort_unstable();
            names
        };
        let described = sorted(described_files().map(|told| told.file.as_str()).collect());
        assert_eq!(described, sorted(written.iter().map(|(name, _)| *name).collect()));
        let of_a_run = RECORDS.into_iter().chain(derived()).filter(|name| name.ends_with(".csv"));
        assert_eq!(described, sorted(of_a_run.collect()));
    }

    #[test]
    fn column_descriptions_have_known_types_and_one_line() {
        for column in described_files().flat_map(|told| described_columns(&told.file)) {
            assert!(["string", "decimal", "nonNegativeInteger"].contains(&column.datatype.as_str()), "{column:?}");
            assert!(!column.description.is_empty() && !column.description.contains(['\n', '|']), "{column:?}");
        }
    }
}
