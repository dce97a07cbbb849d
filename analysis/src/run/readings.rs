//! Reads `readings.csv`: up to some hundred thousand rows, so names are replaced by positions on the way.

use std::collections::{HashMap, hash_map};

use gcn_model::record::ExperimentRecord;

use super::row_file::RowFile;
use crate::error::{AnalysisError, RowProblem};

/// Columns of `readings.csv`, in the order of the record's fields.
pub const READING_COLUMNS: [&str; 11] = [
    "experiment",
    "launch",
    "n",
    "pass",
    "wave",
    "begin",
    "end",
    "hw_id",
    "hw_id_end",
    "realtime_begin",
    "realtime_end",
];

/// A row of `readings.csv` with its experiment as a position; the fields are those of [`gcn_model::record::Reading`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredReading {
    /// Position of the experiment in `experiments.csv`.
    pub experiment: u32,
    /// Launch of the run.
    pub launch: u32,
    /// Blocks in the timed code.
    pub n: u32,
    /// Pass of the timed code inside the kernel.
    pub pass: u32,
    /// Wave of the launch.
    pub wave: u32,
    /// S_MEMTIME before the timed code, shader cycles.
    pub begin: u64,
    /// S_MEMTIME after the timed code, shader cycles.
    pub end: u64,
    /// HW_ID at the start of the wave.
    pub hw_id: u32,
    /// HW_ID at the end of the wave.
    pub hw_id_end: u32,
    /// S_MEMREALTIME at the start and at the end of the wave, ticks, where the generation has it.
    pub realtime: Option<(u64, u64)>,
}

impl StoredReading {
    /// The difference of the two readings, shader cycles.
    ///
    /// A first reading that comes late enough makes it negative. That is an outlier like any other, for the statistics to
    /// drop and count, not a damaged file.
    pub const fn elapsed(&self) -> i64 {
        self.end.wrapping_sub(self.begin).cast_signed()
    }
}

/// Reads and checks `readings.csv`.
///
/// # Errors
/// Other columns, a field that is no number, a line cut off, an experiment that is not listed, a row that is there
/// twice.
pub(super) fn load_readings(
    file: &RowFile,
    experiments: &[ExperimentRecord],
) -> Result<Vec<StoredReading>, AnalysisError> {
    let positions: HashMap<&[u8], u32> =
        (0..).zip(experiments).map(|(index, record)| (record.experiment.as_bytes(), index)).collect();
    let rows = file.text().len() / 64;
    let mut readings = Vec::with_capacity(rows);
    let mut seen = HashMap::with_capacity(rows);
    file.each(&READING_COLUMNS, |row| {
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

/// One row.
fn parse(row: &csv::ByteRecord, positions: &HashMap<&[u8], u32>) -> Result<StoredReading, RowProblem> {
    let name = &row[0];
    let experiment = *positions
        .get(name)
        .ok_or_else(|| RowProblem::UnknownExperiment(String::from_utf8_lossy(name).into_owned()))?;
    let realtime = match (&row[9], &row[10]) {
        (b"", b"") => None,
        _ => Some((number(row, 9)?, number(row, 10)?)),
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
        realtime,
    })
}

/// The field of a column as a number that fits its type.
fn number<T: std::str::FromStr>(row: &csv::ByteRecord, column: usize) -> Result<T, RowProblem> {
    let field = &row[column];
    std::str::from_utf8(field).ok().and_then(|text| text.parse().ok()).ok_or_else(|| RowProblem::Field {
        column: READING_COLUMNS[column],
        value: String::from_utf8_lossy(field).into_owned(),
        wanted: "a whole number",
    })
}
