//! A table as CSV.

use std::error::Error;

use gcn_model::csv_cell::no_formula;
use gcn_model::record::columns;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A row type of a table.
pub trait Tabled {
    /// A row of it, which names the columns.
    type Record: Serialize + DeserializeOwned;

    /// Its rows.
    fn records(&self) -> impl Iterator<Item = Self::Record>;
}

/// The text of a table: its header, and the rows of all of these; lines end with a line feed.
pub fn csv_text<T: Tabled>(rows: &[T]) -> String {
    text(rows.iter().flat_map(Tabled::records))
}

/// The same for records.
pub(crate) fn text<R: Serialize + DeserializeOwned>(records: impl Iterator<Item = R>) -> String {
    let without_header = || csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let write = || -> Result<Vec<u8>, Box<dyn Error>> {
        let mut rows = without_header();
        records.into_iter().try_for_each(|record| rows.serialize(record))?;
        let rows = rows.into_inner()?;
        let mut writer = without_header();
        writer.write_record(columns::<R>())?;
        for row in csv::ReaderBuilder::new().has_headers(false).from_reader(&rows[..]).records() {
            writer.write_record(row?.iter().map(no_formula))?;
        }
        Ok(writer.into_inner()?)
    };
    let bytes = write().expect("memory takes every write");
    String::from_utf8(bytes).expect("all fields are text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_rows_has_its_header() {
        use crate::tables::DistributionRecord;
        assert_eq!(text(std::iter::empty::<DistributionRecord>()), "instruction,case,value_cycles,count,share\n");
    }
}
