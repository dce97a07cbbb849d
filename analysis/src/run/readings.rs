//! Reads `readings.csv`: up to some hundred thousand rows, so names are replaced by positions on the way.

use std::collections::{HashMap, hash_map};

use gcn_model::record::{ExperimentRecord, Reading, columns};
use rayon::prelude::*;

use super::row_file::RowFile;
use crate::error::{AnalysisError, RowProblem};

/// A row of `readings.csv` with its experiment as a position in `experiments.csv`.
pub type StoredReading = Reading<u32>;

/// Reads and checks `readings.csv`.
///
/// # Errors
/// Other columns, a field that is not a number, a line cut off, an experiment that is not listed, a row that is there
/// twice.
pub(super) fn load_readings(
    file: &RowFile,
    experiments: &[ExperimentRecord],
) -> Result<Vec<StoredReading>, AnalysisError> {
    let positions: HashMap<&[u8], u32> =
        (0..).zip(experiments).map(|(index, record)| (record.experiment.as_bytes(), index)).collect();
    if let Some(readings) = load_in_parts(file, &positions) {
        return Ok(readings);
    }
    let rows = file.text().len() / 64;
    let mut readings = Vec::with_capacity(rows);
    let mut seen = HashMap::with_capacity(rows);
    file.each(columns::<Reading>(), |row| {
        let reading = parse(row.fields, &positions)?;
        match seen.entry((reading.experiment, reading.launch, reading.n, reading.pass, reading.wave)) {
            hash_map::Entry::Vacant(entry) => entry.insert(row.line),
            hash_map::Entry::Occupied(entry) => {
                let StoredReading { launch, n, pass, wave, .. } = reading;
                let name = String::from_utf8_lossy(&row.fields[0]);
                let what = format!("the reading {name}, launch {launch}, n {n}, pass {pass}, wave {wave}");
                return Err(RowProblem::Duplicate { what, first_line: *entry.get() });
            }
        };
        readings.push(reading);
        Ok(())
    })?;
    Ok(readings)
}

/// The readings of a file without a fault, its parts read side by side; `None` if anything is odd, whatever it is.
///
/// A run numbers its launches as it goes, so that no reading can be there twice where each is greater than the one before it.
fn load_in_parts(file: &RowFile, positions: &HashMap<&[u8], u32>) -> Option<Vec<StoredReading>> {
    let columns = columns::<Reading>();
    let read = |rows: &[u8]| {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(rows);
        let mut readings = Vec::with_capacity(rows.len() / 64);
        let mut fields = csv::ByteRecord::new();
        while reader.read_byte_record(&mut fields).ok()? {
            if fields.len() != columns.len() {
                return None;
            }
            readings.push(parse(&fields, positions).ok()?);
        }
        Some(readings)
    };
    let parts: Option<Vec<Vec<StoredReading>>> = file.parts(columns)?.into_par_iter().map(read).collect();
    let readings = parts?.concat();
    let key = |reading: &StoredReading| (reading.launch, reading.n, reading.pass, reading.wave);
    readings.is_sorted_by(|one, next| key(one) < key(next)).then_some(readings)
}

fn parse(row: &csv::ByteRecord, positions: &HashMap<&[u8], u32>) -> Result<StoredReading, RowProblem> {
    let name = &row[0];
    let experiment = *positions
        .get(name)
        .ok_or_else(|| RowProblem::UnknownExperiment(String::from_utf8_lossy(name).into_owned()))?;
    let (realtime_begin, realtime_end) = match (&row[9], &row[10]) {
        (b"", b"") => (None, None),
        _ => (Some(number(row, 9)?), Some(number(row, 10)?)),
    };
    Ok(StoredReading {
        experiment,
        launch: number(row, 1)?,
        n: number(row, 2)?,
        pass: number(row, 3)?,
        wave: number(row, 4)?,
        begin: number(row, 5)?,
        end: number(row, 6)?,
        hw_id: number(row, 7)?,
        hw_id_end: number(row, 8)?,
        realtime_begin,
        realtime_end,
    })
}

/// The field of a column as a number that fits its type.
fn number<T: std::str::FromStr>(row: &csv::ByteRecord, column: usize) -> Result<T, RowProblem> {
    let field = &row[column];
    std::str::from_utf8(field).ok().and_then(|text| text.parse().ok()).ok_or_else(|| RowProblem::Field {
        column: columns::<Reading>()[column],
        value: String::from_utf8_lossy(field).into_owned(),
        wanted: "a whole number".to_owned(),
    })
}
