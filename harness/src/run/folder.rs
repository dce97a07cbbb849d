//! A run's folder: made for the run, appended to as it goes, never overwritten.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gcn_analysis::run::{EXPERIMENT_COLUMNS, READING_COLUMNS};
use gcn_model::record::{ExperimentRecord, Reading, RunRecord};
use serde::Serialize;

use super::RunError;

/// What is being tried right now, for whoever finds the folder of a run that was cut off.
const TRYING: &str = "trying.json";

/// `results/<gpu>/<UTC time>`, for a run without `--out`.
pub fn default_folder(gpu: &str, now: jiff::Timestamp) -> PathBuf {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let gpu: String = gpu.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    Path::new("results").join(gpu.trim_matches('.')).join(now.strftime("%Y-%m-%dT%H-%M-%SZ").to_string())
}

/// The folder of a run that goes on. Its files are made when there is something to write, so that a run which fails
/// before its first launch leaves nothing behind that could be taken for one.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    files: Option<Files>,
}

#[derive(Debug)]
struct Files {
    readings: csv::Writer<File>,
    experiments: csv::Writer<File>,
}

impl Files {
    fn create(path: &Path) -> Result<Self, RunError> {
        // The header is there from the start: a run in which everything failed is a run, too.
        let writer = |name: &str, columns: &[&str]| -> Result<csv::Writer<File>, RunError> {
            let path = path.join(name);
            let failed = |cause| RunError::Write { path: path.clone(), cause };
            let file = File::create_new(&path).map_err(failed)?;
            let mut writer = csv::WriterBuilder::new().has_headers(false).buffer_capacity(1 << 20).from_writer(file);
            writer.write_record(columns).map_err(|error| failed(error.into()))?;
            Ok(writer)
        };
        let readings = writer("readings.csv", &READING_COLUMNS)?;
        Ok(Self { readings, experiments: writer("experiments.csv", &EXPERIMENT_COLUMNS)? })
    }
}

impl RunFolder {
    /// Makes the folder, empty.
    ///
    /// # Errors
    /// It holds something already, or cannot be written.
    pub fn create(path: &Path) -> Result<Self, RunError> {
        let failed = |cause| RunError::Write { path: path.to_owned(), cause };
        fs::create_dir_all(path).map_err(failed)?;
        if fs::read_dir(path).map_err(failed)?.next().is_some() {
            return Err(RunError::NotEmpty(path.into()));
        }
        Ok(Self { path: path.into(), files: None })
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
        self.append_readings(readings)?;
        let path = self.path.join("experiments.csv");
        self.files()?.experiments.serialize(experiment).map_err(|error| RunError::Write { path, cause: error.into() })
    }

    /// Appends further readings of an experiment that has its row.
    ///
    /// # Errors
    /// The disk is full, the folder is gone.
    pub fn append_readings(&mut self, readings: &[Reading]) -> Result<(), RunError> {
        let path = self.path.join("readings.csv");
        let writer = &mut self.files()?.readings;
        readings
            .iter()
            .try_for_each(|reading| writer.serialize(reading))
            .map_err(|error| RunError::Write { path, cause: error.into() })
    }

    /// Hands everything appended so far to the operating system.
    ///
    /// # Errors
    /// The disk is full, the folder is gone.
    pub fn flush(&mut self) -> Result<(), RunError> {
        let Some(files) = &mut self.files else { return Ok(()) };
        let results = [("readings.csv", files.readings.flush()), ("experiments.csv", files.experiments.flush())];
        results.into_iter().try_for_each(|(file, result)| result.map_err(|cause| self.failed(file, cause)))
    }

    /// Notes what is tried next, before it is: the ids of the experiments and the number of their first launch.
    ///
    /// # Errors
    /// The disk is full, the folder is gone.
    pub fn note_attempt(&self, first_launch: u64, experiments: &[&str]) -> Result<(), RunError> {
        let note = serde_json::json!({ "first_launch": first_launch, "experiments": experiments });
        fs::write(self.path.join(TRYING), format!("{note}\n")).map_err(|cause| self.failed(TRYING, cause))
    }

    /// Takes the note back: what was tried has come to an end, one way or another.
    ///
    /// # Errors
    /// The folder is gone.
    pub fn clear_attempt(&self) -> Result<(), RunError> {
        match fs::remove_file(self.path.join(TRYING)) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(self.failed(TRYING, cause)),
            _ => Ok(()),
        }
    }

    fn files(&mut self) -> Result<&mut Files, RunError> {
        match &mut self.files {
            Some(files) => Ok(files),
            none => Ok(none.insert(Files::create(&self.path)?)),
        }
    }

    /// Writes `run.json`, in place of the one before.
    ///
    /// # Errors
    /// The disk is full, the folder is gone.
    pub fn write_record(&mut self, record: &RunRecord) -> Result<(), RunError> {
        self.files()?;
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
