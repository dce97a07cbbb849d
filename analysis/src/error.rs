//! What can go wrong between a run's folder and its tables.

use std::path::{Path, PathBuf};

use gcn_model::isa::Generation;

/// A failure to read a run's folder or its tables, or to write the tables into it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A file cannot be read.
    #[error("{}: {source}; {}", path.display(), step_after_reading(path))]
    Read { path: PathBuf, source: std::io::Error },
    /// A file where a run's folder is wanted.
    #[error(
        "{}: a file, but a run's folder is expected; if it is a bundle, `gcn-timings bundle --unpack {} --out DIR` unpacks it",
        .0.display(),
        .0.display()
    )]
    NotAFolder(PathBuf),
    /// `run.json` is not a run record.
    #[error("{}: not a run record: {source}; measure again, or restore the file as the run wrote it", path.display())]
    RunRecord {
        path: PathBuf,
        /// What does not fit, with line and column.
        source: serde_json::Error,
    },
    /// `run.json` is not as the run wrote it.
    #[error("{}: changed after the run wrote it; restore it, or measure again", path.display())]
    Changed { path: PathBuf },
    /// `run.json` was written by another version of the tool.
    #[error("{}: schema {found}, this tool reads schema {supported}; analyse it with {tool}", path.display())]
    Schema {
        path: PathBuf,
        /// The schema that the file states.
        found: u32,
        /// The schema that this crate reads.
        supported: u32,
        /// The tool that wrote the file, as the file says.
        tool: String,
    },
    /// `run.json` names an unknown generation.
    #[error(
        "{}: device.generation is {found:?}, expected one of {}; restore the file as the run wrote it",
        path.display(),
        generations()
    )]
    Generation {
        path: PathBuf,
        /// The stated value.
        found: String,
    },
    /// A row of a CSV file differs from a run's output.
    #[error("{}:{line}: {problem}; {}", path.display(), problem.next_step())]
    Row {
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        problem: RowProblem,
    },
    /// There is no folder of that name.
    #[error("{}: no such folder; a run's folder is what `gcn-timings measure --out DIR` makes", .0.display())]
    NoFolder(PathBuf),
    /// The folder has no `run.json`.
    #[error("{}: no run.json in it, so this is not a run's folder", .0.display())]
    NotARun(PathBuf),
    /// A table that every run has is not there.
    #[error("{}: not there; `gcn-timings analyze {}` writes it", path.display(), folder.display())]
    NoTable { path: PathBuf, folder: PathBuf },
    /// A derived file cannot be read.
    #[error("{}: {source}", path.display())]
    ReadTable { path: PathBuf, source: std::io::Error },
    /// A derived JSON file differs from a run's output.
    #[error("{}: {source}; restore the file, or measure again", path.display())]
    Json {
        path: PathBuf,
        /// What does not fit, with line and column.
        source: serde_json::Error,
    },
    /// A row of a table differs from a run's output.
    #[error("{}:{line}: {problem}; `gcn-timings analyze` writes the table again", path.display())]
    TableRow {
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        problem: String,
    },
    /// A table cannot be written.
    #[error("{}: {source}; is the folder writable and the disk not full?", path.display())]
    Write { path: PathBuf, source: std::io::Error },
}

/// The user's next step where a file of a run cannot be read.
fn step_after_reading(path: &Path) -> &'static str {
    match path.with_file_name("run.json") {
        record if record != path && record.exists() => "it is a part of this run: restore it, or measure again",
        _ => "is this a run's folder? `gcn-timings measure --out DIR` makes one",
    }
}

/// The names that a run has for generations.
fn generations() -> String {
    let names = Generation::all().into_iter().map(|known| known.clrx_name().unwrap_or(known.name()));
    names.collect::<Vec<_>>().join(", ")
}

/// The fault of a line of `experiments.csv`, `readings.csv` or `journal.csv`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowProblem {
    /// The first line does not name the columns that the schema has.
    #[error("the header is {found:?}, expected {expected:?}")]
    Header {
        /// Columns of the schema.
        expected: String,
        /// The line that was found.
        found: String,
    },
    /// The file starts with a byte order mark, which no run writes.
    #[error("it starts with a byte order mark: another program wrote it")]
    Mark,
    /// The file's last line has no line end: the writer was interrupted.
    #[error("the last line was cut off while it was written")]
    CutOff,
    /// The line has more or fewer fields than the header.
    #[error("{found} fields where the header has {expected}")]
    FieldCount {
        /// Fields of the header.
        expected: usize,
        /// Fields of the line.
        found: usize,
    },
    /// A field's text is not what its column holds.
    #[error("{column} is {value:?}, expected {wanted}")]
    Field {
        column: &'static str,
        /// The text that was found.
        value: String,
        /// The expected content of the column.
        wanted: String,
    },
    /// The CSV reader could not make sense of the line.
    #[error("{0}")]
    Csv(String),
    /// The reading is of an experiment that `experiments.csv` does not list.
    #[error("experiment {0:?} is not in experiments.csv")]
    UnknownExperiment(String),
    /// Two readings have the same experiment, launch, n, pass and wave, or two experiments the same id.
    #[error("{what} is listed twice, first on line {first_line}")]
    Duplicate {
        /// The repeated entry.
        what: String,
        /// Where it was first.
        first_line: u64,
    },
    /// The journal names rows that are not there.
    #[error("the file ends here, and journal.csv says that {0} has rows in it")]
    Missing(String),
    /// The journal does not name a row that is there.
    #[error("journal.csv does not name this line")]
    Unexpected,
    /// The journal is shorter than it was at the end of the run.
    #[error("the file ends after {found} attempts, but run.json says {expected}")]
    Tries {
        /// Rows that are there.
        found: u64,
        /// Rows that there were.
        expected: u64,
    },
    /// A row differs from the run's own, though it could be one.
    #[error("{what} is not what the run wrote (one of the lines up to {last_line})")]
    Checksum {
        /// The changed part.
        what: String,
        /// The last line that it can be.
        last_line: u64,
    },
    /// The journal has zeros, followed by more rows than can have been in flight.
    #[error("zeros replace what the run wrote")]
    Zeros,
    /// An experiment's numbers contradict its kind.
    #[error("{0}")]
    Contradiction(String),
}

impl RowProblem {
    /// A failure of the CSV reader itself.
    pub(crate) fn of_csv(error: &csv::Error) -> Self {
        match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                Self::FieldCount { expected: *expected_len as usize, found: *len as usize }
            }
            _ => Self::Csv(error.to_string()),
        }
    }

    /// The user's next step.
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::CutOff => "remove that line, or use `gcn-timings measure --resume`, which measures it again",
            Self::UnknownExperiment(_) => "the two files are not of one run: restore both as the run wrote them",
            Self::Missing(_) | Self::Tries { .. } => {
                "the file was cut short after the run: restore it, or measure again"
            }
            Self::Duplicate { .. } => "remove the copy; to put two runs together use `gcn-timings merge`",
            Self::Header { .. } => "this is not the file of a run of this tool's version",
            _ => "the file was changed after the run: restore it, or measure again",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_generations_are_told_with_all_that_there_are() {
        let error = AnalysisError::Generation { path: "run.json".into(), found: "gfx99".to_owned() }.to_string();
        for known in Generation::all() {
            assert!(error.contains(known.clrx_name().unwrap_or(known.name())), "{}: {error}", known.name());
        }
    }

    #[test]
    fn files_that_a_run_lacks_are_told_apart_from_folders_of_no_run() {
        let folder = tempfile::tempdir().unwrap();
        let step = |name: &str| step_after_reading(&folder.path().join(name));
        assert!(step("readings.csv").starts_with("is this a run's folder?"));
        std::fs::write(folder.path().join("run.json"), "{}").unwrap();
        assert!(step("readings.csv").starts_with("it is a part of this run"));
    }
}
