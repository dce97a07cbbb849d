//! A table: a row type whose fields are the columns of a CSV file, declared once for writing and reading.

use std::path::Path;

use gcn_model::csv_cell::no_formula;
use gcn_model::record::DeviceRecord;

use super::value::{Shown, Value};
use crate::error::{AnalysisError, RowProblem};

/// A row type of a table.
pub trait Tabled: Sized {
    /// The name of the file that a table of these rows is.
    const FILE: &'static str;

    /// The names of the columns in their order.
    fn columns() -> Vec<&'static str>;

    /// The row's cells, one for each column.
    fn cells(&self) -> Vec<String>;

    /// Its fields for a reader of results of a device, each with the name of its first column.
    fn shown(&self, device: &DeviceRecord) -> Vec<(&'static str, Shown)>;

    /// The row of these cells.
    ///
    /// # Errors
    /// A column is missing, or a cell is no value of its column.
    fn of_cells(cells: &Cells<'_>) -> Result<Self, String>;
}

/// The rows of a table, whatever their type.
pub(crate) trait AnyTable {
    /// The name of its file.
    fn file(&self) -> &'static str;

    fn columns(&self) -> Vec<&'static str>;

    /// The cells of each row.
    fn cells(&self) -> Vec<Vec<String>>;

    /// The fields of each row for a reader, as [`Tabled::shown`] has them.
    fn shown(&self, device: &DeviceRecord) -> Vec<Vec<(&'static str, Shown)>>;
}

impl<T: Tabled> AnyTable for Vec<T> {
    fn file(&self) -> &'static str {
        T::FILE
    }

    fn columns(&self) -> Vec<&'static str> {
        T::columns()
    }

    fn cells(&self) -> Vec<Vec<String>> {
        self.iter().map(Tabled::cells).collect()
    }

    fn shown(&self, device: &DeviceRecord) -> Vec<Vec<(&'static str, Shown)>> {
        self.iter().map(|row| row.shown(device)).collect()
    }
}

/// The texts of a folder's files.
pub(crate) struct TableFiles<'t> {
    /// Names the files in errors.
    pub(crate) folder: &'t Path,
    /// The text of a file, if there is one.
    pub(crate) text: &'t dyn Fn(&str) -> Result<Option<String>, AnalysisError>,
}

impl TableFiles<'_> {
    /// The rows of a table; none if there is no such file.
    ///
    /// # Errors
    /// The file differs from a run's output.
    pub(crate) fn rows<T: Tabled>(&self) -> Result<Vec<T>, AnalysisError> {
        (self.text)(T::FILE)?.map_or_else(|| Ok(Vec::new()), |text| rows_of(&self.folder.join(T::FILE), &text))
    }
}

/// Declares a [`Tabled`] row type after the name of its file. The fields are in the order of the columns, each with the names of its columns
/// if these are not the field's own name; after `beside` come those that the file does not have.
macro_rules! table {
    (
        $file:literal:
        $(#[$of_row:meta])*
        pub struct $row:ident {
            $($(#[$of_field:meta])* pub $field:ident: $type:ty $(= $($column:literal)+)?),+ $(,)?
        }
        $(beside { $($(#[$of_other:meta])* pub $other:ident: $other_type:ty),+ $(,)? })?
    ) => {
        $(#[$of_row])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $row {
            $($(#[$of_field])* pub $field: $type,)+
            $($($(#[$of_other])* pub $other: $other_type,)+)?
        }

        impl $crate::tables::Tabled for $row {
            const FILE: &'static str = $file;

            fn columns() -> Vec<&'static str> {
                [$($crate::tables::names!($field $($($column)+)?)),+].concat()
            }

            fn cells(&self) -> Vec<String> {
                let mut cells = Vec::new();
                $($crate::tables::put(&mut cells, &self.$field, $crate::tables::names!($field $($($column)+)?).len());)+
                cells
            }

            fn shown(&self, device: &gcn_model::record::DeviceRecord) -> Vec<(&'static str, $crate::tables::Shown)> {
                vec![$((
                    $crate::tables::names!($field $($($column)+)?)[0],
                    $crate::tables::Value::shown(&self.$field, device),
                )),+]
            }

            fn of_cells(cells: &$crate::tables::Cells<'_>) -> Result<Self, String> {
                Ok(Self {
                    $($field: cells.get($crate::tables::names!($field $($($column)+)?))?,)+
                    $($($other: Default::default(),)+)?
                })
            }
        }
    };
}

/// The names of a field's columns.
macro_rules! names {
    ($field:ident) => {
        &[stringify!($field)][..]
    };
    ($field:ident $($column:literal)+) => {
        &[$($column),+][..]
    };
}

pub(crate) use {names, table};

/// Appends the cells of a field that has this many columns.
pub(crate) fn put(cells: &mut Vec<String>, field: &impl Value, columns: usize) {
    let end = cells.len() + columns;
    cells.extend(field.texts().into_iter().take(columns));
    cells.resize(end, String::new());
}

/// The cells of a row of a file, by the names of their columns.
pub struct Cells<'r> {
    columns: &'r csv::StringRecord,
    row: &'r csv::StringRecord,
}

impl Cells<'_> {
    /// The value of a field with these columns.
    pub(crate) fn get<V: Value>(&self, columns: &[&'static str]) -> Result<V, String> {
        let mut texts = Vec::new();
        for column in columns {
            match self.columns.iter().position(|name| name == *column) {
                Some(place) => texts.push(self.row.get(place).unwrap_or_default()),
                None if V::MAY_BE_ABSENT => texts.push(""),
                None => return Err(format!("there is no column {column}")),
            }
        }
        V::of_texts(&texts).map_err(|why| format!("{}: {why}", columns.join(", ")))
    }
}

/// The text of a table: its header, and its rows; lines end with a line feed.
pub fn csv_text<T: Tabled>(rows: &[T]) -> String {
    csv_of(T::columns(), rows.iter().map(Tabled::cells))
}

/// The text of a CSV file with these columns. No cell is a formula to a spreadsheet.
pub(crate) fn csv_of(
    columns: impl IntoIterator<Item = &'static str>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let write = |writer: &mut csv::Writer<Vec<u8>>| -> csv::Result<()> {
        writer.write_record(columns)?;
        rows.into_iter().try_for_each(|row| writer.write_record(row.iter().map(|cell| no_formula(cell))))
    };
    write(&mut writer).expect("memory takes every write");
    let bytes = writer.into_inner().expect("memory takes every write");
    String::from_utf8(bytes).expect("all cells are text")
}

/// The rows of a CSV file's text; further columns are passed over.
pub(crate) fn rows_of<T: Tabled>(path: &Path, text: &str) -> Result<Vec<T>, AnalysisError> {
    let failed = |line, problem| AnalysisError::TableRow { path: path.to_owned(), line, problem };
    let broken = |error: csv::Error| {
        failed(error.position().map_or(1, csv::Position::line), RowProblem::of_csv(&error).to_string())
    };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns = reader.headers().map_err(broken)?.clone();
    let row = |row: csv::Result<csv::StringRecord>| {
        let row = row.map_err(broken)?;
        let line = row.position().map_or(1, csv::Position::line);
        T::of_cells(&Cells { columns: &columns, row: &row }).map_err(|problem| failed(line, problem))
    };
    reader.records().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::many_waves::ThroughputRow;
    use crate::one_wave::DistributionRow;
    use crate::settle::Status;

    const THROUGHPUT: &str = "instruction,waves_per_simd,throughput,low,high,status,detail,case,later\n";

    fn read(rows: &str) -> Result<Vec<ThroughputRow>, AnalysisError> {
        rows_of(Path::new("throughput.csv"), &format!("{THROUGHPUT}{rows}"))
    }

    #[test]
    fn a_table_without_rows_has_its_header() {
        assert_eq!(csv_text::<DistributionRow>(&[]), "instruction,case,value_cycles,count,share\n");
    }

    #[test]
    fn empty_fields_are_absent_and_later_columns_are_passed_over() {
        let found = read("A,1,0.5,0.4,0.6,ok,,,x\nA,2,,,,failed,\"lost, all\",,x\n").unwrap();
        assert_eq!(found[0].throughput.map(|found| found.numbers()), Some([0.5, 0.4, 0.6]));
        assert_eq!(
            (found[1].throughput, found[1].status, found[1].detail.as_str()),
            (None, Status::Failed, "lost, all")
        );
        let without_last = csv_text(&found).replace(",later", "");
        assert_eq!(without_last.lines().nth(2), Some("A,2,,,,failed,\"lost, all\","));
    }

    #[test]
    fn a_wrong_row_is_named_with_its_line_and_column() {
        let error = read("A,1,0.5,0.4,0.6,ok,,,x\nA,two,,,,failed,,,x\n").unwrap_err().to_string();
        assert!(error.contains("throughput.csv:3: waves_per_simd: "), "{error}");
        let error = read("A,1,0.5,0.4,0.6,well,,,x\n").unwrap_err().to_string();
        assert!(error.contains("throughput.csv:2: status: "), "{error}");
        let error = rows_of::<ThroughputRow>(Path::new("x"), "instruction\nA\n").unwrap_err().to_string();
        assert!(error.contains("x:2: there is no column waves_per_simd"), "{error}");
    }
}
