//! The data files of a folder, and their rows.

use serde::de::DeserializeOwned;

use super::IsaError;
use super::data_file::DataFile;

/// The file of a name in a generation's folder.
pub(super) fn file_of<'f, 't>(files: &'f [DataFile<'t>], name: &'static str) -> Result<&'f DataFile<'t>, IsaError> {
    let folder = || {
        let first = files.first().map(|(path, _)| path.rsplit_once('/').map_or(*path, |(folder, _)| folder));
        first.unwrap_or("an empty folder").to_owned()
    };
    let file = files.iter().find(|(path, _)| path.rsplit('/').next() == Some(name));
    file.ok_or_else(|| IsaError::Missing { folder: folder(), file: name })
}

/// The rows of a CSV file, each with its line. A row may end before the last columns.
pub(super) fn rows<T: DeserializeOwned>(file: &DataFile<'_>) -> Result<Vec<(u64, T)>, IsaError> {
    let csv_error = |source| IsaError::Csv { file: file.0.to_owned(), source };
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file.1.as_bytes());
    let headers = reader.headers().map_err(csv_error)?.clone();
    let mut record = csv::StringRecord::new();
    let mut rows = Vec::with_capacity(256);
    while reader.read_record(&mut record).map_err(csv_error)? {
        let line = record.position().map_or(0, csv::Position::line);
        (record.len()..headers.len()).for_each(|_| record.push_field(""));
        rows.push((line, record.deserialize(Some(&headers)).map_err(csv_error)?));
    }
    Ok(rows)
}
