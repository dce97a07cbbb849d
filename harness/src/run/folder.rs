//! A run's folder: made for the run, appended to as it goes, never overwritten.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gcn_model::record::{ExperimentRecord, Reading, RunRecord};
use serde::Serialize;

use super::RunError;

/// `results/<gpu>/<UTC time>`, for a run without `--out`.
pub fn default_folder(gpu: &str, now: jiff::Timestamp) -> PathBuf {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let gpu: String = gpu.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    Path::new("results").join(gpu.trim_matches('.')).join(now.strftime("%Y-%m-%dT%H-%M-%SZ").to_string())
}

/// The folder of a run that goes on.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    readings: csv::Writer<File>,
    experiments: csv::Writer<File>,
}

impl RunFolder {
    /// Makes the folder.
    ///
    /// # Errors
    /// It holds something already, or cannot be written.
    pub fn create(path: &Path) -> Result<Self, RunError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |cause| RunError::Write { path, cause }
        };
        fs::create_dir_all(path).map_err(failed(path))?;
        if fs::read_dir(path).map_err(failed(path))?.next().is_some() {
            return Err(RunError::NotEmpty(path.into()));
        }
        let writer = |name: &str| -> Result<csv::Writer<File>, RunError> {
            let file = path.join(name);
            let made = File::create_new(&file).map_err(failed(&file))?;
            Ok(csv::WriterBuilder::new().buffer_capacity(1 << 20).from_writer(made))
        };
        Ok(Self { path: path.into(), readings: writer("readings.csv")?, experiments: writer("experiments.csv")? })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends the readings of an experiment, then its row, so that a row of `experiments.csv` has all its readings.
    ///
    /// # Errors
    /// The disk is full, the folder is gone.
    pub fn append(&mut self, experiment: &ExperimentRecord, readings: &[Reading]) -> Result<(), RunError> {
        let rows = |writer: &mut csv::Writer<File>| readings.iter().try_for_each(|reading| writer.serialize(reading));
        rows(&mut self.readings).map_err(|error| self.failed("readings.csv", error.into()))?;
        self.experiments.serialize(experiment).map_err(|error| self.failed("experiments.csv", error.into()))
    }

    /// Hands everything appended so far to the operating system.
    ///
    /// # Errors
    /// The disk is full, the folder is gone.
    pub fn flush(&mut self) -> Result<(), RunError> {
        self.readings.flush().map_err(|error| self.failed("readings.csv", error))?;
        self.experiments.flush().map_err(|error| self.failed("experiments.csv", error))
    }

    /// Writes `run.json`, in place of the one before.
    ///
    /// # Errors
    /// The disk is full, the folder is gone.
    pub fn write_record(&self, record: &RunRecord) -> Result<(), RunError> {
        let write = || -> io::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(&self.path)?;
            record.serialize(&mut serde_json::Serializer::pretty(&mut file))?;
            file.write_all(b"\n")?;
            // A temporary file is the owner's alone; results are for everybody, as other files of the folder are.
            let permissions = fs::metadata(self.path.join("readings.csv"))?.permissions();
            file.as_file().set_permissions(permissions)?;
            file.persist(self.path.join("run.json"))?;
            Ok(())
        };
        write().map_err(|error| self.failed("run.json", error))
    }

    fn failed(&self, file: &str, cause: io::Error) -> RunError {
        RunError::Write { path: self.path.join(file), cause }
    }
}
