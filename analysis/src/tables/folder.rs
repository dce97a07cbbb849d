//! Reads the tables of a run.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use gcn_model::record::{DeviceRecord, RunRecord};
use gcn_model::regular_file;
use serde::de::DeserializeOwned;

use super::rows::{
    AllocationRecord, BesideRecord, DelayRecord, DisputeRecord, DistributionRecord, EstimateRecord, IssueRecord,
    MatrixRecord, OccupancyRecord, OverlapRecord, PenaltyRecord, SemanticRecord, ThroughputRecord, TimingRecord,
    UnitRecord, ValidationRecord, VariantRecord,
};
use crate::clock::ClockStretch;
use crate::error::AnalysisError;
use crate::rules::FrontEnd;
use crate::run::{StoredRun, parse_run_record};
use crate::verdict::DpFactor;

/// The file of the run's record.
const RECORD: &str = "run.json";

/// A failure to read the tables of a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablesError {
    /// There is no folder of that name.
    #[error("{}: no such folder; a run's folder is what `gcn-timings measure --out DIR` makes", .0.display())]
    NoFolder(PathBuf),
    /// The folder has no `run.json`.
    #[error("{}: no run.json in it, so this is not a run's folder", .0.display())]
    NotARun(PathBuf),
    /// A table that every run has is not there.
    #[error("{}: not there; `gcn-timings analyze {}` writes it", path.display(), folder.display())]
    NoTable {
        /// The table.
        path: PathBuf,
        /// The run.
        folder: PathBuf,
    },
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
    /// A JSON file differs from a run's output.
    #[error("{}: {source}; restore the file, or measure again", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What does not fit, with line and column.
        source: serde_json::Error,
    },
    /// The records of the run are not as it wrote them.
    #[error(transparent)]
    Records(#[from] AnalysisError),
    /// A row of a table differs from a run's output.
    #[error("{}:{line}: {problem}; `gcn-timings analyze` writes the table again", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        problem: String,
    },
}

/// Where tables are from.
#[derive(Debug, Clone)]
pub enum Origin {
    /// They follow from the records of a run, all of which were checked: these.
    Records(Box<StoredRun>),
    /// They were read unchanged: their folder has no records.
    Files,
}

/// The tables of a run; those that the run has nothing for are empty.
#[derive(Debug, Clone)]
pub struct Tables {
    /// Where they are.
    pub folder: PathBuf,
    /// Where they are from.
    pub origin: Origin,
    /// Files of the folder that do not say what its records do: changed, or of an earlier state of the run.
    pub differing: Vec<&'static str>,
    /// `run.json`.
    pub record: RunRecord,
    /// `estimates.csv`.
    pub estimates: Vec<EstimateRecord>,
    /// `clock.csv`.
    pub clock: Vec<ClockStretch>,
    /// `timings.csv`.
    pub timings: Vec<TimingRecord>,
    /// `throughput.csv`.
    pub throughputs: Vec<ThroughputRecord>,
    /// `variants.csv`.
    pub variants: Vec<VariantRecord>,
    /// `penalties.csv`.
    pub penalties: Vec<PenaltyRecord>,
    /// `occupancy.csv`.
    pub occupancy: Vec<OccupancyRecord>,
    /// `issue.csv`.
    pub issue: Vec<IssueRecord>,
    /// `allocation.csv`.
    pub allocations: Vec<AllocationRecord>,
    /// `distributions.csv`.
    pub distributions: Vec<DistributionRecord>,
    /// `matrix.csv`.
    pub matrix: Vec<MatrixRecord>,
    /// `matrix-overlap.csv`.
    pub overlaps: Vec<OverlapRecord>,
    /// `units.csv`.
    pub units: Vec<UnitRecord>,
    /// `delays.csv`.
    pub delays: Vec<DelayRecord>,
    /// `transcendental-overlap.csv`.
    pub beside: Vec<BesideRecord>,
    /// `validation.csv`.
    pub validation: Vec<ValidationRecord>,
    /// `disputes.csv`.
    pub disputes: Vec<DisputeRecord>,
    /// `semantics.csv`.
    pub semantics: Vec<SemanticRecord>,
    /// `dpfactor.json`.
    pub dpfactor: Option<DpFactor>,
    /// The front end that the alignment cases show; no table has it, so only a run with its records.
    pub front_end: Option<FrontEnd>,
}

impl Tables {
    /// Reads the tables of a folder without readings of a run: published results are kept without them. Their content is not verified.
    ///
    /// # Errors
    /// The folder is not a run's, `timings.csv` is missing, or a file differs from a run's output: the error names file and line.
    pub fn of_files(folder: &Path) -> Result<Self, TablesError> {
        Self::of_record(folder, |name| text(&folder.join(name)))
    }

    /// The tables of results that were kept without readings, and in no folder: `text` gives the files, and `place` names them in errors.
    ///
    /// # Errors
    /// As [`Tables::of_files`].
    pub fn of_kept(place: &Path, text: impl Fn(&str) -> Option<String>) -> Result<Self, TablesError> {
        Self::of_record(place, |name| Ok(text(name)))
    }

    /// The tables of texts with a `run.json` among them.
    fn of_record(
        folder: &Path,
        text: impl Fn(&str) -> Result<Option<String>, TablesError>,
    ) -> Result<Self, TablesError> {
        let record = text(RECORD)?.ok_or_else(|| TablesError::NotARun(folder.to_owned()))?;
        let record = parse_run_record(&folder.join(RECORD), &record)?;
        Self::of_texts(folder, record, Origin::Files, text)
    }

    /// The tables of these texts.
    ///
    /// # Errors
    /// `timings.csv` is missing, or a text differs from a run's output: the error names file and line.
    pub(crate) fn of_texts(
        folder: &Path,
        record: RunRecord,
        origin: Origin,
        text: impl Fn(&str) -> Result<Option<String>, TablesError>,
    ) -> Result<Self, TablesError> {
        let folder = folder.to_owned();
        let rows = Texts { folder: &folder, text: &text };
        let absent = || TablesError::NoTable { path: folder.join("timings.csv"), folder: folder.clone() };
        Ok(Self {
            estimates: rows.of("estimates.csv")?.unwrap_or_default(),
            clock: rows.of("clock.csv")?.unwrap_or_default(),
            timings: rows.of("timings.csv")?.ok_or_else(absent)?,
            throughputs: rows.of("throughput.csv")?.unwrap_or_default(),
            variants: rows.of("variants.csv")?.unwrap_or_default(),
            penalties: rows.of("penalties.csv")?.unwrap_or_default(),
            occupancy: rows.of("occupancy.csv")?.unwrap_or_default(),
            issue: rows.of("issue.csv")?.unwrap_or_default(),
            allocations: rows.of("allocation.csv")?.unwrap_or_default(),
            distributions: rows.of("distributions.csv")?.unwrap_or_default(),
            matrix: rows.of("matrix.csv")?.unwrap_or_default(),
            overlaps: rows.of("matrix-overlap.csv")?.unwrap_or_default(),
            units: rows.of("units.csv")?.unwrap_or_default(),
            delays: rows.of("delays.csv")?.unwrap_or_default(),
            beside: rows.of("transcendental-overlap.csv")?.unwrap_or_default(),
            validation: rows.of("validation.csv")?.unwrap_or_default(),
            disputes: rows.of("disputes.csv")?.unwrap_or_default(),
            semantics: rows.of("semantics.csv")?.unwrap_or_default(),
            dpfactor: rows.json("dpfactor.json")?,
            front_end: None,
            differing: Vec::new(),
            origin,
            record,
            folder,
        })
    }

    /// Their subject, for a head: the device, that it is a simulated one if it is, and the time of the measurement.
    pub fn title(&self) -> String {
        let DeviceRecord { name, .. } = &self.record.device;
        let device = if self.record.device.is_simulated() { format!("Simulated: {name}") } else { name.clone() };
        match self.origin {
            // A folder that no run wrote, such as one made of another tool's results, has no checksums, and no records to derive from.
            Origin::Files if !self.record.sha256.is_empty() || self.record.start.is_empty() => {
                format!("{device}, results without records")
            }
            _ => format!("{device}, run {}", self.run_id()),
        }
    }

    /// What names the run wherever its folder lies: its start, to the second.
    pub fn run_id(&self) -> String {
        match self.record.start.split_once('.') {
            Some((seconds, _)) => format!("{seconds}Z"),
            None => self.record.start.clone(),
        }
    }
}

/// A file's text, if there is one.
fn text(path: &Path) -> Result<Option<String>, TablesError> {
    match regular_file::read_to_string(path, regular_file::MOST_OF_A_RUN) {
        Ok(text) => Ok(Some(text)),
        Err(absent) if absent.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(TablesError::Read { path: path.to_owned(), source }),
    }
}

/// The texts of a folder's tables.
struct Texts<'t, F> {
    folder: &'t Path,
    text: &'t F,
}

impl<F: Fn(&str) -> Result<Option<String>, TablesError>> Texts<'_, F> {
    fn of<T: DeserializeOwned>(&self, name: &str) -> Result<Option<Vec<T>>, TablesError> {
        (self.text)(name)?.map(|text| rows_of(&self.folder.join(name), &text)).transpose()
    }

    fn json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, TablesError> {
        let failed = |source| TablesError::Json { path: self.folder.join(name), source };
        (self.text)(name)?.map(|text| serde_json::from_str(&text).map_err(failed)).transpose()
    }
}

/// The rows of a CSV file, if there is one.
pub(crate) fn rows<T: DeserializeOwned>(path: &Path) -> Result<Option<Vec<T>>, TablesError> {
    text(path)?.map(|text| rows_of(path, &text)).transpose()
}

fn rows_of<T: DeserializeOwned>(path: &Path, text: &str) -> Result<Vec<T>, TablesError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns: Vec<String> =
        reader.headers().map(|names| names.iter().map(str::to_owned).collect()).unwrap_or_default();
    let problem = |line, error: &csv::Error| {
        let problem = match error.kind() {
            csv::ErrorKind::Deserialize { err, .. } => {
                let column = err.field().and_then(|field| columns.get(field as usize));
                column.map_or_else(|| err.to_string(), |name| format!("{name}: {}", err.kind()))
            }
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("{len} fields where the header has {expected_len}")
            }
            _ => error.to_string(),
        };
        TablesError::Row { path: path.to_owned(), line, problem }
    };
    let line_of = |error: &csv::Error| error.position().map_or(1, csv::Position::line);
    let found: Result<Vec<T>, csv::Error> = reader.deserialize().collect();
    found.map_err(|error| problem(line_of(&error), &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    const THROUGHPUT: &str = "instruction,waves_per_simd,throughput,low,high,status,detail,case,later\n";

    #[test]
    fn empty_fields_are_absent_and_later_columns_are_passed_over() {
        let text = format!("{THROUGHPUT}A,1,0.5,0.4,0.6,ok,,,x\nA,2,,,,failed,\"lost, all\",,x\n");
        let folder = folder(&[("throughput.csv", &text)]);
        let found: Vec<ThroughputRecord> = rows(&folder.path().join("throughput.csv")).unwrap().unwrap();
        assert_eq!(found[0].throughput(), Some(crate::tables::Measured { value: 0.5, low: 0.4, high: 0.6 }));
        assert_eq!((found[1].throughput(), found[1].detail.as_str()), (None, "lost, all"));
    }

    #[test]
    fn a_wrong_row_is_named_with_its_line() {
        let text = format!("{THROUGHPUT}A,1,0.5,0.4,0.6,ok,,,x\nA,two,,,,failed,,,x\n");
        let folder = folder(&[("throughput.csv", &text)]);
        let error = rows::<ThroughputRecord>(&folder.path().join("throughput.csv")).unwrap_err().to_string();
        assert!(error.contains("throughput.csv:3: ") && error.contains("waves_per_simd"), "{error}");
    }

    #[test]
    fn what_is_no_run_is_said() {
        let empty = folder(&[]);
        assert!(Tables::of_files(empty.path()).unwrap_err().to_string().contains("not a run's folder"));
    }
}
