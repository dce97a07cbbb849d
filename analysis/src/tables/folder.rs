//! Reads the tables of one run.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use gcn_model::record::RunRecord;
use gcn_model::regular_file;
use serde::de::DeserializeOwned;

use super::rows::{
    AllocationRecord, DisputeRecord, DistributionRecord, DpFactorRecord, EstimateRecord, IssueRecord, OccupancyRecord,
    PenaltyRecord, ThroughputRecord, TimingRecord, ValidationRecord, VariantRecord,
};
use crate::clock::ClockStretch;

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
        /// What the system said.
        source: std::io::Error,
    },
    /// A JSON file is not what a run writes.
    #[error("{}: {source}; restore the file, or measure again", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What does not fit, with line and column.
        source: serde_json::Error,
    },
    /// `run.json` was written by another version of the tool.
    #[error("{}: schema {found}, this tool reads schema {}", path.display(), RunRecord::SCHEMA)]
    Schema {
        /// The file.
        path: PathBuf,
        /// The schema that the file states.
        found: u32,
    },
    /// A row of a table is not what a run writes.
    #[error("{}:{line}: {problem}; `gcn-timings analyze` writes the table again", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
}

/// The tables of one run; those that the run has nothing for are empty.
#[derive(Debug, Clone)]
pub struct Tables {
    /// Where they are.
    pub folder: PathBuf,
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
    /// `validation.csv`.
    pub validation: Vec<ValidationRecord>,
    /// `disputes.csv`.
    pub disputes: Vec<DisputeRecord>,
    /// `dpfactor.json`.
    pub dpfactor: Option<DpFactorRecord>,
}

impl Tables {
    /// Reads the tables of a run's folder.
    ///
    /// # Errors
    /// The folder is none of a run, `timings.csv` is missing, or a file is not what a run writes: the error names file and line.
    pub fn load(folder: &Path) -> Result<Self, TablesError> {
        if !folder.is_dir() {
            return Err(TablesError::NoFolder(folder.to_owned()));
        }
        let record: RunRecord =
            json(&folder.join("run.json"))?.ok_or_else(|| TablesError::NotARun(folder.to_owned()))?;
        if record.schema != RunRecord::SCHEMA {
            return Err(TablesError::Schema { path: folder.join("run.json"), found: record.schema });
        }
        let timings = folder.join("timings.csv");
        let absent = || TablesError::NoTable { path: timings.clone(), folder: folder.to_owned() };
        Ok(Self {
            estimates: rows(&folder.join("estimates.csv"))?.unwrap_or_default(),
            clock: rows(&folder.join("clock.csv"))?.unwrap_or_default(),
            timings: rows(&timings)?.ok_or_else(absent)?,
            throughputs: rows(&folder.join("throughput.csv"))?.unwrap_or_default(),
            variants: rows(&folder.join("variants.csv"))?.unwrap_or_default(),
            penalties: rows(&folder.join("penalties.csv"))?.unwrap_or_default(),
            occupancy: rows(&folder.join("occupancy.csv"))?.unwrap_or_default(),
            issue: rows(&folder.join("issue.csv"))?.unwrap_or_default(),
            allocations: rows(&folder.join("allocation.csv"))?.unwrap_or_default(),
            distributions: rows(&folder.join("distributions.csv"))?.unwrap_or_default(),
            validation: rows(&folder.join("validation.csv"))?.unwrap_or_default(),
            disputes: rows(&folder.join("disputes.csv"))?.unwrap_or_default(),
            dpfactor: json(&folder.join("dpfactor.json"))?,
            folder: folder.to_owned(),
            record,
        })
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

fn json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, TablesError> {
    let Some(text) = text(path)? else { return Ok(None) };
    serde_json::from_str(&text).map(Some).map_err(|source| TablesError::Json { path: path.to_owned(), source })
}

/// The rows of a CSV file, if there is one.
pub(crate) fn rows<T: DeserializeOwned>(path: &Path) -> Result<Option<Vec<T>>, TablesError> {
    let Some(text) = text(path)? else { return Ok(None) };
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
    found.map(Some).map_err(|error| problem(line_of(&error), &error))
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
        assert_eq!(found[0].throughput(), Some(crate::tables::Span { value: 0.5, low: 0.4, high: 0.6 }));
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
        assert!(Tables::load(empty.path()).unwrap_err().to_string().contains("not a run's folder"));
        assert!(Tables::load(&empty.path().join("absent")).unwrap_err().to_string().contains("no such folder"));
    }
}
